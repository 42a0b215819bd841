package api

import (
	"context"

	"hubquote/internal/wire"
)

// Answer is a quote without HTTP: from the query string to the response's
// bytes, which it appends to dst.
func (s *Server) Answer(dst []byte, rawQuery string) ([]byte, error) {
	x := newExchange(rawQuery)
	defer exchanges.Put(x)
	r, _ := v3.parse(&x.query)
	if x.query.problems != nil {
		return dst, x.query.problems
	}
	quote, err := s.opts.Quoter.Quote(context.Background(), r)
	if err != nil {
		return dst, err
	}
	return s.printer.AppendV3(dst, quote, wire.Includes{})
}
