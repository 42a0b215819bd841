package quorum

import (
	"errors"
	"time"

	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
)

// patience is how long a poll waits for agreement at the nodes' own latest blocks
// before it asks again at a block that all of them have.
const patience = 50 * time.Millisecond

var errNoQuorum = errors.New("no two endpoints gave the same answer at the same block")

// A poll is a lookup by vote. Every node votes at its own latest block as soon as
// that is known, because nodes that keep up have the same one. When no two of
// them do, or their votes differ or are late, all vote again at the newest block
// that two have in common, and then at older ones. The first value with enough votes
// is the answer; votes of the other nodes are then only compared with it.
type poll struct {
	*lookup
	start   time.Time
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
	result
}

func newPoll(l *lookup) *poll {
	p := &poll{lookup: l, start: time.Now(), events: make(chan event), counts: map[vote]int{}}
	for _, e := range l.nodes.endpoints {
		m, err := e.join()
		if err != nil {
			p.errs = append(p.errs, err)
			continue
		}
		p.members = append(p.members, m)
	}
	return p
}

func (p *poll) run() {
	for _, m := range p.members {
		p.askHead(m)
	}
	for p.heads+p.votes > 0 {
		select {
		case ev := <-p.events:
			p.take(ev)
		case <-p.waited:
			p.depth++
			p.waited = time.After(patience)
		}
		p.next()
		p.endIdle(false)
	}
	if p.agreed == nil {
		p.answer <- result{err: errors.Join(append(p.errs, errNoQuorum)...)}
	}
	p.endIdle(true)
}

func (p *poll) askHead(m *member) {
	p.heads++
	m.busy++
	go func() {
		head, err := m.latest(p.ctx)
		p.events <- event{m, true, result{block: head, err: err}}
	}()
}

// askVote asks m for its vote at a block, unless it was asked before.
func (p *poll) askVote(m *member, number uint64) {
	for _, n := range m.asked {
		if n == number {
			return
		}
	}
	m.asked = append(m.asked, number)
	p.votes++
	m.busy++
	go func() { p.events <- event{m, false, p.readAt(m, number)} }()
}

func (p *poll) take(ev event) {
	ev.from.busy--
	if ev.isHead {
		p.heads--
	} else {
		p.votes--
	}
	switch {
	case ev.err == errTooOld:
	case ev.err != nil:
		p.fail(ev.from, ev.err)
	case ev.isHead:
		ev.from.head = &ev.block
		if len(p.present()) == need {
			p.waited = time.After(min(time.Since(p.start), patience))
		}
	default:
		p.count(ev.from, ev.result)
	}
}

func (p *poll) fail(m *member, err error) {
	if m.err == nil {
		m.err = err
		p.errs = append(p.errs, m.named(err))
	}
}

func (p *poll) count(m *member, r result) {
	v := vote{r.block.Number, r.block.Hash, r.value}
	m.votes = append(m.votes, v)
	p.counts[v]++
	if p.agreed == nil && p.counts[v] == need {
		p.agreed = &v
		p.waited = nil
		p.answer <- r
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
	blocks := commonBlocks(numbers(present))
	if p.depth == 0 && p.heads == 0 && !shared(present) {
		p.depth = 1
	}
	p.askBlocks(present, blocks)
	for p.heads == 0 && p.votes == 0 && p.depth < len(blocks) {
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

func numbers(members []*member) (heads []uint64) {
	for _, m := range members {
		heads = append(heads, m.head.Number)
	}
	return heads
}

// askAll asks the members that may vote at block n to do so.
func (p *poll) askAll(members []*member, n uint64) {
	for _, m := range members {
		if inStep(m.head.Number, n) {
			p.askVote(m, n)
		}
	}
}

// endIdle ends the members that are no longer needed. Before an agreement, all of
// them are needed until the lookup is over.
func (p *poll) endIdle(over bool) {
	for _, m := range p.members {
		if !m.ended && m.busy == 0 && (over || p.agreed != nil) {
			m.end(p.verdict(m))
		}
	}
}

// verdict returns m's fault and whether m caused it. Without an agreement it is
// not known which of the nodes is wrong.
func (p *poll) verdict(m *member) (f upstream.Fault, blame bool) {
	switch {
	case m.err != nil:
		return m.failure()
	case p.agreed == nil && len(p.present()) == 1:
		return "", false
	case p.agreed == nil && p.compared(m):
		return Disagrees, false
	case p.agreed == nil:
		return node.OutOfStep, false
	}
	n := p.agreed.number
	switch {
	case m.votedFor(*p.agreed):
		return "", false
	case m.votedAt(n):
		return Disagrees, true
	case m.head.Number+maxApart < n || m.head.Number > n+maxApart:
		return node.OutOfStep, true
	}
	return "", false // a little behind, and not asked
}

// compared reports whether another member has voted at a block of m's.
func (p *poll) compared(m *member) bool {
	for _, other := range p.members {
		for _, v := range other.votes {
			if other != m && m.votedAt(v.number) {
				return true
			}
		}
	}
	return false
}
