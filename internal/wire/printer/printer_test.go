package printer_test

import (
	"encoding/json"
	"testing"

	"hubquote/internal/wire"
	"hubquote/internal/wire/printer"
	"hubquote/swap"
	"hubquote/test/quotes"
)

// The printer writes what encoding/json writes, on every route, with and
// without an integrator.
func TestPrinter(t *testing.T) {
	all := quotes.OnEveryRoute(t)
	p := newPrinter(t, all)
	for _, q := range all {
		want, err := json.Marshal(wire.NewV3(q, wire.Includes{}))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.AppendV3(nil, q, wire.Includes{}); err != nil || string(got) != string(want) {
			t.Errorf("AppendV3 = %s, %v\n want %s", got, err, want)
		}
	}
}

func BenchmarkV3(b *testing.B) {
	all := quotes.OnEveryRoute(b)
	p := newPrinter(b, all)
	b.Run("printer", func(b *testing.B) {
		b.ReportAllocs()
		var buf []byte
		for b.Loop() {
			buf, _ = p.AppendV3(buf[:0], all[0], wire.Includes{})
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(wire.NewV3(all[0], wire.Includes{})); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func newPrinter(t testing.TB, all []*swap.Quote) *printer.Printer {
	t.Helper()
	var routes []*swap.Route
	for _, q := range all {
		routes = append(routes, q.Route)
	}
	p, err := printer.New(routes)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
