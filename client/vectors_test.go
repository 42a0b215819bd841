package client_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hubquote/docs"
)

var update = flag.Bool("update", false, "rewrite docs/vectors.json")

const about = "A request and the server's answer for each pair that is served, a few with an integrator and all that include can add, and a few with an account for refunds. " +
	"To test a client in any language: read pins as a file of hubquote pins; for each vector derive the quote from request and pins, and compare. " +
	"What cannot be derived is taken from the answer and bounded: maxFee by issuerBps, an integrator's percentage by maxMillionths, a note by its proof. " +
	"Every answer here is proved, or unproven with INTEGRATOR_RATE_UNPINNED if it has an integrator, and every answer that differs from one in a field or byte is refused."

// The published vectors are the corpus, with the pins it is verified against.
func TestVectors(t *testing.T) {
	want := vectors(t)
	if *update {
		if err := os.WriteFile("../docs/vectors.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), string(docs.Vectors)); diff != "" {
		t.Errorf("docs/vectors.json (-want +got), rewrite with -update:\n%s", diff)
	}
}

func vectors(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n\"about\": %s,\n\"pins\": %s,\n\"vectors\": [\n", jsonOf(about), bytes.TrimSpace(embeddedPins(t).Text()))
	list := exchanges(t)
	for i, e := range list {
		query, err := url.ParseQuery(e.query)
		if err != nil {
			t.Fatal(err)
		}
		params := map[string]string{}
		for name := range query {
			params[name] = query.Get(name)
		}
		end := ","
		if i == len(list)-1 {
			end = ""
		}
		fmt.Fprintf(&b, "{\"name\": %s,\n \"request\": %s,\n \"quote\": %s}%s\n", jsonOf(e.name), jsonOf(params), e.answer, end)
	}
	b.WriteString("]\n}\n")
	if !json.Valid(b.Bytes()) {
		t.Fatal("the vectors are no JSON")
	}
	return b.Bytes()
}
