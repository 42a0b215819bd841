// Package burns carries the issuer's burns: those to our receivers become orders,
// those of our own payments and refunds are minted at their destination. It finds
// them at one endpoint of each network, asks the issuer for its signature, and
// makes tasks for the lanes of the settler. The issuer's signature is the proof,
// so that no endpoint is believed more than to waste a question.
package burns

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/attest"
	"hubquote/internal/settle/burns/carry"
	"hubquote/internal/settle/burns/chain"
	"hubquote/internal/settle/burns/terms"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// A Chain is one of the issuer's networks.
type Chain struct {
	// ID is the network's. Required.
	ID swap.ChainID

	// Nodes are its endpoints, in order of preference. One is required; with a
	// second, what the first left out is found within the hour.
	Nodes []*node.Node

	// First is the block to begin at when the journal has no cursor. Zero means
	// fifteen days ago: the longest that an order can be open.
	First uint64

	// Range is the most blocks of one question for logs. Zero means 2,000. It
	// halves when every endpoint refuses it.
	Range uint64

	// Poll is between two looks at the network. Zero means 20 s, which is 360
	// calls an hour while nothing happens.
	Poll time.Duration

	// Usual is how long the issuer takes, by kind of burn. Zero means that it
	// is asked at once.
	Usual Usual
}

// Usual is how long the issuer usually takes to attest a burn.
type Usual struct{ Fast, Standard time.Duration }

// Options configure [Burns]. Sweep, Tick, Poll, Rules, Changed and Log may be
// left out.
type Options struct {
	Terms   *terms.Terms   // the contracts
	Issuer  *attest.Client // whose signatures are asked for
	Chains  []Chain
	Journal journal.Reader
	Write   func(context.Context, func(journal.Tx) error) error

	// World returns what deliveries may use up: fees, [world.Calls] and
	// [world.Subsidy] of each network. [Burns.Losses] has what is used up of the
	// latter.
	World func(context.Context) (world.World, error)

	// Changed is called after tasks were made.
	Changed func()

	Rules burn.Rules    // zero means [burn.Standard]
	Sweep time.Duration // between two looks at the last hour at a second endpoint; zero means an hour
	Tick  time.Duration // between two looks at the journal; zero means 1 s
	Poll  time.Duration // between two looks at a burn that is being delivered; zero means 2 s
	Log   *slog.Logger
}

// Burns carries burns until it is stopped.
type Burns struct {
	opts    Options
	carrier *carry.Carrier
	issuer  *attest.Client
	sources []*source
	byID    map[swap.ChainID]*source
}

// New returns burns that are carried from [Burns.Run] on.
func New(opts Options) (*Burns, error) {
	if opts.Terms == nil || opts.Issuer == nil || opts.Journal == nil || opts.Write == nil || opts.World == nil {
		return nil, errors.New("burns: Options.Terms, Issuer, Journal, Write and World are required")
	}
	opts.complete()
	b := &Burns{opts: opts, issuer: opts.Issuer, byID: map[swap.ChainID]*source{}}
	chains, usual := map[swap.ChainID]*chain.Chain{}, map[swap.ChainID]Usual{}
	for _, c := range opts.Chains {
		s, err := b.newSource(c)
		if err != nil {
			return nil, fmt.Errorf("burns: chain %d: %w", c.ID, err)
		}
		chains[c.ID], usual[c.ID] = s.chain, c.Usual
	}
	b.carrier = carry.New(carry.Options{
		Terms: opts.Terms, Issuer: opts.Issuer, Chains: chains, Rules: opts.Rules, Poll: opts.Poll, Journal: opts.Journal,
		Write: opts.Write, World: opts.World, Changed: opts.Changed, Log: opts.Log,
		Usual: func(id swap.ChainID, fast bool) time.Duration {
			if fast {
				return usual[id].Fast
			}
			return usual[id].Standard
		},
	})
	return b, nil
}

func (o *Options) complete() {
	if o.Rules == (burn.Rules{}) {
		o.Rules = burn.Standard()
	}
	o.Sweep, o.Tick, o.Poll = or(o.Sweep, time.Hour), or(o.Tick, time.Second), or(o.Poll, 2*time.Second)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

func or(d, otherwise time.Duration) time.Duration {
	if d <= 0 {
		return otherwise
	}
	return d
}

// Run carries burns until ctx ends or the journal is lost.
func (b *Burns) Run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	var running sync.WaitGroup
	loop := func(every time.Duration, what string, do func(context.Context) error) {
		running.Go(func() { b.loop(ctx, stop, every, what, do) })
	}
	loop(b.opts.Tick, "asking the issuer", b.carrier.Ask)
	loop(b.opts.Tick, "delivering burns", b.carrier.Deliver)
	for _, s := range b.sources {
		loop(s.poll, "looking for burns", s.round)
		loop(b.opts.Sweep, "sweeping for burns", s.sweep)
	}
	running.Wait()
	return context.Cause(ctx)
}

// loop does something again and again. Only a journal that is lost ends it: what
// fails otherwise is tried again.
func (b *Burns) loop(ctx context.Context, stop context.CancelCauseFunc, every time.Duration, what string, do func(context.Context) error) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		err := do(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, journal.ErrLost):
			stop(err)
			return
		case err != nil:
			b.opts.Log.Warn(what, "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Round does everything once: it reads each network, asks the issuer, and makes
// tasks.
func (b *Burns) Round(ctx context.Context) error {
	var errs []error
	for _, s := range b.sources {
		errs = append(errs, s.round(ctx))
	}
	return errors.Join(append(errs, b.carrier.Ask(ctx), b.carrier.Deliver(ctx))...)
}

// Hint looks for burns in a transaction of a network now, instead of at the next
// poll. The caller bounds how often.
func (b *Burns) Hint(ctx context.Context, id swap.ChainID, tx order.Hash) error {
	s := b.byID[id]
	if s == nil {
		return fmt.Errorf("burns: no endpoint for chain %d", id)
	}
	return s.keep(ctx, []order.Hash{tx}, s.scanner)
}

// Call returns the call of a task to relay or deliver.
func (b *Burns) Call(ctx context.Context, t journal.Task) (carry.Call, error) {
	return b.carrier.Call(ctx, t)
}

// Refused records that a task's call would revert, with the reason for the log.
// The task is void; the burn is tried again later.
func (b *Burns) Refused(ctx context.Context, t journal.Task, why string) error {
	return b.carrier.Refused(ctx, t, why)
}

// Losses returns how many deliveries were made at a loss since then, by network.
func Losses(ctx context.Context, r journal.Reader, since time.Time) (map[swap.ChainID]int, error) {
	tasks, err := r.TasksMade(ctx, burn.Subsidy, since)
	count := map[swap.ChainID]int{}
	for _, t := range tasks {
		count[t.Chain]++
	}
	return count, err
}

// Unminted reports whether the deposit of an order that was burned back in a
// transaction is still to be minted, or its mint may still be reorganised away.
// A burn that is too small to be carried is its owner's to deliver.
func Unminted(ctx context.Context, r journal.Reader, id order.ID, tx order.Hash) (bool, error) {
	list, err := r.BurnsOf(ctx, id)
	for _, x := range list {
		if x.Tx == tx && x.Way == string(burn.Back) {
			return !x.NextAsk.IsZero(), err
		}
	}
	return true, err
}
