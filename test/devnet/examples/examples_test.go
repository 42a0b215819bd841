package examples_test

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"hubquote/internal/contract"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/evm"
)

// What the documents tell newcomers to do works, from an empty folder on. One
// clone and one devnet serve all: they are most of the work.
func TestNewcomer(t *testing.T) {
	n := newNewcomer(t)
	documents := read(t, n.path("hubquote"), "examples/README.md")
	setup, _, _ := strings.Cut(read(t, n.path("hubquote"), "README.md").find(t, "console", "make build").commands(), "export PATH")
	if again := documents.find(t, "console", "make build").commands(); !strings.HasPrefix(again, setup) {
		t.Errorf("%s sets up with\n%s\nwant what README.md has:\n%s", documents.name, again, setup)
	}
	a := n.attempt(t, "setup")
	a.folder = n.path("hubquote")
	a.do(t, setup, "")

	before := n.arrived(t)
	var landed landings
	t.Run("together", func(t *testing.T) {
		for _, e := range examples {
			t.Run(e.name, func(t *testing.T) {
				t.Parallel()
				e.land(t, n, documents.find(t, "console", e.marker).commands(), &landed)
			})
		}
		t.Run("quotes", func(t *testing.T) {
			t.Parallel()
			n.verifiesQuotes(t)
		})
		t.Run("an agent", func(t *testing.T) {
			t.Parallel()
			n.agentSwaps(t, &landed)
		})
	})
	if got := new(big.Int).Sub(n.arrived(t), before); !t.Failed() && got.Cmp(landed.sum()) != 0 {
		t.Errorf("%s units arrived, want %s: 25.3725 of each swap", got, landed.sum())
	}
}

// An example is a file, and how it is run again once its folder is set up.
type example struct {
	name, marker string // of the block of commands
	file, again  string // empty: not again
	batch        bool   // sends its calls in one transaction
}

var examples = []example{
	{"viem", "examples/viem/", "viem/swap.mjs", "node swap.mjs", false},
	{"ethers", "cp ../hubquote/examples/ethers/", "ethers/swap.mjs", "node swap.mjs", false},
	{"CommonJS", "swap.cjs", "", "", false},
	{"Go", "examples/go/", "go/main.go", "go run .", false},
	{"cast", "examples/cast/", "cast/swap.sh", "sh swap.sh", false},
	{"a Safe", "examples/safe/", "safe/swap.mjs", "node swap.mjs", true},
}

// land follows the document, and then runs the file for other allowances and
// against a server that lies.
func (e example) land(t *testing.T, n *newcomer, commands string, landed *landings) {
	a := n.attempt(t, strings.ReplaceAll(e.name, " ", "-"))
	server := n.door(t, nil)
	from := newAccount(t)
	n.equip(t, "USDC@369", from, 3)
	sender := from.env(server, "369")
	a.env = append(a.env, sender...)

	out := a.do(t, commands, server)
	landed.add(1)
	e.expect(t, "the first time", out, 2)
	if e.again == "" {
		return
	}
	text, err := os.ReadFile(n.path("hubquote", "examples", e.file))
	if err != nil {
		t.Fatal(err)
	}
	name := e.file[strings.Index(e.file, "/")+1:]

	a.write(t, name, string(text))
	liar := n.door(t, func(body []byte) []byte { return bytes.ReplaceAll(body, []byte("70997970c5"), []byte("70997970c6")) })
	if out, err := a.try(e.again, liar); err == nil || strings.Contains(out, "mined") || !strings.Contains(out, "do not sign") {
		t.Errorf("a server that pays another: %v\n%s, want it refused and nothing sent", err, out)
	}
	if e.batch {
		e.landFromSafe(t, a, server, landed)
		return
	}
	n.allow(t, "USDC@369", from, 1_000_000_000)
	e.expect(t, "with an allowance", a.do(t, e.again, server), 1)
	landed.add(1)

	n.equip(t, "USDT@1", from, 1)
	n.allow(t, "USDT@1", from, 1) // which this token does not raise
	a.write(t, name, fromTether.Replace(string(text)))
	a.env = append(a.env, from.env(server, "1")...)
	e.expect(t, "with an allowance that is too small", a.do(t, e.again, server), 3)
}

// expect compares the number of transactions that were sent.
func (e example) expect(t *testing.T, when, out string, sent int) {
	t.Helper()
	if e.batch {
		sent = 1
	}
	if got := strings.Count(out, "mined: 0x"); got != sent || !strings.Contains(out, "verified: ") || !strings.Contains(out, "done") {
		t.Errorf("%s it sent %d transactions, want %d, verified and done:\n%s", when, got, sent, out)
	}
}

// fromTether makes the request of an example one for a token that wants its
// allowance reset.
var fromTether = strings.NewReplacer(
	"srcChain: '369', srcToken: 'USDC', dstChain: '8453'", "srcChain: '1', srcToken: 'USDT', dstChain: '369'",
	"srcChain=369&srcToken=USDC&dstChain=8453", "srcChain=1&srcToken=USDT&dstChain=369",
	"--from USDC@369 --to USDC@8453", "--from USDT@1 --to USDC@369", "CHAIN=369", "CHAIN=1",
)

// An account has a key that is told to an example.
type account struct {
	evm.Account
	key string
}

func newAccount(t *testing.T) account {
	t.Helper()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	return account{evm.NewAccount(key), "0x" + hex.EncodeToString(crypto.FromECDSA(key))}
}

func (a account) env(server, chain string) []string {
	return []string{"KEY=" + a.key, "RPC=" + server + "/devnet/rpc/" + chain, "WALLET=" + server + "/devnet/wallet/" + chain}
}

const deposit = 25_500_000

// equip gives an account what so many swaps take, and coins for gas.
func (n *newcomer) equip(t *testing.T, token string, to account, swaps int64) {
	t.Helper()
	r := n.route(t, token)
	if err := n.stack.Mint(t.Context(), r.SrcToken, to.Address, big.NewInt(deposit*swaps)); err != nil {
		t.Fatal(err)
	}
	coins := evm.Tx{To: common.Address(to.Address), Value: big.NewInt(1_000_000_000_000_000_000)}
	if _, err := n.stack.Chains[r.Src.Network].Send(t.Context(), devnet.Account(devnet.Treasury), coins); err != nil {
		t.Fatal(err)
	}
}

// allow makes an allowance for the contract that takes a token.
func (n *newcomer) allow(t *testing.T, token string, from account, amount int64) {
	t.Helper()
	r := n.route(t, token)
	_, err := n.stack.Chains[r.Src.Network].Send(t.Context(), from.Account, evm.Tx{
		To: common.Address(r.SrcToken.Address), Data: contract.Token.Call("approve", common.Address(r.Target), big.NewInt(amount)),
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (n *newcomer) route(t *testing.T, from string) *swap.Route {
	t.Helper()
	for _, r := range n.stack.Catalog.Routes() {
		if r.From().String() == from {
			return r
		}
	}
	t.Fatalf("no route from %s", from)
	return nil
}
