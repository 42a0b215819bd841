package upstream_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"hubquote/internal/upstream"
)

const (
	canary  = "SECRETKEY123"
	keyed   = "https://" + canary + "u:" + canary + "p@" + canary + ".example:8443/" + canary + "?key=" + canary + "#" + canary
	shown   = "https://***"
	panicAs = "SECRET_TEST_PANIC"
)

func TestMain(m *testing.M) {
	if which := os.Getenv(panicAs); which != "" {
		u, _ := upstream.Parse(keyed)
		panic(printed(u)[which])
	}
	goleak.VerifyTestMain(m)
}

type open struct{ URL upstream.URL }

type closed struct{ url upstream.URL }

// printed returns a URL in every place where a program might keep one.
func printed(u upstream.URL) map[string]any {
	return map[string]any{
		"itself":              u,
		"a pointer":           &u,
		"an exported field":   open{u},
		"an unexported field": closed{u},
		"behind a pointer":    &closed{u},
		"a slice":             []upstream.URL{u},
		"a map":               map[string]upstream.URL{"url": u},
		"a map's key":         map[*upstream.URL]bool{&u: true},
		"an interface":        []any{u, &u, closed{u}},
		"an error":            fmt.Errorf("call %v: %w", u, errors.New("no")),
	}
}

func TestPrintedURLHidesTheKey(t *testing.T) {
	u, err := upstream.Parse(keyed)
	if err != nil {
		t.Fatal(err)
	}
	for where, v := range printed(u) {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%p", "%T", "%10.3s", "%w"} {
			hides(t, where+" as "+verb, fmt.Sprintf(verb, v))
		}
		var out bytes.Buffer
		slog.New(slog.NewTextHandler(&out, nil)).Info("text", "url", v, slog.Group("group", "url", v))
		slog.New(slog.NewJSONHandler(&out, nil)).Info("json", "url", v, slog.Group("group", "url", v))
		hides(t, where+" in a log", out.String())
		if text, err := json.Marshal(v); err == nil {
			hides(t, where+" as JSON", string(text))
		}
	}
}

func TestURLIsNotInAPanic(t *testing.T) {
	for _, where := range []string{"itself", "an unexported field", "behind a pointer", "an error"} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), panicAs+"="+where)
		out, err := cmd.CombinedOutput()
		if err == nil || !bytes.Contains(out, []byte("panic:")) {
			t.Fatalf("output with %s = %s, want a panic", where, out)
		}
		hides(t, where+" in a panic", string(out))
	}
}

// hides fails the test when out has the key, or the key in hexadecimal.
func hides(t *testing.T, name, out string) {
	t.Helper()
	for _, form := range []string{canary, fmt.Sprintf("%x", canary), fmt.Sprintf("%X", canary)} {
		if strings.Contains(strings.ToLower(out), strings.ToLower(form)) {
			t.Errorf("%s = %s, want the key hidden", name, out)
		}
	}
}

func TestURLShowsItsSchemeOnly(t *testing.T) {
	u, err := upstream.Parse(keyed)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(map[string]any{"u": u})
	tests := []struct{ name, got, want string }{
		{"String", u.String(), shown},
		{"GoString", fmt.Sprintf("%#v", u), shown},
		{"JSON", string(text), `{"u":"` + shown + `"}`},
		{"Reveal", u.Reveal(), keyed},
		{"no URL", upstream.URL{}.String() + upstream.URL{}.Reveal() + upstream.URL{}.Scheme(), ""},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s = %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct{ name, text string }{
		{"an empty string", ""},
		{"a key alone", canary},
		{"a path", "/v1/" + canary},
		{"no scheme", "host.example/" + canary},
		{"no host", "https:///" + canary},
		{"a port without a host", "https://:443/" + canary},
		{"an opaque URL", "mailto:" + canary},
		{"a host and a port", "localhost:6379"},
		{"a newline from a file", "https://host.example/" + canary + "\n"},
		{"a bad escape", "https://host.example/%zz" + canary},
		{"a bad port", "https://host.example:" + canary + "/"},
		{"a port that cannot be", "https://host.example:65536/" + canary},
		{"an address of two numbers", "https://10.1/" + canary},
		{"an address in one hexadecimal number", "https://0x0a000001/" + canary},
		{"an address in one number", "https://167772161/" + canary},
		{"an address with a leading zero", "https://010.0.0.1/" + canary},
		{"a space in the host", "https://host " + canary + "/"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, err := upstream.Parse(tt.text)
			if err == nil || !u.IsZero() {
				t.Fatalf("Parse = %v, %v; want an error", u, err)
			}
			hides(t, "the error", err.Error())
		})
	}
}

