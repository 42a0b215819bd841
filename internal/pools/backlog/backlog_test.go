package backlog_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"hubquote/internal/pools/backlog"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
)

const (
	one = `{"chain":369,"pool":"0x0300000000000000000000000000000000000000","pending":1,"amount":"99","oldest":"2026-01-02T03:04:05Z",` +
		`"sources":[` + from + `]}`
	from  = `{"chain":1,"pool":"0x0400000000000000000000000000000000000000","amount":"98"}`
	other = `{"chain":1,"pool":"0x0300000000000000000000000000000000000000","pending":2,"amount":"115792089237316195423570985008687907853269984665640564039457584007913129639935"}`
)

// An answer is read as a whole or not at all.
func TestOwed(t *testing.T) {
	tests := []struct {
		name, answer string
		status, want int // want is how many pools owe; -1 for an error
		fault        upstream.Fault
	}{
		{"two pools", `{"asOf":[],"pools":[` + one + `,` + other + `]}`, 200, 2, ""},
		{"no pool", `{"asOf":[],"pools":[]}`, 200, 0, ""},
		{"nothing owed", `{"pools":[{"chain":1,"pool":"0x0300000000000000000000000000000000000000","amount":"0"}]}`, 200, 1, ""},
		{"one pool twice", `{"pools":[` + one + `,` + one + `]}`, 200, -1, upstream.Malformed},
		{"one source twice", `{"pools":[{"chain":1,"pool":"0x0300000000000000000000000000000000000000","amount":"1","sources":[` + from + `,` + from + `]}]}`, 200, -1, upstream.Malformed},
		{"a source's amount that is no integer", `{"pools":[{"chain":1,"pool":"0x0300000000000000000000000000000000000000","amount":"1","sources":[{"amount":"x"}]}]}`, 200, -1, upstream.Malformed},
		{"no list", `{}`, 200, -1, upstream.Malformed},
		{"an amount that is no integer", `{"pools":[{"chain":1,"pool":"0x0300000000000000000000000000000000000000","amount":"1.5"}]}`, 200, -1, upstream.Malformed},
		{"an amount below zero", `{"pools":[{"chain":1,"pool":"0x0300000000000000000000000000000000000000","amount":"-1"}]}`, 200, -1, upstream.Malformed},
		{"no address", `{"pools":[{"chain":1,"pool":"0x03","amount":"1"}]}`, 200, -1, upstream.Malformed},
		{"text behind it", `{"pools":[]} x`, 200, -1, upstream.Malformed},
		{"an error", `{"pools":[]}`, 503, -1, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSettler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/base/v1/pools" {
					t.Errorf("path = %s, want /base/v1/pools", r.URL.Path)
				}
				w.WriteHeader(tt.status)
				fmt.Fprint(w, tt.answer)
			}))
			got, err := s.Owed(t.Context())
			if (err != nil) != (tt.want < 0) || err == nil && len(got) != tt.want || tt.fault != "" && !errors.Is(err, tt.fault) {
				t.Fatalf("Owed = %v, %v; want %d pools, fault %q", got, err, tt.want, tt.fault)
			}
			key := backlog.Pool{Chain: 369, Address: swap.Address{3}}
			if owed := got[key]; tt.want == 2 && owed.Total.Uint64() != 99 {
				t.Errorf("%v owes %s, want 99", key, owed.Total.Dec())
			}
			source := backlog.Pool{Chain: 1, Address: swap.Address{4}}
			if owed := got[key].From[source]; tt.want == 2 && owed.Uint64() != 98 {
				t.Errorf("%v owes %s for %v, want 98", key, owed.Dec(), source)
			}
		})
	}
}

func newSettler(t *testing.T, h http.Handler) *backlog.Settler {
	t.Helper()
	url, err := upstream.Parse("http://settler/base")
	if err != nil {
		t.Fatal(err)
	}
	s, err := backlog.New(backlog.Options{URL: url, Transport: fake.Network{"settler": h}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}
