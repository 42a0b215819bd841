package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"hubquote/internal/command"
	"hubquote/internal/record"
	"hubquote/internal/wire/tracking"
	"hubquote/swap"
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
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(tracking.New(answer)) }))
		var out bytes.Buffer
		got := commands.Run([]string{"track", tx.String(), "--once", "--server", server.URL}, command.Std{In: os.Stdin, Out: &out, Err: &out, Env: func(string) (string, bool) { return "", false }})
		server.Close()
		if got != tt.code || !strings.Contains(out.String(), tt.say) {
			t.Errorf("%s with %d legs: exit %d and %q, want %d and %q", tt.stage, len(tt.legs), got, out.String(), tt.code, tt.say)
		}
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
