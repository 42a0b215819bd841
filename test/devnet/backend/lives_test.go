package backend_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"hubquote/internal/catalog"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/audit"
	"hubquote/internal/settle/journal/sqlite"
	settled "hubquote/internal/settle/order"
	"hubquote/internal/settler"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/backend"
	"hubquote/test/fake"
	"hubquote/test/fake/endpoint"
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
	Nodes       map[swap.ChainID][]string
	Issuer, Dir string
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
	o, err := backend.Local(cat, l.Nodes, l.Issuer, l.Dir, devnet.Account(devnet.Relayer), nil)
	if err == nil {
		o.Limits.Exposure = exposure(cat)
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

// lives are settlers, one after the other, on one journal. Each is a process
// that is killed before or after one of its requests.
type lives struct {
	life
	killed atomic.Int64

	mu    sync.Mutex
	now   *fake.Process
	left  int  // requests until the kill; negative: never
	early bool // before the request goes out

	before *journal.Image // after the last life
}

func newLives(t *testing.T, n *devnet.Net, issuer string) *lives {
	t.Helper()
	l := &lives{life: life{Nodes: map[swap.ChainID][]string{}, Issuer: issuer, Dir: t.TempDir()}}
	for id, c := range n.Chains {
		front := endpoint.New(t, c.URL, 3)
		front.Tag(depth, 2*depth)
		for _, e := range front.Endpoints {
			e.Hook(l.request)
			l.Nodes[id] = append(l.Nodes[id], e.URL)
		}
	}
	return l
}

// request counts a request of the present life, and ends it with the last.
func (l *lives) request(_ string, answered bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now == nil || l.left < 0 || answered == l.early {
		return
	}
	if l.left--; l.left < 0 {
		_ = l.now.Cmd.Process.Kill()
	}
}

// live is one life. It ends with ctx, or after so many requests.
func (l *lives) live(ctx context.Context, t *testing.T, span int) {
	text, err := json.Marshal(l.life)
	if err != nil {
		t.Error(err)
		return
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SETTLER_CHILD="+string(text))
	var said bytes.Buffer
	p, err := fake.Start(cmd, func(line string) { fmt.Fprintln(&said, line) })
	if err != nil {
		t.Error(err)
		return
	}
	l.set(p, span, rand.N(2) == 0)
	select {
	case <-p.Exited:
		l.killed.Add(1)
	case <-ctx.Done():
		p.Kill()
	}
	l.set(nil, -1, false)
	if t.Failed() {
		t.Log(said.String())
	}
	l.audit(t)
}

func (l *lives) set(p *fake.Process, left int, early bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now, l.left, l.early = p, left, early
}

// audit holds the journal against its invariants, and against what it was
// after the life before.
func (l *lives) audit(t *testing.T) {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	j, err := sqlite.Open(ctx, filepath.Join(l.Dir, "journal.db"))
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
	found := audit.Check(img, audit.Rules{Caps: exposure(cat), RefundAfter: time.Hour})
	if l.before != nil {
		found = append(found, audit.Step(l.before, img)...)
	}
	for _, err := range found {
		t.Errorf("journal after %d kills: %v", l.killed.Load(), err)
	}
	l.before = img
}

// storm lives again and again until ctx ends. Each life has some hundred
// requests: enough to look around, and perhaps to do something.
func (l *lives) storm(ctx context.Context, t *testing.T) {
	for ctx.Err() == nil {
		l.live(ctx, t, 50+rand.N(500))
	}
}
