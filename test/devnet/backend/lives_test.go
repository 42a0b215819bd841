package backend_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"hubquote/internal/catalog"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/audit"
	"hubquote/internal/settle/journal/postgres"
	"hubquote/internal/settle/journal/sqlite"
	settled "hubquote/internal/settle/order"
	"hubquote/internal/settle/sign"
	"hubquote/internal/settler"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/backend"
	"hubquote/test/fake"
)

// TestMain runs a settler instead of the tests when it is asked to, so that a
// test can kill a whole process.
func TestMain(m *testing.M) {
	if text := os.Getenv("SETTLER_CHILD"); text != "" {
		if err := child(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// A life says where a settler runs.
type life struct {
	Nodes           map[swap.ChainID][]string
	Issuer, Journal string
	Signer          string // the address of a signer, or empty for a key of its own
	Listen          string // of the read-only interface, or empty
	Holder          string
}

func child(text string) error {
	var l life
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		return err
	}
	o, err := l.options()
	if err != nil {
		return err
	}
	o.Log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	s, err := settler.New(ctx, o)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Run(ctx)
}

// options has a little exposure to the gateway's coin, so that some deposits are
// paid before they are final.
func (l *life) options() (settler.Options, error) {
	cat, err := catalog.Embedded()
	if err != nil {
		return settler.Options{}, err
	}
	account := devnet.Account(devnet.Relayer)
	o, err := backend.Local(cat, l.Nodes, l.Issuer, "", account, nil)
	if err == nil {
		o.Limits.Exposure = exposure(cat)
	}
	o.Journal, o.Listen, o.Holder = l.Journal, l.Listen, settler.Name(l.Holder, os.Getpid())
	if l.Signer != "" {
		o.Keys = []sign.Key{asked{account.Address, l.Signer}}
	}
	return o, err
}

func exposure(cat *catalog.Catalog) map[settled.Pool]swap.Amount {
	caps := map[settled.Pool]swap.Amount{}
	for _, t := range cat.Tokens() {
		if t.Chain == 8453 && t.Symbol == "USDC" {
			caps[settled.Pool{Chain: t.Chain, Address: t.Address}] = *uint256.NewInt(100_000_000)
		}
	}
	return caps
}

// An end is when a life ends: before or after so many requests or commits of one
// kind.
type end struct {
	kind  string // "node", "issuer", "signer", "commit"
	left  int
	early bool // before it is passed on
	stop  bool // the process is stopped, not killed, and goes on later
}

// lives are settlers on one journal, one after the other. Each is a process that
// is killed before or after one of its requests.
type lives struct {
	life
	count *counts

	mu  sync.Mutex
	now *fake.Process
	end *end // nil: never

	before *journal.Image // after the last life
}

// request counts what the present life does, and ends it with the last.
func (l *lives) request(kind string, answered bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.end
	if l.now == nil || e == nil || e.kind != kind || answered == e.early {
		return
	}
	if e.left--; e.left >= 0 {
		return
	}
	l.end = nil
	when := map[bool]string{true: "before", false: "after"}[e.early]
	if e.stop {
		l.count.add("stops")
		_ = l.now.Signal(syscall.SIGSTOP)
		return
	}
	l.count.add("kills", "kills "+when+" a request or commit: "+kind)
	_ = l.now.Cmd.Process.Kill()
}

// live is one life. It ends with ctx, at its end, or when so much time is over.
func (l *lives) live(ctx context.Context, t *testing.T, e *end, most time.Duration) {
	p, said := l.start(t, e)
	if p == nil {
		return
	}
	late := make(<-chan time.Time)
	if most > 0 {
		late = time.After(most)
	}
	select {
	case <-p.Exited:
	case <-late:
		l.count.add("kills", "kills at some moment")
	case <-ctx.Done():
	}
	l.set(nil, nil)
	p.Kill()
	if text := said.String(); t.Failed() || strings.Contains(text, "DATA RACE") || strings.Contains(text, "panic:") {
		t.Errorf("a settler said:\n%s", text)
	}
	l.audit(t)
}

func (l *lives) start(t *testing.T, e *end) (*fake.Process, *bytes.Buffer) {
	text, err := json.Marshal(l.life)
	if err != nil {
		t.Error(err)
		return nil, nil
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SETTLER_CHILD="+string(text), "GORACE=halt_on_error=0")
	said := &bytes.Buffer{}
	p, err := fake.Start(cmd, func(line string) { fmt.Fprintln(said, line) })
	if err != nil {
		t.Error(err)
		return nil, nil
	}
	l.set(p, e)
	return p, said
}

func (l *lives) set(p *fake.Process, e *end) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now, l.end = p, e
}

// open opens the journal beside its writer.
func (l *lives) open(ctx context.Context) (journal.Journal, error) {
	if strings.HasPrefix(l.Journal, "postgres:") {
		return postgres.Open(ctx, postgres.Options{URL: l.Journal})
	}
	return sqlite.Open(ctx, l.Journal)
}

// audit holds the journal against its invariants, and against what it was
// after the life before.
func (l *lives) audit(t *testing.T) {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	j, err := l.open(ctx)
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = j.Close() }()
	img, err := j.All(ctx)
	if err != nil {
		t.Error(err)
		return
	}
	cat, err := catalog.Embedded()
	if err != nil {
		t.Error(err)
		return
	}
	l.count.add("audits")
	found := audit.Check(img, audit.Rules{Caps: exposure(cat), RefundAfter: time.Hour})
	if l.before != nil {
		found = append(found, audit.Step(l.before, img)...)
	}
	for _, err := range found {
		t.Errorf("journal after %d kills: %v", l.count.of("kills"), err)
	}
	l.before = img
}

// span is the longest life in a storm.
const span = 8 * time.Second

// storm lives again and again until ctx ends. Each life is long enough to look
// around, and perhaps to do something.
func (l *lives) storm(ctx context.Context, t *testing.T) {
	for ctx.Err() == nil {
		e := &end{kind: "node", left: 50 + dice.n(500), early: dice.n(2) == 0}
		switch dice.n(6) {
		case 0:
			e.kind, e.left = "issuer", dice.n(10)
		case 1, 2:
			e.kind, e.left = "signer", dice.n(5)
		}
		l.live(ctx, t, e, span)
	}
}
