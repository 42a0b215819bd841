package swap_test

import (
	"errors"
	"strings"
	"testing"

	"hubquote/swap"
	"hubquote/test/zk"
)

func TestParseRecipient(t *testing.T) {
	private := zk.Vectors(t)[0].Address
	tests := []struct {
		name, text string
		want       string // its spelling
		private    bool
	}{
		{"an EVM address", checksummed[0], checksummed[0], false},
		{"an EVM address in lower case", strings.ToLower(checksummed[0]), checksummed[0], false},
		{"a private address", private, private, true},
		{"a private address in capitals", strings.ToUpper(private), private, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := swap.ParseRecipient(tt.text)
			if err != nil || r.String() != tt.want || r.IsPrivate() != tt.private || r.IsZero() || r.IsSender() {
				t.Fatalf("ParseRecipient(%s) = %v, %v, want %s, private: %t", tt.text, r, err, tt.want, tt.private)
			}
			if r.Address().IsZero() != tt.private || r.Private().IsZero() == tt.private {
				t.Errorf("address = %s and private address = %q, want one of them", r.Address(), r.Private())
			}
			if again := swap.MustRecipient(tt.want); again != r {
				t.Errorf("%s and %s are different recipients, want the same", tt.text, tt.want)
			}
		})
	}
}

func TestParseRecipientRefuses(t *testing.T) {
	tests := []struct {
		name, text string
		want       swap.Code // Internal when the caller decides
	}{
		{"nothing", "", swap.Internal},
		{"a name", "alice.eth", swap.Internal},
		{"the zero address", "0x0000000000000000000000000000000000000000", swap.RecipientZero},
		{"a private address that is cut off", "0zk1", swap.ZKLength},
		{"a prefix in mixed case", "0ZK1", swap.ZKLength},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := swap.ParseRecipient(tt.text)
			if err == nil || swap.CodeOf(err) != tt.want || !r.IsZero() {
				t.Errorf("ParseRecipient(%q) = %v, %v, want no recipient and code %s", tt.text, r, err, tt.want)
			}
		})
	}
	if _, err := swap.ParseRecipient(checksummed[0][:41] + "e"); !errors.Is(err, swap.ErrChecksum) {
		t.Errorf("ParseRecipient with a wrong digit: error = %v, want %v", err, swap.ErrChecksum)
	}
}

func TestParseRefundTo(t *testing.T) {
	a, err := swap.ParseRefundTo(strings.ToLower(checksummed[0]))
	if err != nil || a.String() != checksummed[0] {
		t.Errorf("ParseRefundTo = %s, %v, want %s", a, err, checksummed[0])
	}
	for text, want := range map[string]swap.Code{
		"0x0000000000000000000000000000000000000000": swap.RefundToZero,
		"": swap.Internal, "0x12": swap.Internal, "0zk1": swap.Internal, checksummed[0][:41] + "e": swap.Internal, // the caller decides
	} {
		if a, err := swap.ParseRefundTo(text); err == nil || swap.CodeOf(err) != want || !a.IsZero() {
			t.Errorf("ParseRefundTo(%q) = %s, %v, want no address and code %s", text, a, err, want)
		}
	}
}

// An account for refunds is named on routes through a pool, and not for a burn.
func TestCheckRefundTo(t *testing.T) {
	account := swap.MustAddress(checksummed[0])
	for _, tt := range []struct {
		kind    swap.RouteKind
		account swap.Address
		refused bool
	}{
		{swap.Direct, account, false},
		{swap.Direct, swap.Address{}, false},
		{swap.CCTPInbound, swap.Address{}, false},
		{swap.CCTPInbound, account, true},
	} {
		err := (&swap.Route{Kind: tt.kind}).CheckRefundTo(tt.account)
		if (err != nil) != tt.refused || err != nil && swap.CodeOf(err) != swap.RefundUnsupported {
			t.Errorf("%s with %s: error = %v, want one: %t", tt.kind, tt.account, err, tt.refused)
		}
	}
}

func TestSender(t *testing.T) {
	r := swap.Sender()
	if !r.IsSender() || r.IsZero() || r.IsPrivate() || !r.Address().IsZero() {
		t.Errorf("Sender() = %+v, want a recipient with the zero address", r)
	}
}