func TestUnmarshalText(t *testing.T) {
	var got struct{ Set, Empty, Absent upstream.URL }
	if err := json.Unmarshal([]byte(`{"Set":"`+keyed+`","Empty":""}`), &got); err != nil {
		t.Fatal(err)
	}
	if got.Set.Reveal() != keyed || !got.Empty.IsZero() || !got.Absent.IsZero() {
		t.Errorf("URLs = %q, %q, %q; want %q and two empty ones", got.Set.Reveal(), got.Empty.Reveal(), got.Absent.Reveal(), keyed)
	}
	err := json.Unmarshal([]byte(`{"Set":"`+canary+`"}`), &got)
	if err == nil {
		t.Fatal("Unmarshal of a key alone has no error, want one")
	}
	hides(t, "the error", err.Error())
}

func TestSameHost(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       bool
	}{
		{"two keys at one provider", "https://rpc.example/one", "https://rpc.example/two", true},
		{"letter case does not matter", "https://rpc.example", "https://RPC.example", true},
		{"the default port may be left out", "https://rpc.example", "https://rpc.example:443", true},
		{"userinfo does not matter", "http://a@rpc.example", "http://b@rpc.example:80", true},
		{"another host", "https://rpc.example", "https://rpc2.example", false},
		{"another port", "http://rpc.example:80/a", "http://rpc.example:81/b", true},
		{"a dot at the end", "http://rpc.example/a", "http://rpc.example./b", true},
		{"another scheme", "http://rpc.example", "https://rpc.example", true},
		{"an IPv4 address as IPv6", "http://192.0.2.1", "http://[::ffff:192.0.2.1]", true},
		{"another port of this machine", "http://127.0.0.1:1", "http://127.0.0.1:2", false},
		{"two names of this machine", "http://127.0.0.1:1", "http://localhost:1", true},
		{"an address that stands for this machine", "http://127.0.0.1:1", "http://0.0.0.0:1", true},
		{"one that does in version 6", "http://127.0.0.1:1", "http://[::]:1", true},
		{"a name below localhost", "http://localhost:1", "http://a.localhost:1", true},
		{"both protocols of this machine", "http://127.0.0.1:1", "http://[::1]:1", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, errA := upstream.Parse(tt.a)
			b, errB := upstream.Parse(tt.b)
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			if got := a.SameHost(b); got != tt.want {
				t.Errorf("SameHost(%s, %s) = %t, want %t", tt.a, tt.b, got, tt.want)
			}
		})
	}
}

func TestJoinKeepsTheQuery(t *testing.T) {
	tests := []struct{ name, base, want string }{
		{"no path", "https://host", "https://host/v2/fees/3"},
		{"a slash", "https://host/", "https://host/v2/fees/3"},
		{"a path and a key", "https://host/api?key=1", "https://host/api/v2/fees/3?key=1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, err := upstream.Parse(tt.base)
			if err != nil {
				t.Fatal(err)
			}
			if got := u.Join("v2/fees", "3").Reveal(); got != tt.want {
				t.Errorf("Join = %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{keyed, "http://h", "redis://u:p@h:6379/0", "http://[::1]:80/%2f?#", "x://y@z"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := upstream.Parse(text)
		if err != nil {
			return
		}
		if want := u.Scheme() + "://***"; u.String() != want {
			t.Errorf("a URL prints as %q, want %q", u, want)
		}
		again, err := upstream.Parse(u.Reveal())
		if err != nil || again.Reveal() != u.Reveal() {
			t.Errorf("Parse(%q) = %q, %v; want the same URL", u.Reveal(), again.Reveal(), err)
		}
	})
}
