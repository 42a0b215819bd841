package docs_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"

	compiled "hubquote/internal/contract"
	"hubquote/internal/deployment/third"
)

// The page for indexers has every event of the contracts with its topic, and
// none that there is not.
func TestEventsPageIsTheABIs(t *testing.T) {
	text, err := os.ReadFile("events.md")
	if err != nil {
		t.Fatal(err)
	}
	page, topics := string(text), map[string]bool{}
	for _, c := range []*compiled.Compiled{compiled.Pool, compiled.GatewayPool, compiled.ShieldPool, compiled.Receiver, compiled.Registry} {
		for _, e := range c.ABI().Events {
			topics[e.ID.Hex()] = true
			if row := fmt.Sprintf("| `%s` `%s` |", declaration(&e), e.ID.Hex()); !strings.Contains(page, row) {
				t.Errorf("the table of %s has no row, want %s", c.Name, row)
			}
		}
	}
	for _, topic := range regexp.MustCompile("0x[0-9a-f]{64}").FindAllString(page, -1) {
		if !topics[topic] {
			t.Errorf("topic %s belongs to no event, want one of the contracts", topic)
		}
		delete(topics, topic) // a second row would be found here
	}
}

// named are the types that Solidity has a name for, by event and field: the ABI
// says only what they are made of.
var named = map[string]string{
	"CapSet.kind": "CapKind", "OrderUnpayable.why": "Refusal", "OrderRefunded.how": "Refund", "OrderReclaimed.how": "Refund",
	"SourceSet.state": "Link",
}

// declaration writes an event as its source does.
func declaration(e *abi.Event) string {
	var fields []string
	for _, in := range e.Inputs {
		kind := in.Type.String()
		switch {
		case named[e.Name+"."+in.Name] != "":
			kind = named[e.Name+"."+in.Name]
		case in.Type.T == abi.TupleTy:
			kind = in.Type.TupleRawName
		}
		if in.Indexed {
			kind += " indexed"
		}
		fields = append(fields, kind+" "+in.Name)
	}
	return e.Name + "(" + strings.Join(fields, ", ") + ")"
}

// The recipe for tracking without the service names topics of real events, of
// ours and of the issuer's.
func TestTrackingPageNamesRealTopics(t *testing.T) {
	text, err := os.ReadFile("tracking.md")
	if err != nil {
		t.Fatal(err)
	}
	topics := map[string]bool{}
	for _, c := range []*compiled.Compiled{compiled.Pool, compiled.Receiver, compiled.Transmitter} {
		for _, e := range c.ABI().Events {
			topics[e.ID.Hex()] = true
		}
	}
	found := regexp.MustCompile("0x[0-9a-f]{64}").FindAllString(string(text), -1)
	for _, topic := range found {
		if !topics[topic] {
			t.Errorf("topic %s belongs to no event, want one of the contracts", topic)
		}
	}
	if len(found) < 6 {
		t.Errorf("the page names %d topics, want those of a whole life", len(found))
	}
	if !strings.Contains(string(text), "transmitter is\n`"+third.Transmitter.String()+"` on every chain") {
		t.Errorf("the page has no address of the issuer's transmitter, want %s", third.Transmitter)
	}
}
