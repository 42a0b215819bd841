package backend_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"hubquote/internal/catalog"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/postgres"
	"hubquote/internal/settle/journal/sqlite"
	settled "hubquote/internal/settle/order"
	"hubquote/internal/settle/sign"
	"hubquote/internal/settler"
	"hubquote/swap"
	"hubquote/test/audit"
	"hubquote/test/devnet"
	"hubquote/test/devnet/backend"
	"hubquote/test/fake"
)

// TestMain runs a settler instead of the tests when it is asked to, so that a
// test can kill a whole process.
func TestMain(m *testing.M) {
	if backend.IsChild() {
		backend.RunChild(exposed)
		return
	}
	os.Exit(m.Run())
}

// exposed has a little exposure to the gateway's coin, so that some deposits are
// paid before they are final, and asks a signer where there is one.
func exposed(c *backend.Child, o *settler.Options) {
	o.Limits.Exposure = exposure(o.Generations[0])
	if c.Signer != "" {
		o.Keys = []sign.Key{asked{devnet.Account(devnet.Relayer).Address, c.Signer}}
	}
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
	backend.Child
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
	said := &bytes.Buffer{}
	p, err := l.Start(func(line string) { fmt.Fprintln(said, line) })
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
