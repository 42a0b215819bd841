// Package lens looks at the contracts of one chain, as enough of its nodes agree
// on them. One look is one eth_call for each node, and contract code is fetched
// only when its hash is new, and once an hour.
package lens

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/internal/contract"
	"hubquote/internal/pools/atlas"
	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
)

// A Sight is the contracts of one chain at one time.
type Sight struct {
	At    time.Time  // when the nodes were asked
	Block node.Block // at which enough of them agreed; the oldest when there were several calls
	Seen  map[*atlas.Contract]*Seen
}

// Keep takes over from an older sight what this one could not read, so that a node's
// refusal does not make a contract unknown before its time.
func (s *Sight) Keep(older *Sight) {
	if older == nil {
		return
	}
	for one, seen := range older.Seen {
		if s.Seen[one] == nil {
			s.Seen[one] = seen
		}
	}
}

// take makes the block that of the sight, unless it has an older one.
func (s *Sight) take(b node.Block) {
	if s.Block.Time.IsZero() || b.Time.Before(s.Block.Time) {
		s.Block = b
	}
}

// A Seen is one contract. When its code is not the artifact's, nothing in its
// snapshot is used.
type Seen struct {
	contract.Snapshot
	Code  error     // nil when the code is that of the contract
	At    time.Time // when the nodes were asked
	Block time.Time // of the block at which it was seen
}

// A Chain is the contracts of one network and the nodes that are asked. It is
// used by one goroutine.
type Chain struct {
	nodes   *quorum.Nodes
	batches []batch
	code    codes
}

// A batch is contracts that one call looks at.
type batch struct {
	contracts []*atlas.Contract
	data      string
}

// New returns the chain of these contracts.
func New(nodes *quorum.Nodes, contracts []*atlas.Contract) *Chain {
	c := &Chain{nodes: nodes, code: codes{}}
	for _, list := range split(contracts) {
		c.batches = append(c.batches, newBatch(list...))
	}
	return c
}

func newBatch(contracts ...*atlas.Contract) batch {
	var queries []contract.Query
	for _, one := range contracts {
		queries = append(queries, one.Query)
	}
	return batch{contracts, "0x" + hex.EncodeToString(contract.SnapshotCall(queries))}
}

// maxAnswer is less than what networks let a lens return, by the answer's fixed
// parts.
const maxAnswer = 24_000

// split makes batches whose answers are short enough to be returned.
func split(contracts []*atlas.Contract) (batches [][]*atlas.Contract) {
	size := maxAnswer
	for _, c := range contracts {
		n := answerSize(&c.Query)
		if size+n > maxAnswer {
			batches, size = append(batches, nil), 0
		}
		size += n
		last := len(batches) - 1
		batches[last] = append(batches[last], c)
	}
	return batches
}

// answerSize is how many bytes the lens returns for a query: its fixed fields,
// positions and lengths of the lists, and their entries.
func answerSize(q *contract.Query) int {
	const fixed, word = 62, 32
	lists := 5*len(q.Destinations) + 6*len(q.Sources) + 3*len(q.Remotes) + len(q.Domains) + len(q.Roles) + len(q.Treasury)
	return (fixed + lists) * word
}

// Look asks the nodes. The error says that none, or too few of them, agree.
func (c *Chain) Look(ctx context.Context) (*Sight, error) {
	s := &Sight{At: time.Now(), Seen: map[*atlas.Contract]*Seen{}}
	for _, b := range c.batches {
		err := c.lookAt(ctx, b, s)
		if errors.Is(err, node.Refused) {
			err = c.oneByOne(ctx, b.contracts, s)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (c *Chain) lookAt(ctx context.Context, b batch, s *Sight) error {
	snapshots, at, err := c.snapshots(ctx, b)
	if err != nil {
		return err
	}
	s.take(at)
	for i, one := range b.contracts {
		seen := &Seen{Snapshot: snapshots[i], At: s.At, Block: at.Time}
		if err := complete(&one.Query, &seen.Snapshot); err != nil {
			return err
		}
		if seen.Code, err = c.checkCode(ctx, one, &seen.Snapshot); err != nil {
			return err
		}
		s.Seen[one] = seen
	}
	return nil
}

func (c *Chain) snapshots(ctx context.Context, b batch) ([]contract.Snapshot, node.Block, error) {
	call := map[string]string{"data": b.data}
	answer, at, err := quorum.Ask(ctx, c.nodes, func(ctx context.Context, n quorum.Caller, at node.Block) (answer string, err error) {
		return answer, n.Call(ctx, &answer, "eth_call", call, at.ID())
	})
	if err != nil {
		return nil, at, err
	}
	bytes, err := hexutil.Decode(answer)
	if err != nil {
		return nil, at, upstream.Malformed
	}
	all, err := contract.ReadSnapshots(bytes, len(b.contracts))
	if err != nil {
		return nil, at, fmt.Errorf("%w: %w", upstream.Malformed, err)
	}
	return all.Snapshots, at, nil
}

// complete refuses an answer whose lists are not those of the query. Where there
// is no contract they are empty.
func complete(q *contract.Query, s *contract.Snapshot) error {
	if s.CodeHash == (common.Hash{}) {
		return nil
	}
	pool := q.Kind != contract.ReceiverKind
	ok := len(s.Destinations) == len(q.Destinations) && len(s.Roles) == len(q.Roles) &&
		(!pool || len(s.Sources) == len(q.Sources) && len(s.SpendableFrom) == len(q.Sources) && len(s.Remotes) == len(q.Remotes)) &&
		(pool || len(s.Places) == len(q.Domains))
	if !ok {
		return upstream.Malformed
	}
	return nil
}
