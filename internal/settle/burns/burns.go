// Package burns carries the issuer's burns: those to our receivers become orders,
// those of our own payments and refunds are minted at their destination. It finds
// them at one endpoint of each network, asks the issuer for its signature, and
// makes tasks for the lanes of the settler. The issuer's signature is the proof,
// so that a wrong endpoint costs one request at most; a burn counts as minted when
// enough endpoints say so.
package burns

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/attest"
	"hubquote/internal/settle/burns/ask"
	"hubquote/internal/settle/burns/chain"
	"hubquote/internal/settle/burns/deliver"
	"hubquote/internal/settle/burns/row"
	"hubquote/internal/settle/burns/source"
	"hubquote/internal/settle/burns/terms"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/pace"
	"hubquote/internal/settle/policy/burn"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// A Chain is one of the issuer's networks.
type Chain struct {
	// ID is the network's. Required.
	ID swap.ChainID

	// Nodes are its endpoints, in order of preference. One is required; with a
	// second, what one left out is found within as many hours as there are endpoints.
	Nodes []*node.Node

	// K is how many of them must agree that a burn is minted. Zero means one: its
	// word is then doubted, and asked for again every day.
	K int

	// First is the block to begin at when the journal has no cursor. Zero means
	// fifteen days ago: the longest that an order can be open.
	First uint64

	// Range is the most blocks of one question for logs. Zero means 2,000. It
	// halves when every endpoint refuses it.
	Range uint64

	// Poll is between two looks at the network. Zero means [pace.Source].
	Poll time.Duration

	// Usual is how long the issuer takes, by kind of burn; see [UsualOf]. Zero
	// means that it is asked at once, for local chains.
	Usual Usual
}

// Options configure [Burns]. Sweep, Tick, Poll, Rules, Changed and Log may be
// left out.
type Options struct {
	Terms   *terms.Terms   // the contracts
	Issuer  *attest.Client // whose signatures are asked for
	Chains  []Chain
	Journal journal.Reader
	Write   func(context.Context, func(journal.Tx) error) error

	// World returns what deliveries may use up: fees, [world.Calls] and
	// [world.Subsidy] of each network. Tasks at a loss are marked as such.
	World func(context.Context) (world.World, error)

	// Changed is called after tasks were made.
	Changed func()

	Rules burn.Rules    // zero means [burn.Standard]
	Sweep time.Duration // between two looks at the last hours, each at the next endpoint; zero means [pace.Resweep]
	Tick  time.Duration // between two looks at the journal; zero means 1 s
	Poll  time.Duration // between two looks at a burn that is being delivered; zero means [pace.Lane]
	Log   *slog.Logger
}

// Burns carries burns until it is stopped.
type Burns struct {
	opts      Options
	chains    map[swap.ChainID]*chain.Chain
	sources   map[swap.ChainID]*source.Source
	rows      *row.Reader
	asker     *ask.Asker
	deliverer *deliver.Deliverer
}

// New returns burns that are carried from [Burns.Run] on.
func New(opts Options) (*Burns, error) {
	if opts.Terms == nil || opts.Issuer == nil || opts.Journal == nil || opts.Write == nil || opts.World == nil {
		return nil, errors.New("burns: Options.Terms, Issuer, Journal, Write and World are required")
	}
	opts.complete()
	b := &Burns{opts: opts, chains: map[swap.ChainID]*chain.Chain{}, sources: map[swap.ChainID]*source.Source{}}
	for _, c := range opts.Chains {
		if err := b.add(c); err != nil {
			return nil, fmt.Errorf("burns: chain %d: %w", c.ID, err)
		}
	}
	rows := &row.Reader{Terms: opts.Terms, Usual: b.usual}
	b.rows = rows
	b.asker = ask.New(ask.Options{
		Rows: rows, Issuer: opts.Issuer, Rules: opts.Rules, Journal: opts.Journal, Write: opts.Write, Log: opts.Log,
	})
	b.deliverer = deliver.New(deliver.Options{
		Rows: rows, Chains: b.chains, Rules: opts.Rules, Poll: opts.Poll, Journal: opts.Journal,
		Write: opts.Write, World: opts.World, Changed: opts.Changed, Log: opts.Log,
	})
	return b, nil
}

func (b *Burns) add(c Chain) (err error) {
	if b.chains[c.ID], err = chain.New(c.ID, max(c.K, 1), c.Nodes...); err != nil {
		return err
	}
	b.sources[c.ID], err = source.New(source.Options{
		Chain: b.chains[c.ID], Terms: b.opts.Terms, First: c.First, Range: c.Range, Journal: b.opts.Journal, Write: b.opts.Write, Log: b.opts.Log,
	})
	return err
}

func (b *Burns) usual(id swap.ChainID, fast bool) time.Duration {
	for _, c := range b.opts.Chains {
		if c.ID == id && fast {
			return c.Usual.Fast
		} else if c.ID == id {
			return c.Usual.Standard
		}
	}
	return 0
}

func (o *Options) complete() {
	if o.Rules == (burn.Rules{}) {
		o.Rules = burn.Standard()
	}
	o.Sweep, o.Tick, o.Poll = or(o.Sweep, pace.Resweep), or(o.Tick, time.Second), or(o.Poll, pace.Lane)
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

// Hint looks for burns in a transaction of a network now, instead of at the next
// poll. The caller bounds how often.
func (b *Burns) Hint(ctx context.Context, id swap.ChainID, tx order.Hash) error {
	s := b.sources[id]
	if s == nil {
		return fmt.Errorf("burns: no endpoint for chain %d", id)
	}
	return s.Hint(ctx, tx)
}

// Call returns the call of a task to relay or deliver.
func (b *Burns) Call(ctx context.Context, t journal.Task) (deliver.Call, error) {
	return b.deliverer.Call(ctx, t)
}

// Refused records that a task's call would revert, with the reason for the log.
// The task is void; the burn is tried again later.
func (b *Burns) Refused(ctx context.Context, t journal.Task, why string) error {
	return b.deliverer.Refused(ctx, t, why)
}
