// Package follow follows one chain: it reads logs up to the head at one
// endpoint, has several endpoints judge what it found, and reads what became
// final again at another.
package follow

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/quorum"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/watch/event"
	"hubquote/internal/settle/watch/final"
	"hubquote/internal/settle/watch/head"
	"hubquote/internal/settle/watch/judge"
	"hubquote/internal/settle/watch/peer"
	"hubquote/internal/settle/watch/record"
	"hubquote/internal/settle/watch/scan"
	"hubquote/internal/settle/watch/vote"
	"hubquote/swap"
)

// Options configure a [Follower]. All are required but where zero has a
// meaning.
type Options struct {
	Chain     swap.ChainID
	Peers     []*peer.Peer
	State     *quorum.Nodes
	K         int
	First     uint64                                // block to begin with when the journal has no cursor
	Begin     func(context.Context) (uint64, error) // finds First; nil when it is given
	Range     uint64                                // blocks to ask for at once
	Sweep     time.Duration
	Usual     time.Duration // until a block is final; zero: not known
	Safe      bool          // ask for the safe tag too
	Contracts roster.Roster // of all chains

	Journal journal.Reader
	Write   func(ctx context.Context, fn func(journal.Tx) error) error
	Changed func(ids ...order.ID)
	Log     *slog.Logger
}

// A Follower follows one chain. Its rounds run one at a time.
type Follower struct {
	opts   Options
	voters vote.Voters
	judge  judge.Judge

	round    sync.Mutex // held during a round; guards all below but state
	scanner  scan.Scanner
	head     *head.Head
	final    *final.Final
	swept    time.Time
	complete uint64       // up to here the journal has every order
	differ   []order.Pool // contracts that had other orders in the last census
	news     int          // orders that had news, counted by every write
	begun    bool         // the block to begin with is known

	again  int                   // censuses in a row in which a contract had other orders
	reread map[*peer.Peer]uint64 // where each goes on with reading again

	mu    sync.Mutex // guards state
	state State
}

// A State is what is known about the chain.
type State struct {
	Passed  uint64 // logs up to here are in the journal, as one endpoint tells them
	Final   peer.Block
	Safe    uint64
	Stalled bool

	// Disputed says that endpoints have another block than the last final one,
	// and that too few of them call theirs final to say that it is lost.
	Disputed bool

	Broken  order.Hash   // the final block that was lost, or zero
	Missing []order.Pool // contracts that have orders the journal does not know
	Gone    uint64       // blocks with facts that were lost, since the start
}

// New returns a follower that begins where the journal's cursors are.
func New(ctx context.Context, opts Options) (*Follower, error) {
	f := &Follower{
		opts: opts, voters: vote.Voters{Peers: opts.Peers, K: opts.K},
		reread: map[*peer.Peer]uint64{},
	}
	reader, filter := event.Reader{Chain: opts.Chain, Contracts: opts.Contracts}, peer.Filter{Topics: event.Topics()}
	for _, c := range opts.Contracts.On(opts.Chain) {
		filter.Addresses = append(filter.Addresses, common.Address(c.Address))
	}
	f.judge = judge.Judge{Voters: f.voters, Filter: filter, Reader: reader, Log: opts.Log}
	f.scanner = scan.Scanner{Filter: filter, Reader: reader, Range: opts.Range, Write: f.write, Log: opts.Log}
	f.head = head.New(head.Options{Chain: opts.Chain, Voters: f.voters, Scanner: &f.scanner, Journal: opts.Journal, Check: f.sparing})
	f.final = final.New(final.Options{
		Chain: opts.Chain, Voters: f.voters, Usual: opts.Usual, Safe: opts.Safe, Head: f.head, Scanner: &f.scanner,
		Journal: opts.Journal, Write: f.write, Check: f.verified, News: func() int { return f.news }, Resumed: func() { f.swept = time.Time{} }, Log: opts.Log,
	})
	f.begun = opts.Begin == nil
	f.head.Begin(opts.First)
	f.final.Begin(opts.First)
	f.startAt(opts.First)
	cursors, err := opts.Journal.Cursors(ctx)
	for _, c := range cursors {
		switch {
		case c.Chain == opts.Chain && c.Pass == head.Pass:
			f.head.Resume(c.Number, true)
			f.begun = true
		case c.Chain == opts.Chain && c.Pass == final.Pass:
			f.final.Load(peer.Block{Number: c.Number, Hash: c.Hash})
		}
	}
	f.complete = f.final.Back() // those were read twice
	return f, errors.Join(err, f.final.Remember(ctx))
}

func (f *Follower) startAt(first uint64) {
	if first > 0 {
		f.head.Resume(first-1, false)
		f.final.Load(peer.Block{Number: first - 1})
	}
}

// begin finds the first block once. A chain that cannot be asked yet is asked in
// every round, and keeps no other from being followed.
func (f *Follower) begin(ctx context.Context) error {
	if f.begun {
		return nil
	}
	first, err := f.opts.Begin(ctx)
	if err != nil {
		return err
	}
	f.begun, f.opts.First = true, first
	f.head.Begin(first)
	f.final.Begin(first)
	if !f.final.Known() {
		f.startAt(first)
		f.complete = f.final.Back()
	}
	return nil
}

// State returns what is known now.
func (f *Follower) State() State {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.state
	s.Missing, s.Passed = slices.Clone(s.Missing), f.head.Passed()
	tags := f.final.State()
	s.Final, s.Safe, s.Disputed, s.Broken = tags.Block, tags.Safe, tags.Disputed, tags.Broken
	s.Gone += tags.Lost
	return s
}

func (f *Follower) set(change func(*State)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.state)
}

// Round reads what is new at the head, and has all that waits for proof judged.
// A part that fails does not stop the others.
func (f *Follower) Round(ctx context.Context) error {
	f.round.Lock()
	defer f.round.Unlock()
	if err := errors.Join(f.final.Resume(ctx), f.begin(ctx)); err != nil {
		return err
	}
	suspects, headErr := f.head.Look(ctx)
	due := time.Since(f.swept) >= f.opts.Sweep
	open, err := f.opts.Journal.FactsOpen(ctx, f.opts.Chain)
	if err != nil {
		return err
	}
	tagErr := f.final.Tags(ctx, open, due)
	if open, err = f.opts.Journal.FactsOpen(ctx, f.opts.Chain); err != nil {
		return err
	}
	proofErr := f.prove(ctx, open, suspects)
	f.watchTag(open)
	if due && errors.Join(headErr, tagErr) == nil {
		f.swept = time.Now()
		return errors.Join(proofErr, f.census(ctx))
	}
	return errors.Join(headErr, tagErr, proofErr)
}

// Holds returns the orders whose facts are in their blocks, by K endpoints, now.
func (f *Follower) Holds(ctx context.Context, facts []journal.Fact) (map[order.ID]bool, error) {
	return f.judge.Hold(ctx, facts)
}

// write records in one transaction and tells which orders have news.
func (f *Follower) write(ctx context.Context, fn func(*record.Book) error) error {
	var changed []order.ID
	err := f.opts.Write(ctx, func(tx journal.Tx) error {
		book := &record.Book{Tx: tx, Now: time.Now().UTC()}
		err := fn(book)
		changed = book.Changed()
		return err
	})
	if err == nil && len(changed) > 0 {
		f.news += len(changed)
		f.opts.Changed(changed...)
	}
	return err
}
