package attest_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hubquote/internal/settle/attest"
	"hubquote/internal/settle/message"
	"hubquote/internal/settle/order"
	"hubquote/internal/upstream"
	"hubquote/test/fake"
)

const canary = "SECRETKEY123"

var tx = order.Hash{7}

func client(t testing.TB, h http.Handler) *attest.Client {
	t.Helper()
	u, err := upstream.Parse("http://issuer/" + canary)
	if err != nil {
		t.Fatal(err)
	}
	c, err := attest.New(attest.Options{URL: u, Transport: fake.Network{"issuer": h}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// signed is a message about a burn of so much, with a nonce.
func signed(amount, nonce byte) message.Message {
	m := make(message.Message, 376)
	m[3], m[151], m[247], m[43] = 1, 1, amount, nonce
	return m
}

func TestAsk(t *testing.T) {
	hex := fmt.Sprintf("0x%x", []byte(signed(5, 1)))
	entry := func(version int, status, message, attestation, delay string) string {
		return fmt.Sprintf(`{"messages":[{"cctpVersion":%d,"status":%q,"message":%s,"attestation":%s,"delayReason":%s,"eventNonce":"1"}]}`, version, status, message, attestation, delay)
	}
	complete := attest.Entry{Message: signed(5, 1), Attestation: []byte{0xab}}
	for _, tt := range []struct {
		name   string
		answer string
		want   []attest.Entry
		err    error
	}{
		{"complete", entry(2, "complete", `"`+hex+`"`, `"0xab"`, "null"), []attest.Entry{complete}, nil},
		{"pending as documented", entry(2, "pending_confirmations", `"0x"`, `"PENDING"`, "null"), []attest.Entry{{}}, nil},
		{"pending as seen", entry(2, "pending_confirmations", "null", "null", "null"), []attest.Entry{{}}, nil},
		{"late because of its fee", entry(2, "pending_confirmations", "null", "null", `"insufficient_fee"`), []attest.Entry{{Delay: attest.DelayFee}}, nil},
		{"late because of its amount", entry(2, "pending_confirmations", "null", "null", `"amount_above_max"`), []attest.Entry{{Delay: attest.DelayAmount}}, nil},
		{"late because of the allowance", entry(2, "pending_confirmations", "null", "null", `"insufficient_allowance_available"`), []attest.Entry{{Delay: attest.DelayAllowance}}, nil},
		{"late for a new reason, whose text is not kept", entry(2, "pending_confirmations", "null", "null", `"`+canary+`"`), []attest.Entry{{Delay: attest.DelayOther}}, nil},
		{"of the first version", entry(1, "complete", `"`+hex+`"`, `"0xab"`, "null"), nil, nil},
		{"both versions mixed", strings.Replace(entry(2, "complete", `"`+hex+`"`, `"0xab"`, "null"), `[{`, `[{"cctpVersion":1,"status":"complete","message":"0x00","attestation":"0x01","eventNonce":"1"},{`, 1), []attest.Entry{complete}, nil},
		{"complete without a nonce", entry(2, "complete", fmt.Sprintf(`"0x%x"`, []byte(signed(5, 0))), `"0xab"`, "null"), nil, nil},
		{"complete, not a burn", entry(2, "complete", `"0x00000001"`, `"0xab"`, "null"), nil, nil},
		{"complete without a signature", entry(2, "complete", `"`+hex+`"`, `"PENDING"`, "null"), nil, nil},
		{"complete with an empty signature", entry(2, "complete", `"`+hex+`"`, `"0x"`, "null"), nil, nil},
		{"no messages", `{"messages":[]}`, nil, nil},
		{"not an answer", `{}`, nil, upstream.Malformed},
		{"HTML", `<title>` + canary, nil, upstream.Malformed},
		{"empty", ``, nil, upstream.Malformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := client(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, tt.answer) }))
			got, err := c.Ask(t.Context(), 3, tx)
			if diff := cmp.Diff(tt.want, got); diff != "" || err != tt.err {
				t.Errorf("Ask: error %v, want %v; entries (-want +got):\n%s", err, tt.err, diff)
			}
		})
	}
}

func TestAMissingTransactionIsAnAnswer(t *testing.T) {
	issuer := fake.NewAttester()
	c := client(t, issuer)
	if got, err := c.Ask(t.Context(), 3, tx); got != nil || err != nil {
		t.Errorf("Ask = %v, %v, want nothing", got, err)
	}
	want := "GET /" + canary + "/v2/messages/3?transactionHash=" + tx.String()
	if list := issuer.Requests(""); len(list) != 1 || list[0].Line != want {
		t.Errorf("requests = %v, want %s", list, want)
	}
	if h := c.Health(); h.Fault != "" || !h.Since.IsZero() || h.Asked != 1 {
		t.Errorf("Health = %+v, want a good one after one request", h)
	}
}

