package ts_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"hubquote/client"
	"hubquote/internal/wire"
	"hubquote/swap"
	"hubquote/test/reference"
)

// A line is one case for the other implementation: the verdict on body as an answer
// to request.
type line struct {
	Request map[string]string `json:"request"`
	Body    []byte            `json:"body"`
	Verdict string            `json:"verdict"` // proved, or codes and fields
	Quote   string            `json:"quote"`   // the quote that is returned; empty for a refusal
}

func params(q url.Values) map[string]string {
	m := map[string]string{}
	for name := range q {
		m[name] = q.Get(name)
	}
	return m
}

func writeLines(t *testing.T, w io.Writer, pins *client.Pins, n int) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, compact(t, pins.Text()))
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	random := rand.New(rand.NewPCG(1, 2))
	routes := reference.Catalog(t).Routes()
	addresses := vectorAddresses(t)
	for range n {
		route := routes[random.IntN(len(routes))]
		if route.Shields() && random.IntN(4) > 0 { // a proof costs as much as a hundred other checks
			route = routes[random.IntN(len(routes))]
		}
		l, err := newLine(random, route, addresses, pins)
		if err != nil {
			return err
		}
		if err := e.Encode(l); err != nil {
			return err
		}
	}
	return b.Flush()
}

// newLine answers a random request. In half of the lines the answer is altered,
// and in some the request is damaged after it was answered.
func newLine(random *rand.Rand, route *swap.Route, addresses []string, pins *client.Pins) (line, error) {
	query := randomRequest(random, route, addresses)
	r, err := client.ParseRequest(query.Encode())
	if err != nil {
		return line{}, err
	}
	answer, err := randomAnswer(random, route, r)
	if err != nil {
		return line{}, err
	}
	if random.IntN(2) == 0 {
		answer = spoil(random, answer)
	}
	if random.IntN(8) == 0 {
		damage(random, query)
	}
	l := line{Request: params(query), Body: answer}
	l.Verdict, l.Quote, err = verdict(query.Encode(), answer, pins)
	return l, err
}

// verdict is that of the client on an answer, and the quote it returns.
func verdict(query string, answer []byte, pins *client.Pins) (said, quote string, err error) {
	r, err := client.ParseRequest(query)
	var q *swap.Quote
	if err == nil {
		q, err = client.Verify(r, answer, pins)
	}
	invalid, isInvalid := errors.AsType[*swap.Error](err)
	mismatch, isMismatch := errors.AsType[*client.Mismatch](err)
	unproven, isUnproven := errors.AsType[*client.Unproven](err)
	switch {
	case isInvalid:
		return string(invalid.Code) + " " + invalid.Param, "", nil
	case isMismatch:
		return string(mismatch.Code) + " " + mismatch.Field, "", nil
	case isUnproven:
		var reasons []string
		for _, r := range unproven.Reasons {
			reasons = append(reasons, string(r.Code)+" "+r.Field)
		}
		said = strings.Join(reasons, ",")
	case err != nil:
		return "", "", err
	default:
		said = "proved"
	}
	text, err := json.Marshal(wire.NewV3(q, r.Include))
	return said, string(text), err
}
