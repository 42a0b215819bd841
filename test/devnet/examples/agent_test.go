package examples_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hubquote/test/devnet/evm"
)

// agentSwaps does what an agent does: it starts the program as the document says,
// asks for a quote, has a wallet send it, and tracks it until every leg is proved.
func (n *newcomer) agentSwaps(t *testing.T, landed *landings) {
	server := n.door(t, nil)
	a := n.attempt(t, "agent")
	a.do(t, "hubquote pins > pins.json", server)
	session := n.startAgent(t, a, server)
	from := newAccount(t)
	n.equip(t, "USDC@369", from, 1)

	var quoted struct {
		Verdict string
		Quote   struct {
			To               common.Address
			Approval         struct{ Calldata hexutil.Bytes }
			MethodParameters struct{ Calldata hexutil.Bytes }
		}
	}
	callTool(t, session, "quote", map[string]any{
		"from": "USDC@369", "to": "USDC@8453", "amount": "25.5", "recipient": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
	}, &quoted)
	chain, token := n.stack.Chains[369], n.route(t, "USDC@369").SrcToken.Address
	if _, err := chain.Send(t.Context(), from.Account, evm.Tx{To: common.Address(token), Data: quoted.Quote.Approval.Calldata}); err != nil {
		t.Fatal(err)
	}
	sent, err := chain.Send(t.Context(), from.Account, evm.Tx{To: quoted.Quote.To, Data: quoted.Quote.MethodParameters.Calldata})
	if err != nil {
		t.Fatal(err)
	}

	type status struct {
		Checked string
		Orders  []struct {
			Status, Verdict, Received string
			Legs                      []struct{ Kind, Verdict string }
		}
	}
	var got status
	callTool(t, session, "track", map[string]any{"txHash": sent.TxHash.Hex(), "waitSeconds": 240}, &got)
	if len(got.Orders) != 1 || got.Orders[0].Status != "done" {
		t.Fatalf("tracked as %+v, want one order that is done", got)
	}
	landed.add(1)
	if o := got.Orders[0]; o.Verdict != "proved" || o.Received != "25372500" || len(o.Legs) != 2 || o.Legs[0].Verdict != "proved" || o.Legs[1].Verdict != "proved" {
		t.Errorf("tracked as %+v, want it and both legs proved, and what was received", o)
	}
	if !strings.Contains(got.Checked, "[369 8453]") {
		t.Errorf("checked = %q, want the chains of the nodes", got.Checked)
	}
}

// startAgent starts the program of the document, with nodes, and connects to it.
func (n *newcomer) startAgent(t *testing.T, a *attempt, server string) *mcp.ClientSession {
	t.Helper()
	var config struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
		}
	}
	if err := json.Unmarshal([]byte(read(t, n.path("hubquote"), "README.md").find(t, "json", "mcpServers").text), &config); err != nil {
		t.Fatal(err)
	}
	told := config.MCPServers["hubquote"]
	told.Args[2] = a.folder + strings.TrimPrefix(told.Args[2], "/path/to/swap")
	args := append(told.Args, "--server", server, "--rpc", "369="+n.stack.Chains[369].URL, "--rpc", "8453="+n.stack.Chains[8453].URL)
	cmd := exec.Command(filepath.Join(n.home, strings.TrimPrefix(told.Command, "/path/to/")), args...)
	cmd.Dir, cmd.Env = t.TempDir(), a.env // an agent starts it anywhere
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func callTool(t *testing.T, s *mcp.ClientSession, tool string, args map[string]any, into any) {
	t.Helper()
	result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	text := result.Content[0].(*mcp.TextContent).Text
	if result.IsError {
		t.Fatalf("%s: %s", tool, text)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}