func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status int
		want   upstream.Fault
	}{
		{"server error", 503, upstream.BadStatus}, {"redirect", 302, upstream.Redirected}, {"too many requests", 429, upstream.RateLimited},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := client(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, canary, tt.status) }))
			_, err := c.Ask(t.Context(), 3, tx)
			if !errors.Is(err, tt.want) || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), canary) {
				t.Errorf("Ask: %v, want %v and no part of the URL", err, tt.want)
			}
			if h := c.Health(); h.Fault != tt.want || h.Since.IsZero() {
				t.Errorf("Health = %+v, want fault %v since now", h, tt.want)
			}
		})
	}
}

func TestASlowIssuerIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		if _, err := c.Ask(t.Context(), 3, tx); !errors.Is(err, upstream.Timeout) {
			t.Errorf("Ask: %v, want %v", err, upstream.Timeout)
		}
	})
}

// No second has more than ten requests, wherever it begins.
func TestBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := fake.NewAttester()
		c := client(t, issuer)
		for range 300 {
			_, err := c.Ask(t.Context(), 3, tx)
			if err != nil && !errors.Is(err, attest.ErrBusy) {
				t.Fatal(err)
			}
			time.Sleep(13 * time.Millisecond)
		}
		list := issuer.Requests("")
		for i := 10; i < len(list); i++ {
			if apart := list[i].At.Sub(list[i-10].At); apart < time.Second {
				t.Fatalf("eleven requests within %v, want no more than ten a second", apart)
			}
		}
		if len(list) < 35 {
			t.Errorf("%d requests in 3.9 s, want the whole budget used", len(list))
		}
	})
}

// The issuer blocks an address for five minutes; asking on prolongs that.
func TestBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := fake.NewAttester()
		issuer.SetHandle(func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(429); return true })
		c := client(t, issuer)
		if _, err := c.Ask(t.Context(), 3, tx); !errors.Is(err, upstream.RateLimited) {
			t.Fatalf("Ask: %v, want %v", err, upstream.RateLimited)
		}
		issuer.SetHandle(nil)
		free := time.Now().Add(5 * time.Minute)
		if got := c.Free(); !got.Equal(free) || !c.Health().Blocked.Equal(free) {
			t.Errorf("free at %v, blocked until %v, want %v", got, c.Health().Blocked, free)
		}
		time.Sleep(5*time.Minute - time.Nanosecond)
		if _, err := c.Ask(t.Context(), 3, tx); !errors.Is(err, attest.ErrBusy) {
			t.Errorf("during the block: %v, want %v", err, attest.ErrBusy)
		}
		time.Sleep(time.Nanosecond)
		if _, err := c.Ask(t.Context(), 3, tx); err != nil || len(issuer.Requests("")) != 2 {
			t.Errorf("after the block: %v with %d requests, want the second to succeed", err, len(issuer.Requests("")))
		}
	})
}

func TestReattest(t *testing.T) {
	issuer := fake.NewAttester()
	c := client(t, issuer)
	if err := c.Reattest(t.Context(), message.Word{0xab, 31: 0xcd}); err != nil {
		t.Fatal(err)
	}
	if list := issuer.Requests("POST /" + canary + "/v2/reattest/0xab" + strings.Repeat("00", 30) + "cd"); len(list) != 1 {
		t.Errorf("requests = %v, want one to attest the nonce again", issuer.Requests(""))
	}
}

func TestURLIsRequired(t *testing.T) {
	if _, err := attest.New(attest.Options{}); err == nil || !strings.Contains(err.Error(), "Options.URL") {
		t.Errorf("New: %v, want an error about Options.URL", err)
	}
}

// FuzzAsk checks that whatever the issuer answers, an entry is pending or has a
// whole message with a nonce and a signature.
func FuzzAsk(f *testing.F) {
	f.Add([]byte(`{"messages":[{"cctpVersion":2,"status":"complete","message":"0x00","attestation":"0xab"}]}`))
	f.Add(fmt.Appendf(nil, `{"messages":[{"cctpVersion":2,"status":"complete","message":"0x%x","attestation":"0xab"}]}`, []byte(signed(1, 1))))
	f.Fuzz(func(t *testing.T, answer []byte) {
		c := client(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(answer) }))
		entries, err := c.Ask(t.Context(), 3, tx)
		for _, e := range entries {
			if (e.Message == nil) != (e.Attestation == nil) || e.Message != nil && (len(e.Message) < 376 || e.Message.Nonce() == (message.Word{})) {
				t.Errorf("Ask = %+v, %v, want an entry that is pending or whole", e, err)
			}
		}
	})
}
