package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"hubquote/internal/command"
	"hubquote/internal/follow"
	"hubquote/internal/record"
	"hubquote/swap"
	"hubquote/test/fake"
)

// TestTrackExits checks the exit code and the words for each end.
func TestTrackExits(t *testing.T) {
	order := &swap.Order{SrcPlace: *uint256.NewInt(369), SrcPool: swap.Address{1}, Recipient: make([]byte, 20)}
	tx := swap.Hash{1}
	leg := func(kind swap.LegKind) swap.Leg { return swap.Leg{Kind: kind, Chain: 369, Tx: tx, Final: true} }
	for _, tt := range []struct {
		stage swap.Stage
		legs  []swap.Leg
		code  int
		say   string
	}{
		{swap.StageDone, []swap.Leg{leg(swap.LegDeposit), leg(swap.LegPayment)}, 0, "done, told"},
		{swap.StageRefunded, []swap.Leg{leg(swap.LegRefund)}, 3, "refunded, told"},
		{swap.StageClaimable, []swap.Leg{leg(swap.LegPayment)}, 4, "claimable, told"},
		{swap.StagePaying, []swap.Leg{leg(swap.LegDeposit)}, 5, "told: no node of this chain is given"},
		{swap.StageDone, []swap.Leg{leg(swap.LegDeposit)}, 1, "the status is not true"}, // without a payment
	} {
		answer := &swap.Tracking{AsOf: time.Unix(1, 0), Orders: []swap.Status{{ID: record.ID(order), Order: order, Stage: tt.stage, Legs: tt.legs}}}
		server := httptest.NewServer(fake.Says(answer))
		var out bytes.Buffer
		got := commands.Run([]string{"track", tx.String(), "--once", "--server", server.URL}, command.Std{In: os.Stdin, Out: &out, Err: &out, Env: func(string) (string, bool) { return "", false }})
		server.Close()
		if got != tt.code || !strings.Contains(out.String(), tt.say) {
			t.Errorf("%s with %d legs: exit %d and %q, want %d and %q", tt.stage, len(tt.legs), got, out.String(), tt.code, tt.say)
		}
	}
}

// TestTrackWantsProof checks that with nodes an end that is only told is an error.
func TestTrackWantsProof(t *testing.T) {
	order := &swap.Order{SrcPlace: *uint256.NewInt(369), SrcPool: swap.Address{1}, Recipient: make([]byte, 20)}
	tx := swap.Hash{1}
	node := httptest.NewServer(fake.RPC(func(context.Context, string, []json.RawMessage) string { return "null" })) // has nothing
	defer node.Close()
	leg := func(kind swap.LegKind, chain swap.ChainID) swap.Leg {
		return swap.Leg{Kind: kind, Chain: chain, Tx: tx, Final: true}
	}
	for _, tt := range []struct {
		name  string
		stage swap.Stage
		legs  []swap.Leg
		code  int
		say   string
	}{
		{"done, and the node has nothing", swap.StageDone, []swap.Leg{leg(swap.LegDeposit, 369), leg(swap.LegPayment, 369)}, 1, "your nodes do not show it"},
		{"done, on a chain without a node", swap.StageDone, []swap.Leg{leg(swap.LegDeposit, 369), leg(swap.LegPayment, 8453)}, 1, "give --rpc 8453=URL"},
		{"refunded", swap.StageRefunded, []swap.Leg{leg(swap.LegRefund, 369)}, 1, "your nodes do not show it"},
		{"claimable", swap.StageClaimable, []swap.Leg{leg(swap.LegPayment, 369)}, 1, "your nodes do not show it"},
		{"under way", swap.StagePaying, []swap.Leg{leg(swap.LegDeposit, 369)}, 5, "paying, told"},
	} {
		answer := &swap.Tracking{AsOf: time.Unix(1, 0), Orders: []swap.Status{{ID: record.ID(order), Order: order, Stage: tt.stage, Legs: tt.legs}}}
		server := httptest.NewServer(fake.Says(answer))
		var out bytes.Buffer
		got := commands.Run([]string{"track", tx.String(), "--once", "--server", server.URL, "--rpc", "369=" + node.URL}, command.Std{In: os.Stdin, Out: &out, Err: &out, Env: func(string) (string, bool) { return "", false }})
		server.Close()
		if got != tt.code || !strings.Contains(out.String(), tt.say) {
			t.Errorf("%s: exit %d and %q, want %d and %q", tt.name, got, out.String(), tt.code, tt.say)
		}
	}
}

