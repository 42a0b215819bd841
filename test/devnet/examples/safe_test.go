package examples_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"math/big"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/deployment/creation"
	"hubquote/test/devnet"
	"hubquote/test/devnet/batch"
	"hubquote/test/devnet/evm"
)

// The devnet's wallet stands in for a Safe. So that the example holds for a real
// one, the same file swaps again from a Safe of two owners, which is made of the
// contracts that its makers publish.
func (e example) landFromSafe(t *testing.T, a *attempt, server string, landed *landings) {
	t.Helper()
	a.do(t, "npm install @safe-global/safe-smart-account@1.5.0", server)
	chain := a.stack.Chains[369]
	s := newSafe(t, chain, filepath.Join(a.folder, "node_modules/@safe-global/safe-smart-account/build/artifacts/contracts"))
	if err := a.stack.Mint(t.Context(), a.route(t, "USDC@369").SrcToken, [20]byte(s.address), big.NewInt(deposit)); err != nil {
		t.Fatal(err)
	}
	node, err := url.Parse(chain.URL)
	if err != nil {
		t.Fatal(err)
	}
	wallet := httptest.NewServer(&batch.Wallet{Chain: chain, Node: httputil.NewSingleHostReverseProxy(node), Account: s.address, Execute: s.execute})
	t.Cleanup(wallet.Close)
	a.env = append(a.env, "WALLET="+wallet.URL)
	e.expect(t, "from a Safe", a.do(t, e.again, server), 1)
	landed.add(1)
}

// A safe is one with two owners, both of whom must sign.
type safe struct {
	chain             *evm.Chain
	owners            []account // in the order of their addresses, as signatures must be
	address, splitter common.Address
	abi, splitterABI  abi.ABI
}

func newSafe(t *testing.T, chain *evm.Chain, artifacts string) *safe {
	t.Helper()
	s := &safe{chain: chain, owners: []account{newAccount(t), newAccount(t)}}
	slices.SortFunc(s.owners, func(a, b account) int { return bytes.Compare(a.Address[:], b.Address[:]) })
	var singleton, factory common.Address
	var factoryABI abi.ABI
	singleton, s.abi = deployArtifact(t, chain, filepath.Join(artifacts, "Safe.sol/Safe.json"))
	factory, factoryABI = deployArtifact(t, chain, filepath.Join(artifacts, "proxies/SafeProxyFactory.sol/SafeProxyFactory.json"))
	s.splitter, s.splitterABI = deployArtifact(t, chain, filepath.Join(artifacts, "libraries/MultiSendCallOnly.sol/MultiSendCallOnly.json"))
	none := common.Address{}
	owners := []common.Address{common.Address(s.owners[0].Address), common.Address(s.owners[1].Address)}
	setup := pack(t, s.abi, "setup", owners, big.NewInt(2), none, []byte{}, none, none, new(big.Int), none)
	create := evm.Tx{To: factory, Data: pack(t, factoryABI, "createProxyWithNonce", singleton, setup, new(big.Int))}
	answer, err := chain.Call(t.Context(), create.To, create.Data)
	if err != nil {
		t.Fatal(err)
	}
	s.address = common.BytesToAddress(answer)
	if _, err := chain.Send(t.Context(), devnet.Account(devnet.Treasury), create); err != nil {
		t.Fatal(err)
	}
	return s
}

// execute has both owners sign the calls, and any account send them.
func (s *safe) execute(ctx context.Context, calls []batch.Call) (*types.Receipt, error) {
	var packed []byte
	for _, c := range calls {
		packed = append(append(packed, 0), c.To[:]...) // 0 is a call, and no delegatecall
		packed = append(packed, common.BigToHash(c.Value).Bytes()...)
		packed = append(packed, make([]byte, 24)...)
		packed = append(binary.BigEndian.AppendUint64(packed, uint64(len(c.Data))), c.Data...)
	}
	split, err := s.splitterABI.Pack("multiSend", packed)
	if err != nil {
		return nil, err
	}
	const delegated = uint8(1) // only so are the calls the Safe's own
	none, zero := common.Address{}, new(big.Int)
	fields := []any{s.splitter, zero, split, delegated, zero, zero, zero, none, none}
	signatures, err := s.sign(ctx, append(slices.Clone(fields), zero)) // its first transaction
	if err != nil {
		return nil, err
	}
	data, err := s.abi.Pack("execTransaction", append(fields, signatures)...)
	if err != nil {
		return nil, err
	}
	return s.chain.Send(ctx, devnet.Account(devnet.Treasury), evm.Tx{To: s.address, Data: data})
}

func (s *safe) sign(ctx context.Context, fields []any) ([]byte, error) {
	ask, err := s.abi.Pack("getTransactionHash", fields...)
	if err != nil {
		return nil, err
	}
	hash, err := s.chain.Call(ctx, s.address, ask)
	if err != nil {
		return nil, err
	}
	var signatures []byte
	for _, owner := range s.owners {
		signature, err := owner.Sign(common.BytesToHash(hash))
		if err != nil {
			return nil, err
		}
		signature[64] += 27
		signatures = append(signatures, signature...)
	}
	return signatures, nil
}

// deployArtifact deploys a contract as it was published.
func deployArtifact(t *testing.T, chain *evm.Chain, file string) (common.Address, abi.ABI) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var artifact struct {
		ABI      abi.ABI
		Bytecode hexutil.Bytes
	}
	if err := json.Unmarshal(text, &artifact); err != nil {
		t.Fatal(err)
	}
	create := evm.Tx{To: creation.Deployer, Data: append(make([]byte, 32), artifact.Bytecode...)}
	address, err := chain.Call(t.Context(), create.To, create.Data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chain.Send(t.Context(), devnet.Account(devnet.Treasury), create); err != nil {
		t.Fatal(err)
	}
	return common.BytesToAddress(address), artifact.ABI
}

func pack(t *testing.T, of abi.ABI, function string, args ...any) []byte {
	t.Helper()
	data, err := of.Pack(function, args...)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
