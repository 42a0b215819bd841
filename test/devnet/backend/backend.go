// Package backend has the settings with which the settler runs on local chains:
// it looks as often as tests are impatient, and trusts the one node of each
// chain. What runs is the settler that operators run.
package backend

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"hubquote/internal/catalog"
	"hubquote/internal/settle/budget"
	"hubquote/internal/settle/policy/burn"
	"hubquote/internal/settle/sign"
	"hubquote/internal/settler"
	"hubquote/internal/settler/term"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/evm"
)

// Pace is how often a settler looks at local chains.
func Pace() term.Pace {
	const often = 100 * time.Millisecond
	issue := burn.Standard()
	issue.First, issue.Last, issue.Margin = often, time.Second, 10
	return term.Pace{
		Watch: often, Source: 2 * often, Lane: often, Round: often, Gap: often / 10, Again: 2 * often, Sweep: time.Second, Reread: 5 * time.Second, Local: true,
		Issue: issue,
	}
}

// feeCap is far above what local chains ask for.
const feeCap = 1000 * params.GWei

// Options are those of a settler for running chains, with its journal in a
// directory and the account's key.
func Options(n *devnet.Net, issuer, dir string, account evm.Account, log *slog.Logger) (settler.Options, error) {
	nodes := map[swap.ChainID][]string{}
	for id, c := range n.Chains {
		nodes[id] = []string{c.URL}
	}
	return Local(n.Catalog, nodes, issuer, dir, account, log)
}

// Local are the same for chains behind other endpoints.
func Local(cat *catalog.Catalog, nodes map[swap.ChainID][]string, issuer, dir string, account evm.Account, log *slog.Logger) (settler.Options, error) {
	o := settler.Options{
		Generations: []*catalog.Catalog{cat}, RPC: map[swap.ChainID][]upstream.URL{}, TrustOne: true, Some: true, MaxBlockAge: -1,
		PerSecond: 1000, Journal: filepath.Join(dir, "journal.db"), Keys: []sign.Key{Key(account)}, FeeCaps: map[swap.ChainID]swap.Amount{},
		Limits: budget.Limits{Losses: map[swap.ChainID]uint64{}}, Pace: Pace(), Holder: "devnet", Log: log,
	}
	var err error
	if o.Issuer, err = upstream.Parse(issuer); err != nil {
		return o, err
	}
	for id, urls := range nodes {
		o.FeeCaps[id] = *uint256.NewInt(feeCap)
		o.Limits.Losses[id] = 1000
		for _, text := range urls {
			url, err := upstream.Parse(text)
			if err != nil {
				return o, err
			}
			o.RPC[id] = append(o.RPC[id], url)
		}
	}
	return o, nil
}

// Key is the key of an account of the devnet, which is public knowledge.
func Key(a evm.Account) sign.Key { return key{a} }

type key struct{ account evm.Account }

func (k key) Address() swap.Address { return k.account.Address }

func (k key) Sign(_ context.Context, tx *types.Transaction) ([]byte, error) {
	signer := types.LatestSignerForChainID(tx.ChainId())
	signature, err := k.account.Sign(common.Hash(signer.Hash(tx)))
	if err != nil {
		return nil, err
	}
	signed, err := tx.WithSignature(signer, signature)
	if err != nil {
		return nil, err
	}
	return signed.MarshalBinary()
}
