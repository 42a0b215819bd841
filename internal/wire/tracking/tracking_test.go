package tracking_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"

	"hubquote/internal/wire/tracking"
	"hubquote/swap"
)

func example() *swap.Tracking {
	at := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	return &swap.Tracking{
		AsOf: at, Stale: true, Looked: []swap.Looked{{Chain: 369, Head: 12, Final: 10}},
		Orders: []swap.Status{
			{Stage: swap.StageAttesting, Reason: "issuer", Mark: swap.Mark{Step: 1}, Since: at, Legs: []swap.Leg{{Kind: swap.LegBurn, Chain: 10, Tx: swap.Hash{3}}}},
			{
				ID: swap.Hash{1}, Stage: swap.StageClaimable, Mark: swap.Mark{Revision: 1, Step: 6}, Since: at, ETA: at.Add(time.Minute), Delayed: true,
				Deposited: *uint256.NewInt(5), Pays: *uint256.NewInt(4),
				Order: &swap.Order{
					SrcPlace: *uint256.NewInt(369), SrcPool: swap.Address{1}, RefundTo: swap.Address{2}, Nonce: *uint256.NewInt(9), SrcDecimals: 6,
					Amount: *uint256.NewInt(5), DstPlace: *uint256.NewInt(8453), DstPool: swap.Address{3}, DstToken: swap.Address{4}, Rate: 3000,
					Integrator: swap.IntegratorID{5}, RecipientType: 2, Recipient: []byte{6, 7}, Deadline: 8,
				},
				Legs:   []swap.Leg{{Kind: swap.LegDeposit, Chain: 369, Tx: swap.Hash{4}, Block: 11, BlockHash: swap.Hash{5}, Time: at, Final: true}},
				Action: &swap.Action{Kind: "claim", Chain: 8453, To: swap.Address{3}, Data: []byte{1}, After: at},
			},
		},
	}
}

func TestParseReadsWhatNewWrites(t *testing.T) {
	text, err := json.Marshal(tracking.New(example()))
	if err != nil {
		t.Fatal(err)
	}
	got, err := tracking.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(example(), got); diff != "" {
		t.Errorf("Parse(New(t)) (-want +got):\n%s", diff)
	}
}

func TestParseRefuses(t *testing.T) {
	text, err := json.Marshal(tracking.New(example()))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, old, new string }{
		{"an unknown status", `"claimable"`, `"finished"`},
		{"a mark that is not the sum", `"revision":1,"step":7`, `"revision":1,"step":8`},
		{"a number with a leading zero", `"nonce":"9"`, `"nonce":"09"`},
		{"a number below zero", `"deposited":"5"`, `"deposited":"-5"`},
		{"a short hash", `"txHash":"0x0300`, `"txHash":"0x03`},
		{"half a byte", `"data":"0x01"`, `"data":"0x1"`},
		{"bytes without 0x", `"recipient":"0x0607"`, `"recipient":"0607"`},
		{"a repeated key", `"delayed":true`, `"delayed":true,"delayed":false`},
		{"an order without amounts", `"amounts":{"deposited":"5","pays":"4"},`, ``},
		{"text after the answer", `{"asOf"`, `{} {"asOf"`},
	} {
		bad := strings.Replace(string(text), tt.old, tt.new, 1)
		if bad == string(text) {
			t.Fatalf("%s: %s is not in %s", tt.name, tt.old, text)
		}
		if got, err := tracking.Parse([]byte(bad)); err == nil {
			t.Errorf("%s: Parse = %+v, want an error", tt.name, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	text, _ := json.Marshal(tracking.New(example()))
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := tracking.Parse(text)
		if err != nil {
			return
		}
		again, err := json.Marshal(tracking.New(got))
		if err != nil {
			return // a year that JSON cannot show
		}
		back, err := tracking.Parse(again)
		if err != nil {
			t.Fatalf("Parse of %s: %v, want what was read", again, err)
		}
		if diff := cmp.Diff(got, back, cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })); diff != "" {
			t.Errorf("read again (-first +second):\n%s", diff)
		}
	})
}
