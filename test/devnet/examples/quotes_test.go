package examples_test

import (
	"math/big"
	"strings"
	"sync/atomic"
	"testing"

	"hubquote/test/devnet"
)

// landings counts the swaps that were paid to the recipient of the examples.
type landings struct{ count atomic.Int64 }

func (l *landings) add(swaps int64) { l.count.Add(swaps) }

func (l *landings) sum() *big.Int { return big.NewInt(l.count.Load() * 25_372_500) }

// arrived is how much USDC the recipient of the examples has on chain 8453.
func (n *newcomer) arrived(t *testing.T) *big.Int {
	t.Helper()
	for _, token := range n.stack.Catalog.Tokens() {
		if token.Chain == 8453 && token.Symbol == "USDC" {
			got, err := n.stack.Balance(t.Context(), token, devnet.Account(devnet.Bob).Address)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
	}
	t.Fatal("no USDC on chain 8453")
	return nil
}

// verifiesQuotes follows the first document to the letter: with curl, the command
// line, Go in an empty module, and TypeScript in an empty project. The folder is
// the one that the document has made.
func (n *newcomer) verifiesQuotes(t *testing.T) {
	d := read(t, n.path("hubquote"), "README.md")
	server := n.door(t, nil)
	a := n.attempt(t, "swap")
	t.Run("the first answer", func(t *testing.T) {
		b := d.find(t, "console", "$ curl")
		if got := a.do(t, b.commands(), server); !looksLike(b.output(), got) {
			t.Errorf("the answer is\n%s\nwant what %s shows", got, d.name)
		}
	})
	t.Run("the command line", func(t *testing.T) {
		_, commands, _ := strings.Cut(d.find(t, "console", "hubquote pins").commands(), "mkdir ../swap && cd ../swap\n")
		commands = strings.ReplaceAll(commands, "hubquote quote ", "hubquote quote --server "+server+" ")
		if out := a.do(t, commands, server); !strings.Contains(out, "every field and byte") {
			t.Errorf("it printed\n%s\nwant a verdict", out)
		}
	})
	t.Run("curl", func(t *testing.T) {
		if out := a.do(t, d.find(t, "console", "hubquote verify").commands(), server); !strings.Contains(out, "every field and byte") {
			t.Errorf("it printed\n%s\nwant a verdict", out)
		}
	})
	t.Run("Go", func(t *testing.T) {
		a.write(t, "main.go", strings.ReplaceAll(d.find(t, "go", "client.New").text, "http://127.0.0.1:8080", server))
		if out := a.do(t, d.find(t, "console", "go mod tidy").commands(), server); !strings.Contains(out, "25372500 units arrive: send 095ff22d") {
			t.Errorf("it printed\n%s\nwant the amount and the call", out)
		}
	})
	t.Run("TypeScript", func(t *testing.T) {
		a.write(t, "swap.mjs", strings.ReplaceAll(d.find(t, "js", "@hubquote/client").text, "http://127.0.0.1:8080", server))
		commands := strings.ReplaceAll(d.find(t, "console", "swap.cjs").commands(), "node swap.cjs", "node --no-experimental-require-module swap.cjs")
		if out := a.do(t, commands, server); strings.Count(out, "25372500 units arrive: send 0x095ff22d") != 2 {
			t.Errorf("it printed\n%s\nwant the amount and the call, twice", out)
		}
	})
}
