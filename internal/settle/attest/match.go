package attest

import "hubquote/internal/settle/message"

// A Sent is a message as a transaction emitted it.
type Sent struct {
	Message message.Message
	Nonce   message.Word // the issuer's, once it was given one; else zero
}

// Match returns the signed entry of each message, or nil. Messages are given in
// the order of their logs. A message and its entry are the same but for what the
// issuer fills in. Equal messages of one transaction are interchangeable: each
// gets one of the equal entries, in their order, and keeps it by its nonce from
// then on.
func Match(sent []Sent, entries []Entry) []*Entry {
	found := make([]*Entry, len(sent))
	given := map[message.Word]bool{{}: true} // by nonce; a message without one is not signed
	give := func(i int, fits func(*Entry) bool) {
		for j := range entries {
			e := &entries[j]
			if found[i] == nil && e.Message != nil && !given[e.Message.Nonce()] && e.Message.SameBurn(sent[i].Message) && fits(e) {
				found[i], given[e.Message.Nonce()] = e, true
			}
		}
	}
	for i, s := range sent {
		if s.Nonce != (message.Word{}) {
			give(i, func(e *Entry) bool { return e.Message.Nonce() == s.Nonce })
		}
	}
	for i, s := range sent {
		if s.Nonce == (message.Word{}) {
			give(i, func(*Entry) bool { return true })
		}
	}
	return found
}

// Delay returns why messages of a transaction that are not signed yet are late,
// if the issuer says so. Its entries for these have no bytes, so that they cannot
// be told apart.
func Delay(entries []Entry) string {
	for _, e := range entries {
		if e.Message == nil && e.Delay != "" {
			return e.Delay
		}
	}
	return ""
}
