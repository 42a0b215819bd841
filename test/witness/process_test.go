package witness_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"hubquote/test/fake"
)

// evidence is one line to the witness.
type evidence struct {
	ID     int       `json:"id"`
	URL    string    `json:"url"`
	Status int       `json:"status"`
	Body   string    `json:"body"`
	Asked  questions `json:"asked"`
}

// wishes are what the witness knows how to judge.
type wishes struct {
	Pairs      []pair      `json:"pairs"`
	Recipients []recipient `json:"recipients"`
	Strangers  []string    `json:"strangers"` // pairs that only one side knows
}

// A verdict is what the witness says in the end.
type verdict struct {
	Checked int       `json:"checked"`
	Refuted int       `json:"refuted"`
	First   []refuted `json:"first"`
}

type refuted struct {
	ID         int        `json:"id"`
	URL        string     `json:"url"`
	Mismatches []mismatch `json:"mismatches"`
}

type mismatch struct {
	Path string `json:"path"`
	Got  string `json:"got"`
	Want string `json:"want"`
}

func (v verdict) report(t *testing.T) {
	if v.Refuted == 0 {
		return
	}
	t.Errorf("%d of %d answers differ, want none", v.Refuted, v.Checked)
	for _, r := range v.First {
		t.Errorf("%s", r.URL)
		for _, m := range r.Mismatches {
			t.Errorf("    %s: got %s, want %s", m.Path, m.Got, m.Want)
		}
	}
}

// A process is a witness at work.
type process struct {
	*fake.Process
	wishes     wishes
	stdin      io.Closer
	buffer     *bufio.Writer
	in         *json.Encoder
	out        *json.Decoder
	complaints bytes.Buffer
}

// begin starts a witness that names at most the given number of refuted answers.
func begin(t *testing.T, s *subject, seed uint64, most int) *process {
	t.Helper()
	if err := install(); err != nil {
		t.Fatal(err)
	}
	p := &process{}
	cmd := exec.Command("node", "src/main.mjs")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, answers, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stdout.Close() })
	cmd.Stdout, cmd.Stderr = answers, &p.complaints
	p.stdin, p.buffer, p.out = stdin, bufio.NewWriter(stdin), json.NewDecoder(stdout)
	p.in = json.NewEncoder(p.buffer)
	p.Process, err = fake.Start(cmd, nil)
	_ = answers.Close() // the process has its own
	if err != nil {
		t.Fatal(err)
	}
	p.greet(t, s, seed, most)
	return p
}

// greet tells the witness which contracts are ours, from the service's own
// lists, and learns what it would like to see.
func (p *process) greet(t *testing.T, s *subject, seed uint64, most int) {
	t.Helper()
	var routers, routes struct {
		Data []json.RawMessage `json:"data"`
	}
	var vectors struct {
		Pins struct {
			Burn struct {
				Receiver string `json:"receiver"`
			} `json:"burn"`
		} `json:"pins"`
	}
	s.list(t, "/v3/app/routers", &routers)
	s.list(t, "/v3/app/routes", &routes)
	s.list(t, "/v3/app/vectors", &vectors)
	p.show(t, map[string]any{
		"seed": fmt.Sprint(seed), "wallets": 300, "most": most, "routes": routes.Data,
		"deployment": map[string]any{"routers": routers.Data, "receiver": vectors.Pins.Burn.Receiver},
	})
	if err := p.buffer.Flush(); err != nil {
		t.Fatal(err)
	}
	p.hear(t, &p.wishes)
}

func (p *process) show(t *testing.T, line any) {
	t.Helper()
	if err := p.in.Encode(line); err != nil {
		p.stdin.Close()
		p.Wait()
		t.Fatalf("%v\n%s", err, &p.complaints)
	}
}

func (p *process) hear(t *testing.T, into any) {
	t.Helper()
	if err := p.out.Decode(into); err != nil {
		p.stdin.Close()
		p.Wait()
		t.Fatalf("%v\n%s", err, &p.complaints)
	}
}

// verdict ends the hearing.
func (p *process) verdict(t *testing.T) (v verdict) {
	t.Helper()
	if err := p.buffer.Flush(); err != nil {
		t.Fatal(err)
	}
	p.stdin.Close()
	p.hear(t, &v)
	if err := p.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, &p.complaints)
	}
	return v
}

// install brings what the lock file pins. Reading the sources tells go test to run
// again when one of them changes.
var install = sync.OnceValue(func() error {
	sources, _ := filepath.Glob("*/*.mjs")
	for _, file := range append(sources, "package.json", "package-lock.json", shieldVectors) {
		if _, err := os.ReadFile(file); err != nil {
			return err
		}
	}
	if out, err := exec.Command("../tools/npm.sh", ".").CombinedOutput(); err != nil {
		return fmt.Errorf("npm.sh: %w\n%s", err, out)
	}
	return nil
})

// shieldVectors is read by test/vectors.test.mjs.
const shieldVectors = "../../internal/shield/testdata/shield.json"
