// Package settler builds the settlement backend from one [Options]: the journal,
// the endpoints of all chains, the signer and its list, the read-only interface,
// and, while this settler holds the journal, everything that writes.
//
// Operators, the devnet and the tests all run a [Settler]; no other package
// assembles one.
package settler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"hubquote/internal/deployment"
	"hubquote/internal/listen"
	"hubquote/internal/settle/alert"
	"hubquote/internal/settle/attest"
	"hubquote/internal/settle/call"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/postgres"
	"hubquote/internal/settle/journal/sqlite"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/sign"
	"hubquote/internal/settle/track"
	"hubquote/internal/settler/network"
	"hubquote/internal/settler/term"
	"hubquote/swap"
)

// A Settler settles orders while it holds the journal, and answers questions
// always.
type Settler struct {
	opts     Options
	plans    []*deployment.Plan
	journal  journal.Journal
	networks map[swap.ChainID]*network.Network
	signers  []*sign.Signer
	issuer   *attest.Client
	alerts   *alert.Board

	status  *track.Handler
	servers listen.Servers

	mu    sync.Mutex
	term  *term.Term // nil while another settler holds the journal
	epoch int64
}

// New returns a settler that has opened its journal and asked nothing else.
func New(ctx context.Context, o Options) (*Settler, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Settler{opts: o, networks: map[swap.ChainID]*network.Network{}, alerts: alert.NewBoard(o.Log)}
	for _, step := range []func(context.Context) error{s.addPlans, s.addNetworks, s.addSigners, s.addIssuer, s.openJournal, s.addServers} {
		if err := step(ctx); err != nil {
			s.Close()
			return nil, err
		}
	}
	return s, nil
}

func (s *Settler) addPlans(context.Context) error {
	for _, cat := range s.opts.Generations {
		p, err := deployment.Recorded(cat)
		if err != nil {
			return err
		}
		s.plans = append(s.plans, p)
	}
	return s.opts.checkChains(s.plans)
}

func (s *Settler) addNetworks(context.Context) (err error) {
	for id, urls := range s.opts.RPC {
		if len(urls) == 0 {
			continue
		}
		age := cmp.Or(s.opts.MaxBlockAges[id], s.opts.MaxBlockAge)
		s.networks[id], err = network.Open(id, urls, network.Options{MaxAge: age, Transport: s.opts.Transport})
		if err != nil {
			delete(s.networks, id)
			return err
		}
	}
	return nil
}

// addSigners gives each key the list of what it may sign.
func (s *Settler) addSigners(context.Context) error {
	list := call.List(roster.Of(s.plans...), s.plans[len(s.plans)-1].Issuer, s.opts.FeeCaps)
	for _, key := range s.opts.Keys {
		s.signers = append(s.signers, sign.New(key, list))
	}
	return nil
}

func (s *Settler) addIssuer(context.Context) (err error) {
	s.issuer, err = attest.New(attest.Options{URL: s.opts.Issuer, PerSecond: s.opts.PerSecond, Transport: s.opts.Transport})
	return err
}

func (s *Settler) openJournal(ctx context.Context) (err error) {
	s.journal, err = OpenJournal(ctx, s.opts.Journal)
	return err
}

// OpenJournal opens a journal in a file or in a Postgres database.
func OpenJournal(ctx context.Context, at string) (journal.Journal, error) {
	if IsDatabase(at) {
		return postgres.Open(ctx, postgres.Options{URL: at})
	}
	return sqlite.Open(ctx, at)
}

// VisitJournal opens a journal that settler run has made, for a command beside it.
// It changes no table.
func VisitJournal(ctx context.Context, at string) (journal.Journal, error) {
	if IsDatabase(at) {
		return postgres.Open(ctx, postgres.Options{URL: at, Visit: true})
	}
	return sqlite.Visit(ctx, at)
}

// IsDatabase reports whether a journal is a Postgres database, and not a file.
func IsDatabase(at string) bool {
	return strings.HasPrefix(at, "postgres://") || strings.HasPrefix(at, "postgresql://")
}

// Journal is what this settler writes and others may read.
func (s *Settler) Journal() journal.Journal { return s.journal }

// Listen opens the addresses. Run does so too; a caller that needs the addresses
// before calls Listen first.
func (s *Settler) Listen() error { return s.servers.Open() }

// Addr returns the address of the read-only interface that is open, or nil.
func (s *Settler) Addr() net.Addr { return s.servers[0].Addr() }

// Close ends all connections. Run must have returned.
func (s *Settler) Close() {
	s.servers.Close()
	for _, n := range s.networks {
		n.Close()
	}
	if s.issuer != nil {
		s.issuer.Close()
	}
	if s.journal != nil {
		_ = s.journal.Close()
	}
}

// standby is how often a settler that does not hold the journal tries to.
const standby = time.Second

// Run settles until ctx ends. While another settler holds the journal it only
// answers questions.
func (s *Settler) Run(ctx context.Context) error {
	if s.Addr() == nil {
		if err := s.Listen(); err != nil {
			return err
		}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := s.servers.Run(ctx, listen.Drain{Begin: s.status.Drain}, s.opts.Log); err != nil {
			stop(err)
		}
	})
	s.hold(ctx)
	stop(nil)
	serving.Wait()
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// hold takes the journal whenever it is free, and settles while it has it.
func (s *Settler) hold(ctx context.Context) {
	waiting := false
	for ctx.Err() == nil {
		held, err := s.journal.Acquire(ctx, s.opts.Holder)
		switch {
		case err == nil:
			waiting = false
			s.serve(ctx, held)
		case errors.Is(err, journal.ErrHeld) && !waiting:
			waiting = true
			s.opts.Log.Info("standing by: another settler holds the journal")
		case !errors.Is(err, journal.ErrHeld) && ctx.Err() == nil:
			s.opts.Log.Warn("cannot take the journal", "err", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(standby):
		}
	}
}

// serve is one term.
func (s *Settler) serve(ctx context.Context, held journal.Writer) {
	s.opts.Log.Info("holding the journal", "epoch", held.Epoch(), "holder", s.opts.Holder)
	t, err := term.New(ctx, term.Options{
		Plans: s.plans, Networks: s.networks, Signers: s.signers, FeeCaps: s.opts.FeeCaps, Limits: s.opts.Limits, Rules: *s.opts.Rules,
		Issuer: s.issuer, Journal: s.journal, Alerts: s.alerts, Log: s.opts.Log, Pace: s.opts.Pace, Usual: s.opts.Usual,
	}, held)
	if err == nil {
		s.set(t, held.Epoch())
		err = t.Run(ctx)
		s.set(nil, held.Epoch())
		s.alerts.Clear()
	}
	if err != nil && ctx.Err() == nil {
		s.opts.Log.Warn("the term ended", "epoch", held.Epoch(), "err", err)
	}
	release, stop := context.WithTimeout(context.WithoutCancel(ctx), standby)
	defer stop()
	if err := held.Release(release); err != nil && !errors.Is(err, journal.ErrLost) {
		s.opts.Log.Warn("cannot give the journal back: it is free when the lease ends", "err", err)
	}
}

func (s *Settler) set(t *term.Term, epoch int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.term, s.epoch = t, epoch
}

// Role tells whether this settler holds the journal, and its last epoch.
func (s *Settler) Role() (writer bool, epoch int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.term != nil, s.epoch
}

// Name is how a settler is told from the others that share its journal.
func Name(host string, process int) string { return fmt.Sprintf("%s/%d", host, process) }
