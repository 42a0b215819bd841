package attest

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"

	"hubquote/internal/settle/message"
)

// An Entry is what the issuer says about one message of a transaction.
type Entry struct {
	Message     message.Message // as signed; nil while it is not
	Attestation []byte          // nil while it is not signed
	Delay       string          // why a fast burn is attested late, one of the words below, or empty
}

// The reasons for a delay. All end as a standard transfer.
const (
	DelayFee       = "insufficient_fee"
	DelayAmount    = "amount_above_max"
	DelayAllowance = "insufficient_allowance_available"
	DelayOther     = "other" // a word that is not known here
)

// wireEntry is the part of an entry's JSON that is read. While a message is
// pending its bytes are "0x", "PENDING" or null.
type wireEntry struct {
	Message     *string `json:"message"`
	Attestation *string `json:"attestation"`
	Version     int     `json:"cctpVersion"`
	Status      string  `json:"status"`
	DelayReason *string `json:"delayReason"`
}

// parse reads an answer. An entry that is of an older version of the protocol, or
// complete and not about a burn, is left out: it is not one of ours, and must not
// hide those that are.
func parse(body []byte) ([]Entry, error) {
	var answer struct{ Messages *[]wireEntry }
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, err
	}
	if answer.Messages == nil {
		return nil, errors.New("an answer without messages")
	}
	var entries []Entry
	for _, w := range *answer.Messages {
		if e, ok := w.parse(); ok && w.Version == 2 {
			entries = append(entries, e)
		}
	}
	return entries, nil
}

func (w *wireEntry) parse() (e Entry, ok bool) {
	e.Delay = delay(w.DelayReason)
	if w.Status != "complete" {
		return e, true
	}
	signed, ok := decode(w.Message)
	if !ok {
		return e, false
	}
	m, err := message.Parse(signed)
	if err != nil || m.Nonce() == (message.Word{}) {
		return e, false
	}
	e.Message = m
	e.Attestation, ok = decode(w.Attestation)
	return e, ok && len(e.Attestation) > 0
}

func delay(reason *string) string {
	if reason == nil || *reason == "" {
		return ""
	}
	switch *reason {
	case DelayFee, DelayAmount, DelayAllowance:
		return *reason
	}
	return DelayOther
}

func decode(s *string) ([]byte, bool) {
	if s == nil {
		return nil, false
	}
	digits, ok := strings.CutPrefix(*s, "0x")
	if !ok {
		return nil, false
	}
	b, err := hex.DecodeString(digits)
	return b, err == nil
}
