package fake_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hubquote/test/fake"
)

// startAndHang makes the test program start another one, print its number, and
// wait to be killed.
const startAndHang = "FAKE_START_AND_HANG"

func TestMain(m *testing.M) {
	if os.Getenv(startAndHang) == "" {
		os.Exit(m.Run())
	}
	p, err := fake.Start(exec.Command("sleep", "600"), nil)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(p.Cmd.Process.Pid)
	select {}
}

// A process ends with the program that started it, also when that is killed.
func TestProcessEndsWithItsProgram(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), startAndHang+"=1")
	lines := make(chan string, 1)
	parent, err := fake.Start(cmd, func(line string) { lines <- line })
	if err != nil {
		t.Fatal(err)
	}
	defer parent.Kill()
	child, err := strconv.Atoi(<-lines)
	if err != nil {
		t.Fatal(err)
	}
	if !runs(child) {
		t.Fatalf("process %d does not run, want it running", child)
	}
	parent.Kill()
	fake.Eventually(t, "the process ends", func() bool { return !runs(child) })
}

// runs reports whether a process exists and is no zombie.
func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return err == nil && !bytes.HasPrefix(state, []byte("Z"))
}

func TestAllLinesAreReadBeforeTheExit(t *testing.T) {
	var lines []string
	p, err := fake.Start(exec.Command("sh", "-c", "echo one; echo two >&2; printf last; exit 3"), func(line string) { lines = append(lines, line) })
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err == nil || p.Cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("Wait = %v, want exit status 3", err)
	}
	if want := []string{"one", "two", "last"}; !slices.Equal(lines, want) {
		t.Errorf("lines = %q, want %q", lines, want)
	}
}

func TestStartOfAMissingProgramFails(t *testing.T) {
	if _, err := fake.Start(exec.Command("/nonexistent"), func(string) {}); err == nil {
		t.Error("Start has no error, want one")
	}
}

func TestProxy(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(strings.Repeat("a", 1000))) })
	tests := []struct {
		name  string
		spoil func(*fake.Proxy)
		fails bool
	}{
		{"passes everything", func(*fake.Proxy) {}, false},
		{"cut in the middle", (*fake.Proxy).Cut, true},
		{"reset before the response", (*fake.Proxy).Reset, true},
		{"down", (*fake.Proxy).Down, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := fake.Serve(t, handler)
			tt.spoil(p)
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			var body bytes.Buffer
			resp, err := client.Get("http://" + p.Addr().String())
			if err == nil {
				_, err = body.ReadFrom(resp.Body)
				_ = resp.Body.Close()
			}
			if (err != nil) != tt.fails || !tt.fails && body.Len() != 1000 {
				t.Errorf("%d bytes, %v; want failure %t", body.Len(), err, tt.fails)
			}
			fake.Eventually(t, "all connections are closed", func() bool { return p.Connections() == 0 })
		})
	}
}
