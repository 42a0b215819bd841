package poll

import (
	"hubquote/internal/quorum/heads"
	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
)

// endIdle ends the members that are no longer needed. Before an agreement, all of
// them are needed until the lookup is over.
func (p *poll) endIdle(over bool) {
	for _, m := range p.members {
		if !m.ended && m.busy == 0 && (over || p.agreed != nil) {
			m.ended = true
			m.End(p.verdict(m))
		}
	}
}

// verdict returns m's fault and whether m caused it. Without an agreement it is
// not known which of the nodes is wrong.
func (p *poll) verdict(m *member) (f upstream.Fault, blame bool) {
	switch {
	case m.err != nil:
		return m.Failure(m.err)
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
	case heads.OutOfStep(m.head.Number, n):
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
