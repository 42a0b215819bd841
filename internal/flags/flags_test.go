package flags_test

import (
	"bytes"
	"errors"
	"flag"
	"slices"
	"strings"
	"testing"

	"hubquote/internal/flags"
)

// secret is a flag whose value parses only if it is "right".
type secret struct{ text string }

func (s *secret) String() string { return "" }

func (s *secret) Set(text string) error {
	if text != "right" {
		return errors.New("not a key")
	}
	s.text = text
	return nil
}

// newSet returns a set with a plain flag, a switch and a secret, and their values.
func newSet(env map[string]string, out *bytes.Buffer) (*flags.Set, *string, *secret) {
	f := flags.New(flags.Options{
		Program: "tool", Command: "run", About: "tool run runs.", Out: out,
		Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
	})
	level := f.String("log-level", "low", "`level` of the log")
	f.Bool("dry", false, "do nothing")
	key := new(secret)
	f.Secret(key, "key", "`key` to use")
	f.NotInFile("dry")
	return f, level, key
}

func TestPrecedence(t *testing.T) {
	env := map[string]string{"TOOL_LOG_LEVEL": "environment"}
	const file = `log-level = "file"`
	tests := []struct {
		name string
		args []string
		env  map[string]string
		file string
		want string
	}{
		{"a flag comes first", []string{"--log-level", "flag"}, env, file, "flag"},
		{"then the environment", nil, env, file, "environment"},
		{"then the file", nil, nil, file, "file"},
		{"then the default", nil, nil, "", "low"},
		{"an empty variable is a value", nil, map[string]string{"TOOL_LOG_LEVEL": ""}, file, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, level, _ := newSet(tt.env, nil)
			if err := f.Parse(tt.args); err != nil {
				t.Fatal(err)
			}
			if err := f.ParseText("file", []byte(tt.file), nil); err != nil {
				t.Fatal(err)
			}
			if *level != tt.want {
				t.Errorf("log-level = %q, want %q", *level, tt.want)
			}
		})
	}
}

func TestRefuses(t *testing.T) {
	tests := []struct {
		name, args, env, file, want string
	}{
		{"a flag that is not there", "--port 1", "", "", "run: flag provided but not defined: -port; see tool run --help"},
		{"an argument", "now", "", "", "run: unexpected argument in place 1; see tool run --help"},
		{"a secret that does not parse", "--key WRONG", "", "", "run: key: not a key"},
		{"a secret in the environment", "", "WRONG", "", "run: key: not a key"},
		{"a secret in the file", "", "", `key = "WRONG"`, "run: key: not a key"},
		{"too many dashes before a secret", "---key=WRONG", "", "", "run: bad flag syntax; see tool run --help"},
		{"a key that is not there", "", "", "port = 1", "run: configuration: port: no such setting; see tool run --help"},
		{"a flag that files may not set", "", "", "dry = true", "run: configuration: dry: no such setting; see tool run --help"},
		{"a list for a plain value", "", "", "log-level = [1]", "run: configuration: log-level: write a string, a whole number, true or false"},
		{"a file that is not TOML", "", "", "\n= WRONG", "run: configuration: file is not TOML: see line 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := map[string]string{}
			if tt.env != "" {
				env["TOOL_KEY"] = tt.env
			}
			f, _, _ := newSet(env, nil)
			err := f.Parse(strings.Fields(tt.args))
			if err == nil {
				err = f.ParseText("file", []byte(tt.file), nil)
			}
			if err == nil || err.Error() != tt.want {
				t.Errorf("error = %v, want %s", err, tt.want)
			}
		})
	}
}

func TestParseMixed(t *testing.T) {
	f, level, key := newSet(nil, nil)
	rest, err := f.ParseMixed(strings.Fields("a --log-level high --dry b --key=right -"))
	if err != nil || !slices.Equal(rest, []string{"a", "b", "-"}) {
		t.Errorf("rest = %q, error %v; want a, b and -", rest, err)
	}
	if *level != "high" || key.text != "right" || !f.Given("dry") {
		t.Errorf("log-level = %q, key %q, dry given %t; want high, right, true", *level, key.text, f.Given("dry"))
	}
}

func TestHelp(t *testing.T) {
	var out bytes.Buffer
	f, _, _ := newSet(nil, &out)
	f.ReadsEnv("key", "TOOL_KEY_<n>")
	if err := f.Parse([]string{"--help"}); err != flag.ErrHelp {
		t.Fatalf("error = %v, want flag.ErrHelp", err)
	}
	want := `tool run runs.

Flags, each with the environment variable that stands in for it:

  --dry    (TOOL_DRY, default false)
      do nothing

  --key key   (TOOL_KEY_<n>)
      key to use

  --log-level level   (TOOL_LOG_LEVEL, default low)
      level of the log
`
	if out.String() != want {
		t.Errorf("help =\n%s\nwant\n%s", &out, want)
	}
}
