// Package poll takes a vote of several nodes: the value that enough of them have at
// the same block is the answer.
package poll

import (
	"context"
	"errors"
	"slices"
	"time"

	"hubquote/internal/quorum/endpoint"
	"hubquote/internal/quorum/heads"
	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
)

// Need is the number of nodes that must agree.
const Need = 2

// Disagrees is the fault of a node when others have another value at the same
// block.
const Disagrees upstream.Fault = "disagrees"

// A Reader reads a value from one node at a block. Values are compared with ==.
type Reader func(ctx context.Context, c endpoint.Caller, at node.Block) (any, error)

// A Result is a value with its block, or an error.
type Result struct {
	Block node.Block
	Value any
	Err   error
}

// patience is how long a poll waits for agreement at the nodes' own latest blocks
// before it asks again at a block that all of them have.
const patience = 50 * time.Millisecond

var errNoQuorum = errors.New("no two endpoints gave the same answer at the same block")

// A poll is one vote. Every node votes at its own latest block as soon as
// that is known, because nodes that keep up have the same one. When no two of
// them do, or their votes differ or are late, all vote again at the newest block
// that two have in common, and then at older ones. The first value with enough votes
// is the answer; votes of the other nodes are then only compared with it.
type poll struct {
	ctx     context.Context
	read    Reader
	lag     time.Duration // by which a block may be older than a node's latest one; negative for any
	patient bool          // older blocks are for when newer ones have failed
	answer  func(Result)
	start   time.Time
	spare   []*endpoint.Endpoint // not asked yet
	late    <-chan time.Time     // fires when one of these is asked because others are slow
	members []*member
	errs    []error
	events  chan event
	heads   int              // calls for a latest block under way
	votes   int              // calls for a vote under way
	waited  <-chan time.Time // fires when patience ends; nil before two heads are known
	depth   int              // how many of the common blocks votes are asked for at
	counts  map[vote]int
	agreed  *vote
}

// An event is an answer of one member: its latest block, or the value at a block.
type event struct {
	from   *member
	isHead bool
	Result
}

// Rules say how a vote is taken.
type Rules struct {
	// First is how many endpoints are asked at first. The others follow in turn,
	// each when the answer of those before is missing, late or not the same.
	First int

	// Lag is by how much a block at which a node votes may be older than its
	// latest one. A negative lag means any age.
	Lag time.Duration

	// Patient asks for votes at an older block only when all nodes have named
	// their latest one or failed to, and no vote at a newer block is under way.
	Patient bool
}

// Run asks all endpoints and calls answer once, as soon as enough of them agree or
// none can any more. It returns when the calls to slower nodes have ended.
func Run(ctx context.Context, endpoints []*endpoint.Endpoint, rules Rules, read Reader, answer func(Result)) {
	p := &poll{ctx: ctx, read: read, lag: rules.Lag, patient: rules.Patient, answer: answer, start: time.Now(), spare: endpoints, events: make(chan event), counts: map[vote]int{}}
	for range rules.First {
		p.more()
	}
	p.late = time.After(lateness)
	p.run()
}

func (p *poll) run() {
	for p.heads+p.votes > 0 {
		select {
		case ev := <-p.events:
			p.take(ev)
		case <-p.waited:
			p.deeper()
			p.waited = time.After(patience)
		case <-p.late:
			p.late = time.After(lateness)
			p.moreUnless(p.agreed != nil)
		}
		p.next()
		p.moreUnless(p.agreed != nil || p.heads+p.votes > 0)
		p.endIdle(false)
	}
	if p.agreed == nil {
		p.answer(Result{Err: errors.Join(append(p.errs, errNoQuorum)...)})
	}
	p.endIdle(true)
}

func (p *poll) askHead(m *member) {
	p.heads++
	m.busy++
	go func() {
		head, err := m.Latest(p.ctx)
		p.events <- event{m, true, Result{Block: head, Err: err}}
	}()
}

// askVote asks m for its vote at a block, unless it was asked before.
func (p *poll) askVote(m *member, number uint64) {
	if slices.Contains(m.asked, number) {
		return
	}
	m.asked = append(m.asked, number)
	p.votes++
	m.busy++
	told := p.told(number)
	go func() { p.events <- event{m, false, m.readAt(p.ctx, number, told, p.lag, p.read)} }()
}

// told returns the different blocks with that number that members have told as
// their latest ones.
func (p *poll) told(number uint64) (blocks []node.Block) {
	for _, m := range p.members {
		if m.head != nil && m.head.Number == number && !slices.ContainsFunc(blocks, func(b node.Block) bool { return b.Hash == m.head.Hash }) {
			blocks = append(blocks, *m.head)
		}
	}
	return blocks
}

func (p *poll) take(ev event) {
	ev.from.busy--
	if ev.isHead {
		p.heads--
	} else {
		p.votes--
	}
	switch {
	case ev.Err == errTooOld:
	case ev.Err != nil:
		p.fail(ev.from, ev.Err)
	case ev.isHead:
		ev.from.head = &ev.Block
		if len(p.present()) == Need && !p.patient {
			p.waited = time.After(min(time.Since(p.start), patience))
		}
	default:
		p.count(ev.from, ev.Result)
	}
}

func (p *poll) fail(m *member, err error) {
	if m.err == nil {
		m.err = err
		p.errs = append(p.errs, m.Named(err))
		p.moreUnless(p.agreed != nil)
	}
}

func (p *poll) count(m *member, r Result) {
	v := vote{r.Block.Number, r.Block.Hash, r.Value}
	m.votes = append(m.votes, v)
	p.counts[v]++
	if p.agreed == nil && p.counts[v] == Need {
		p.agreed = &v
		p.waited = nil
		p.answer(r)
	}
}

// present returns the members whose latest block is known and that have not
// failed.
func (p *poll) present() (list []*member) {
	for _, m := range p.members {
		if m.head != nil && m.err == nil {
			list = append(list, m)
		}
	}
	return list
}

// next asks for the votes that are needed now. After the agreement these are the
// votes that show which of the other nodes disagree.
func (p *poll) next() {
	present := p.present()
	if p.agreed != nil {
		p.askAll(present, p.agreed.number)
		return
	}
	for _, m := range present {
		p.askVote(m, m.head.Number)
	}
	blocks := heads.Common(headsOf(present), Need)
	if p.depth == 0 && p.heads == 0 && !heads.Shared(headsOf(present)) {
		p.depth = 1
		if p.more(); p.heads > 0 { // one that lags must not choose the block alone
			p.depth, p.waited = 0, time.After(patience)
		}
	}
	p.askBlocks(present, blocks)
	if p.heads == 0 && p.votes == 0 {
		p.deeper()
	}
}

// deeper asks for votes at the next of the common blocks at which a node has not
// been asked yet.
func (p *poll) deeper() {
	present := p.present()
	blocks, before := heads.Common(headsOf(present), Need), p.votes
	for p.votes == before && p.depth < len(blocks) {
		p.depth++
		p.askBlocks(present, blocks)
	}
}

// askBlocks asks for votes at as many of the blocks as depth says.
func (p *poll) askBlocks(members []*member, blocks []uint64) {
	for _, n := range blocks[:min(p.depth, len(blocks))] {
		p.askAll(members, n)
	}
}

// askAll asks the members that may vote at block n to do so.
func (p *poll) askAll(members []*member, n uint64) {
	for _, m := range members {
		if heads.InStep(m.head.Number, n) {
			p.askVote(m, n)
		}
	}
}
