package examples_test

import (
	"math/big"
	"strings"
	"sync/atomic"
	"testing"
)

// landings counts the swaps that were paid to the recipient of the examples.
type landings struct{ count atomic.Int64 }

func (l *landings) add(swaps int64) { l.count.Add(swaps) }

func (l *landings) sum() *big.Int { return big.NewInt(l.count.Load() * 25_372_500) }

// verifiesQuotes follows the first document: with curl, the command line, Go in an
// empty module, and TypeScript in an empty project.
func (n *newcomer) verifiesQuotes(t *testing.T) {
	d := read(t, n.path("hubquote"), "README.md")
	server := n.door(t, nil)
	a := n.attempt(t, "quotes")
	t.Run("the first answer", func(t *testing.T) {
		b := d.find(t, "console", "$ curl")
		_, ask, _ := strings.Cut(b.commands(), "make run\n")
		if got := a.do(t, ask, server); !looksLike(b.output(), got) {
			t.Errorf("the answer is\n%s\nwant what %s shows", got, d.name)
		}
	})
	t.Run("the command line", func(t *testing.T) {
		commands := d.find(t, "console", "hubquote pins").commands()
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
		a.write(t, "main.go", goHead+d.find(t, "go", "client.New").text+goTail)
		commands := d.find(t, "console", "go mod tidy").commands()
		if out := a.do(t, strings.ReplaceAll(commands+"sed -i s,http://127.0.0.1:808[0],"+server+", main.go\ngo run .", "\n\n", "\n"), server); !strings.Contains(out, "25372500") {
			t.Errorf("it printed\n%s\nwant the amount", out)
		}
	})
	t.Run("TypeScript", func(t *testing.T) {
		code := strings.ReplaceAll(d.find(t, "js", "@hubquote/client").text, "http://127.0.0.1:8080", server) + "\nconsole.log(methodParameters.calldata.slice(0, 10), to)\n"
		a.write(t, "a.mjs", code)
		required := strings.NewReplacer("import {", "const {", "} from '", "} = require('", "promises'", "promises')", "client'\n", "client')\n")
		a.write(t, "a.cjs", "(async () => {\n"+required.Replace(code)+"})()\n")
		out := a.do(t, "npm install ../hubquote/bin/hubquote-client-3.0.0.tgz\nnode a.mjs\nnode --no-experimental-require-module a.cjs", server)
		if strings.Count(out, "0x095ff22d 0x") != 2 {
			t.Errorf("it printed\n%s\nwant the call, twice", out)
		}
	})
}

// A program around the lines of the document.
const (
	goHead = "package main\n\nimport (\n\t\"context\"\n\t\"log\"\n\n\t\"hubquote/client\"\n)\n\nfunc main() {\n\tctx := context.Background()\n"
	goTail = "\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\tlog.Println(quote.Received.Dec())\n}\n"
)
