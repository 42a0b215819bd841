// Package lane decides what a key's transactions carry and when they are
// replaced. Tasks that are packed together never use up more than the world has
// left, although each was decided without the others.
package lane

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// Gas bounds a kind of call.
type Gas struct {
	Base, PerOrder uint64
	Cap            uint64 // the largest gas limit that is ever signed
}

// room returns how many orders fit into one call.
func (g Gas) room() int {
	if g.PerOrder == 0 || g.Cap < g.Base+g.PerOrder {
		return 1
	}
	return int((g.Cap - g.Base) / g.PerOrder)
}

// A Batch is one transaction to make.
type Batch struct {
	Kind  order.Kind
	At    order.Pool
	Tasks []step.Task
}

// Pack makes transactions of the steps that send something: the urgent first,
// then those with the earliest deadline. Free is how many more transactions may
// be in flight on each chain. What does not fit is left for the next round.
func Pack(steps []step.Step, w world.World, gas func(order.Kind, order.Pool) Gas, free map[swap.ChainID]int) []Batch {
	p := packer{maps.Clone(w.Left), gas, maps.Clone(free), nil}
	for _, t := range sorted(steps) {
		p.add(t)
	}
	return p.batches
}

func sorted(steps []step.Step) (tasks []step.Task) {
	for _, s := range steps {
		if s.Do == step.Send {
			tasks = append(tasks, *s.Send)
		}
	}
	slices.SortFunc(tasks, func(a, b step.Task) int {
		if a.Urgent != b.Urgent {
			return map[bool]int{true: -1, false: 1}[a.Urgent]
		}
		return cmp.Or(a.Due.Compare(b.Due), bytes.Compare(a.Order[:], b.Order[:]))
	})
	return tasks
}

type packer struct {
	left    map[world.Budget]swap.Amount
	gas     func(order.Kind, order.Pool) Gas
	free    map[swap.ChainID]int
	batches []Batch
}

func (p *packer) add(t step.Task) {
	b := p.open(t)
	if b == nil && p.free[t.At.Chain] <= 0 || !p.draw(t, b == nil) {
		return
	}
	if b == nil {
		p.free[t.At.Chain]--
		p.batches = append(p.batches, Batch{Kind: t.Kind, At: t.At})
		b = &p.batches[len(p.batches)-1]
	}
	b.Tasks = append(b.Tasks, t)
}

// open returns a batch that the task may join, if there is one.
func (p *packer) open(t step.Task) *Batch {
	if !joins(t) {
		return nil
	}
	for i := range p.batches {
		b := &p.batches[i]
		if b.Kind == t.Kind && b.At == t.At && joins(b.Tasks[0]) && len(b.Tasks) < p.gas(t.Kind, t.At).room() {
			return b
		}
	}
	return nil
}

// joins reports whether the contract has a call that takes several of these.
func joins(t step.Task) bool { return !t.Alone && (t.Kind == order.Pay || t.Kind == order.Release) }

// draw takes the task's needs from what is left, all or none. A batch pays for
// one call, however many tasks it carries.
func (p *packer) draw(t step.Task, first bool) bool {
	rest := map[world.Budget]swap.Amount{}
	for _, n := range t.Needs {
		if n.Budget.Limit == world.Calls && !first {
			continue
		}
		left, known := p.left[n.Budget]
		if !known || left.Lt(&n.Amount) {
			return false
		}
		rest[n.Budget] = *new(swap.Amount).Sub(&left, &n.Amount)
	}
	maps.Copy(p.left, rest)
	return true
}
