package agent_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"hubquote/internal/record"
	"hubquote/swap"
	"hubquote/test/fake"
)

// Without a node everything is told, and what contradicts itself is an error. The
// devnet's tests have what is proved.
func TestTrack(t *testing.T) {
	made := &swap.Order{SrcPlace: *uint256.NewInt(369), SrcPool: swap.Address{1}, Recipient: make([]byte, 20)}
	tx := swap.Hash{1}
	deposit, payment := swap.Leg{Kind: swap.LegDeposit, Chain: 369, Tx: tx, Final: true}, swap.Leg{Kind: swap.LegPayment, Chain: 369, Tx: tx, Final: true}
	for _, tt := range []struct {
		name  string
		hash  string
		said  *swap.Tracking
		has   string
		fails bool
	}{
		{"what only the server says is told", tx.String(), about(made, swap.StageDone, deposit, payment), `"over":true,"status":"done","verdict":"told"`, false},
		{"each leg says why it is told", tx.String(), about(made, swap.StagePaying, deposit), `"verdict":"told","why":"no node of this chain is given"`, false},
		{"it says which chains have a node", tx.String(), about(made, swap.StagePaying, deposit), "Nodes are given for the chains []", false},
		{"a transaction without orders has a reason", tx.String(), &swap.Tracking{Reason: swap.WhyNotFound}, `"reason":"not_found"`, false},
		{"an end without a payment", tx.String(), about(made, swap.StageDone, deposit), "do not believe the server", true},
		{"an order of another transaction", (swap.Hash{2}).String(), about(made, swap.StagePaying, deposit), "do not believe the server", true},
		{"a hash that is none", "0x12", nil, "hash", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := httptest.NewServer(fake.Says(tt.said))
			defer server.Close()
			text, failed := connect(t, server.URL)("track", map[string]any{"txHash": tt.hash})
			if failed != tt.fails || !strings.Contains(text, tt.has) {
				t.Errorf("failed %t, want %t and %q in:\n%s", failed, tt.fails, tt.has, text)
			}
		})
	}
}

func about(made *swap.Order, stage swap.Stage, legs ...swap.Leg) *swap.Tracking {
	return &swap.Tracking{AsOf: time.Unix(1, 0), Orders: []swap.Status{{ID: record.ID(made), Order: made, Stage: stage, Legs: legs}}}
}

// A wait ends with the swap, or tells where the swap is when the time is over.
func TestTrackWaits(t *testing.T) {
	made := &swap.Order{SrcPlace: *uint256.NewInt(369), SrcPool: swap.Address{1}, Recipient: make([]byte, 20)}
	tx := swap.Hash{1}
	deposit, payment := swap.Leg{Kind: swap.LegDeposit, Chain: 369, Tx: tx}, swap.Leg{Kind: swap.LegPayment, Chain: 369, Tx: tx}
	paying, done := about(made, swap.StagePaying, deposit), about(made, swap.StageDone, deposit, payment)
	for _, tt := range []struct {
		name   string
		first  *swap.Tracking
		second *swap.Tracking
		wait   int
		has    string
		fails  bool
	}{
		{"it ends with the swap", paying, done, 300, `"status":"done"`, false},
		{"it ends when the time is over", paying, paying, 1, `"status":"paying"`, false},
		{"a wait that is too long", paying, done, 301, "0 to 300", true},
		{"a wait below zero", paying, done, -1, "0 to 300", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked := 0
			server := httptest.NewServer(fake.Status(func(*http.Request) *swap.Tracking {
				asked++
				if asked == 1 {
					return tt.first
				}
				return tt.second
			}))
			defer server.Close()
			text, failed := connect(t, server.URL)("track", map[string]any{"txHash": tx.String(), "waitSeconds": tt.wait})
			if failed != tt.fails || !strings.Contains(text, tt.has) {
				t.Errorf("failed %t, want %t and %q in:\n%s", failed, tt.fails, tt.has, text)
			}
		})
	}
}
