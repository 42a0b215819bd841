package attest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hubquote/internal/settle/attest"
	"hubquote/internal/settle/message"
)

func TestMatch(t *testing.T) {
	sent := func(amounts ...byte) (list []attest.Sent) {
		for _, a := range amounts {
			list = append(list, attest.Sent{Message: signed(a, 0)})
		}
		return list
	}
	known := func(list []attest.Sent, i int, nonce byte) []attest.Sent {
		list[i].Nonce = message.Word{31: nonce}
		return list
	}
	complete := func(amount, nonce byte) attest.Entry {
		return attest.Entry{Message: signed(amount, nonce), Attestation: []byte{nonce}}
	}
	pending := attest.Entry{Delay: attest.DelayFee}
	for _, tt := range []struct {
		name    string
		sent    []attest.Sent
		entries []attest.Entry
		want    []byte // nonces, 0 for none
	}{
		{"by bytes, not by position", sent(5, 6), []attest.Entry{complete(6, 1), complete(5, 2)}, []byte{2, 1}},
		{"a stranger's message before ours", sent(5), []attest.Entry{complete(9, 1), complete(5, 2)}, []byte{2}},
		{"pending", sent(5), []attest.Entry{pending}, []byte{0}},
		{"one of two is signed", sent(5, 6), []attest.Entry{pending, complete(6, 1)}, []byte{0, 1}},
		{"two equal burns get one each", sent(5, 5), []attest.Entry{complete(5, 1), complete(5, 2)}, []byte{1, 2}},
		{"two equal burns, one signed", sent(5, 5), []attest.Entry{pending, complete(5, 2)}, []byte{2, 0}},
		{"a burn keeps its nonce", known(sent(5, 5), 1, 1), []attest.Entry{complete(5, 1), complete(5, 2)}, []byte{2, 1}},
		{"a known nonce is not given to another", known(sent(5, 5), 0, 2), []attest.Entry{complete(5, 2)}, []byte{2, 0}},
		{"a burn does not change its nonce", known(sent(5), 0, 3), []attest.Entry{complete(5, 1)}, []byte{0}},
		{"one nonce twice is given once", sent(5, 5), []attest.Entry{complete(5, 1), complete(5, 1)}, []byte{1, 0}},
		{"nothing", sent(5), nil, []byte{0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := make([]byte, len(tt.sent))
			for i, e := range attest.Match(tt.sent, tt.entries) {
				if e != nil {
					got[i] = e.Message.Nonce()[31]
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("nonces (-want +got):\n%s", diff)
			}
		})
	}
	if got := attest.Delay([]attest.Entry{complete(5, 1), pending}); got != attest.DelayFee {
		t.Errorf("Delay = %q, want %q", got, attest.DelayFee)
	}
}
