package api

import (
	"context"

	"hubquote/internal/wire"
)

// Answer is a quote without HTTP: from the query string to the response's
// bytes, which it appends to dst.
func (s *Server) Answer(dst []byte, rawQuery string) ([]byte, error) {
	q := parseQuery(rawQuery, quoteFields)
	r, _ := v3.parse(q)
	if q.problems != nil {
		return dst, q.problems
	}
	quote, err := s.opts.Quoter.Quote(context.Background(), r)
	if err != nil {
		return dst, err
	}
	return s.printer.AppendV3(dst, quote, wire.Includes{})
}