// An answer that does not list all orders is no end.
func TestTrackSaysWhatIsOmitted(t *testing.T) {
	order := &swap.Order{SrcPlace: *uint256.NewInt(369), SrcPool: swap.Address{1}, Recipient: make([]byte, 20)}
	tx := swap.Hash{1}
	legs := []swap.Leg{{Kind: swap.LegDeposit, Chain: 369, Tx: tx, Final: true}, {Kind: swap.LegPayment, Chain: 8453, Tx: swap.Hash{2}, Final: true}}
	server := httptest.NewServer(fake.Says(&swap.Tracking{
		Orders: []swap.Status{{ID: record.ID(order), Order: order, Stage: swap.StageDone, Legs: legs}}, Omitted: 7,
	}))
	defer server.Close()
	var out bytes.Buffer
	got := commands.Run([]string{"track", tx.String(), "--server", server.URL}, command.Std{In: os.Stdin, Out: &out, Err: &out, Env: func(string) (string, bool) { return "", false }})
	if got != 1 || !strings.Contains(out.String(), "and 7 more orders of this transaction") {
		t.Errorf("exit %d and %q, want 1 and that 7 orders are not listed", got, out.String())
	}
}

// docs/tracking.md lists the exit codes.
func TestTrackExitsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/tracking.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "| exit code | the swap |\n|---|---|\n")
	table, _, _ := strings.Cut(after, "\n\n")
	var got []string
	for _, row := range strings.Split(table, "\n") {
		got = append(got, strings.Fields(row)[1])
	}
	want := []string{"0", fmt.Sprint(int(follow.Refunded)), fmt.Sprint(int(follow.Claimable)), fmt.Sprint(int(follow.GoesOn)), "1"}
	if !slices.Equal(got, want) {
		t.Errorf("docs/tracking.md has the exit codes %v, want %v", got, want)
	}
}

// A transaction that will never have an order ends the command, with the reason;
// so does a server that cannot answer at all.
func TestTrackWithoutAnOrder(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer http.Handler
		say    string
	}{
		{"reverted", fake.Says(&swap.Tracking{Reason: swap.WhyReverted}), "the transaction failed"},
		{"no order", fake.Says(&swap.Tracking{Reason: swap.WhyNoOrder}), "opened no order"},
		{"a burn that is none of ours", fake.Says(&swap.Tracking{Orders: []swap.Status{{Stage: swap.StageUnknown, Reason: swap.WhyNoOrder}}}), "opened no order"},
		{"no settler", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte(`{"code":"STATUS_UNAVAILABLE","detail":"this service has no settler to ask"}`))
		}), "no settler to ask"},
	} {
		var asked string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked = r.URL.RawQuery; tt.answer.ServeHTTP(w, r) }))
		var out bytes.Buffer
		got := commands.Run([]string{"track", (swap.Hash{1}).String(), "--chain", "369", "--server", server.URL}, command.Std{In: os.Stdin, Out: &out, Err: &out, Env: func(string) (string, bool) { return "", false }})
		server.Close()
		if got != 1 || !strings.Contains(out.String(), tt.say) || !strings.Contains(asked, "srcChain=369") {
			t.Errorf("%s: exit %d and %q after %s, want 1 and %q, with the chain as a hint", tt.name, got, out.String(), asked, tt.say)
		}
	}
}

// An answer that repeats the last one is no news.
func TestTrackPrintsNewsOnce(t *testing.T) {
	order := &swap.Order{SrcPlace: *uint256.NewInt(369), SrcPool: swap.Address{1}, Recipient: make([]byte, 20)}
	tx, asked := swap.Hash{1}, 0
	server := httptest.NewServer(fake.Status(func(*http.Request) *swap.Tracking {
		asked++
		s := swap.Status{ID: record.ID(order), Order: order, Stage: swap.StagePaying, Legs: []swap.Leg{{Kind: swap.LegDeposit, Chain: 369, Tx: tx}}}
		if asked == 3 {
			s.Stage, s.Mark.Step = swap.StageDone, 8
			s.Legs = append(s.Legs, swap.Leg{Kind: swap.LegPayment, Chain: 8453})
		}
		return &swap.Tracking{AsOf: time.Unix(int64(asked), 0), Orders: []swap.Status{s}}
	}))
	defer server.Close()
	var out bytes.Buffer
	got := commands.Run([]string{"track", tx.String(), "--server", server.URL}, command.Std{In: os.Stdin, Out: &out, Err: &out, Env: func(string) (string, bool) { return "", false }})
	if got != 0 || asked != 3 || strings.Count(out.String(), "paying") != 1 || strings.Count(out.String(), "done, told") != 1 {
		t.Errorf("exit %d after %d requests, and %q, want 0 after 3 and each news once", got, asked, out.String())
	}
}

func TestTrackRefusesArguments(t *testing.T) {
	for _, args := range [][]string{{"track"}, {"track", "0x12"}, {"track", (swap.Hash{}).String(), "more"}} {
		var out bytes.Buffer
		if got := commands.Run(args, command.Std{In: os.Stdin, Out: &out, Err: &out, Env: func(string) (string, bool) { return "", false }}); got != 1 || !strings.Contains(out.String(), "track:") {
			t.Errorf("%v: exit %d and %q, want 1 and what to write", args, got, out.String())
		}
	}
}
