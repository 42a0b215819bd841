package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	gethkeystore "github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/rogpeppe/go-internal/testscript"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/sqlite"
	"hubquote/test/fake"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"settler": main})
}

// A program is settler run in a process of its own. Its log is a pipe that is not
// read.
type program struct {
	t       *testing.T
	process *fake.Process
	status  string // the base URL of the read-only interface
	pipe    string
	asked   atomic.Int32 // questions to its only endpoint
}

// newProgram returns a program that is not started. Its endpoint refuses all
// questions, each of which is asked again and logged.
func newProgram(t *testing.T) *program {
	t.Helper()
	p := &program{t: t, pipe: filepath.Join(t.TempDir(), "log")}
	if err := syscall.Mkfifo(p.pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	unread, err := os.OpenFile(p.pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unread.Close() })
	return p
}

// start runs the program on a journal that it may have to share.
func (p *program) start(path string, keys []string) {
	p.t.Helper()
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		p.asked.Add(1)
		w.WriteHeader(http.StatusInternalServerError)
	}))
	p.t.Cleanup(endpoint.Close)
	address, err := fake.FreeAddress()
	if err != nil {
		p.t.Fatal(err)
	}
	log, err := os.OpenFile(p.pipe, os.O_WRONLY, 0)
	if err != nil {
		p.t.Fatal(err)
	}
	defer log.Close()
	p.status = "http://" + address
	cmd := exec.Command("settler", append([]string{
		"run", "--rpc", "369=" + endpoint.URL, "--some-chains", "--trust-one-endpoint", "--fee-cap", "1", "--issuer", endpoint.URL,
		"--journal", path, "--listen", address, "--admin", "",
	}, keys...)...)
	cmd.Stderr = log
	if p.process, err = fake.Start(cmd, nil); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(p.process.Kill)
}

// stall fills the pipe, so that the next line of the log waits for a reader.
func (p *program) stall() {
	p.t.Helper()
	fd, err := syscall.Open(p.pipe, syscall.O_WRONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		p.t.Fatal(err)
	}
	defer syscall.Close(fd)
	for err == nil {
		_, err = syscall.Write(fd, []byte("x"))
	}
	if !errors.Is(err, syscall.EAGAIN) {
		p.t.Fatalf("filling the pipe: %v, want it full", err)
	}
}

// awaitRole waits until the program answers that it has a role.
func (p *program) awaitRole(want string) {
	p.t.Helper()
	client := http.Client{Timeout: 10 * time.Second}
	fake.Eventually(p.t, "a settler that answers with the role "+want, func() bool {
		res, err := client.Get(p.status + "/v1/health")
		if err != nil {
			return false
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		return strings.Contains(string(body), `"role":"`+want+`"`)
	})
}

// works waits for more questions than can be under way when the log stalls.
func (p *program) works() {
	p.t.Helper()
	before := p.asked.Load()
	fake.Eventually(p.t, "a settler that goes on asking", func() bool { return p.asked.Load() >= before+8 })
}

// endsWell waits for the exit after a signal, whose code must be zero.
func (p *program) endsWell() {
	p.t.Helper()
	_ = p.process.Signal(syscall.SIGTERM)
	select {
	case <-p.process.Exited:
	case <-time.After(time.Minute):
		p.t.Fatal("the program runs a minute after the signal, want it ended")
	}
	if state := p.process.Cmd.ProcessState; state.ExitCode() != 0 {
		p.t.Errorf("the program ended with %v, want exit code 0", state)
	}
}

// A reader of the log that stalls stops neither the work of the settler that holds
// the journal, nor its answers, nor its end, nor the one that takes over.
func TestLogReaderThatStalls(t *testing.T) {
	path, keys := begunJournal(t), newKey(t)
	holder, standby := newProgram(t), newProgram(t)
	holder.start(path, keys)
	holder.awaitRole("writer")
	holder.stall()
	standby.stall()
	standby.start(path, keys)
	standby.awaitRole("standby")
	holder.works()
	holder.awaitRole("writer")
	holder.endsWell()
	standby.awaitRole("writer")
	standby.works()
	standby.endsWell()
}

// begunJournal makes a journal that has been at the head of the chain, so that a
// settler starts to work without an answer about older blocks.
func begunJournal(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal.db")
	j, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := j.Acquire(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	err = w.Write(t.Context(), func(tx journal.Tx) error {
		return tx.SetCursor(t.Context(), journal.Cursor{Chain: 369, Pass: "head", Number: 1})
	})
	if err := errors.Join(err, w.Release(t.Context()), j.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// newKey returns the flags of a key that was made for this test.
func newKey(t *testing.T) []string {
	t.Helper()
	k, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	text, err := gethkeystore.EncryptKey(&gethkeystore.Key{Address: crypto.PubkeyToAddress(k.PublicKey), PrivateKey: k}, "words", 1<<12, 1)
	if err != nil {
		t.Fatal(err)
	}
	key, words := filepath.Join(t.TempDir(), "key.json"), filepath.Join(t.TempDir(), "password")
	if err := errors.Join(os.WriteFile(key, text, 0o600), os.WriteFile(words, []byte("words\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	return []string{"--keystore", key, "--password-file", words}
}
