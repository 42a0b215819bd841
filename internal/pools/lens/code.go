package lens

import (
	"context"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"hubquote/internal/contract"
	"hubquote/internal/pools/atlas"
	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
)

// recheck is how long a comparison of code with its artifact is remembered.
const recheck = time.Hour

// codes are the code that was compared, by contract. What each round then expects
// is the hash of it.
type codes map[*atlas.Contract]compared

type compared struct {
	hash   common.Hash
	at     time.Time
	result error // nil when it is the contract's
}

// errNoLongerThere says that the code changed between two calls.
var errNoLongerThere = errors.New("the code that was fetched is not the one that was seen")

// checkCode compares the code of a contract with its artifact, unless code with
// this hash was compared before. The result is about the code; the error is about
// the nodes. While they do not give the code for the hourly comparison, the last one
// counts: the hash is the same, and pauses must be seen nevertheless.
func (c *Chain) checkCode(ctx context.Context, one *atlas.Contract, s *contract.Snapshot) (result, err error) {
	hash := common.Hash(s.CodeHash)
	if hash == (common.Hash{}) {
		return contract.ErrNoCode, nil
	}
	known, ok := c.code[one]
	if ok && known.hash == hash && time.Since(known.at) < recheck {
		return known.result, nil
	}
	code, _, err := c.fetch(ctx, one)
	switch {
	case err != nil && ok && known.hash == hash:
		return known.result, nil // the same code as then; it is fetched again in the next look
	case err != nil:
		return nil, err
	}
	if crypto.Keccak256Hash(code) != hash {
		return nil, errNoLongerThere
	}
	result = one.Code.CheckCode(code, one.Words(&s.Fixed))
	c.code[one] = compared{hash, time.Now(), result}
	return result, nil
}

func (c *Chain) fetch(ctx context.Context, one *atlas.Contract) ([]byte, node.Block, error) {
	text, at, err := quorum.Ask(ctx, c.nodes, func(ctx context.Context, node quorum.Caller, at node.Block) (code string, err error) {
		return code, node.Call(ctx, &code, "eth_getCode", one.Address, at.ID())
	})
	if err != nil {
		return nil, at, err
	}
	code, err := hexutil.Decode(text)
	if err != nil {
		return nil, at, upstream.Malformed
	}
	return code, at, nil
}

// oneByOne looks at each contract alone, after a call about all of them was
// refused: one that is not ours does not have the functions that are called. A
// contract that cannot be read is left out, unless its code says why.
func (c *Chain) oneByOne(ctx context.Context, contracts []*atlas.Contract, s *Sight) error {
	var errs []error
	for _, one := range contracts {
		err := c.lookAt(ctx, newBatch(one), s)
		if errors.Is(err, node.Refused) {
			err = c.explain(ctx, one, s)
		}
		errs = append(errs, err)
	}
	if len(s.Seen) == 0 {
		return errors.Join(errs...)
	}
	return nil
}

// errReverts says that a contract with our code cannot be read all the same, such as
// one whose token refuses to tell a balance.
var errReverts = errors.New("reverts when it is read")

// explain looks for the reason why a contract cannot be read in its code. If the
// code is ours and enough nodes agree that it reverts, it pays nobody. Any other
// refusal is the nodes' and says nothing about the contract.
func (c *Chain) explain(ctx context.Context, one *atlas.Contract, s *Sight) error {
	code, at, err := c.fetch(ctx, one)
	if err != nil {
		return err
	}
	result := one.Code.CheckCode(code, nil)
	if result == nil || errors.Is(result, contract.ErrOtherWord) {
		if at, err = c.reverts(ctx, one); err != nil {
			return err
		}
		result = errReverts
	}
	s.take(at)
	s.Seen[one] = &Seen{Code: result, At: s.At, Block: at.Time}
	return nil
}

// reverts returns the block at which enough nodes agree that reading a contract
// reverts, or an error.
func (c *Chain) reverts(ctx context.Context, one *atlas.Contract) (node.Block, error) {
	call := map[string]string{"data": newBatch(one).data}
	reverted, at, err := quorum.Ask(ctx, c.nodes, func(ctx context.Context, n quorum.Caller, at node.Block) (bool, error) {
		var answer string
		err := n.Call(ctx, &answer, "eth_call", call, at.ID())
		if _, reverted := errors.AsType[*node.Revert](err); reverted {
			return true, nil
		}
		return false, err
	})
	if err == nil && !reverted {
		err = node.Refused // just now: it is read again in the next look
	}
	return at, err
}
