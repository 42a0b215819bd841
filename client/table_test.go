package client_test

import (
	"errors"
	"net/http"
	"testing"

	"hubquote/client"
	"hubquote/swap"
	"hubquote/test/mutations"
)

// verdictOf judges a row of the table: an answer with status 200 by Verify, any
// other through a server.
func verdictOf(t *testing.T, c *mutations.Case) (*swap.Quote, error) {
	t.Helper()
	pins, err := client.ParsePins(c.Pins)
	if err != nil {
		t.Fatal(err)
	}
	r, err := client.ParseRequest(c.Query)
	if err != nil {
		return nil, err
	}
	if c.Status == http.StatusOK {
		return client.Verify(r, c.Body, pins)
	}
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(c.Status)
		w.Write(c.Body)
	}))
	return newClient(t, server, client.WithPins(pins)).Quote(t.Context(), r)
}

// finding returns the verdict, code and field of what Verify returned.
func finding(q *swap.Quote, err error) (v mutations.Verdict, code, field string) {
	if err == nil && q != nil {
		return mutations.Proved, "", ""
	}
	if u, ok := errors.AsType[*client.Unproven](err); ok && q != nil {
		return mutations.Unproven, string(u.Reasons[0].Code), u.Reasons[0].Field
	}
	if m, ok := errors.AsType[*client.Mismatch](err); ok && q == nil {
		return mutations.Refused, string(m.Code), m.Field
	}
	if e, ok := errors.AsType[*swap.Error](err); ok && q == nil {
		return mutations.Refused, string(e.Code), e.Param
	}
	return "none", "", ""
}

func TestVerifyRefusesEveryMutation(t *testing.T) {
	cases, err := mutations.Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Group+"/"+c.Name, func(t *testing.T) {
			q, err := verdictOf(t, &c)
			if v, code, field := finding(q, err); v != c.Verdict || code != c.Code || field != c.Field {
				t.Errorf("got %s %s %s, want %s %s %s\n%v", v, code, client.Printable(field), c.Verdict, c.Code, client.Printable(c.Field), err)
			}
		})
	}
}
