// Package handler turns functions that return errors into HTTP handlers that
// answer with problem documents, count and log.
package handler

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"hubquote/internal/api/document"
	"hubquote/internal/metrics"
	"hubquote/internal/problem"
	"hubquote/swap"
)

// A Func answers a request or returns why not. It writes nothing before it is
// sure to succeed.
type Func func(w http.ResponseWriter, r *http.Request) error

// A Maker makes handlers.
type Maker struct {
	Metrics *metrics.Metrics // nil counts nothing
	Log     *slog.Logger     // receives one line for each request that fails
}

// Handler is the one place where an error becomes a response, a panic becomes an
// error, and a request is counted and logged. The path is the pattern's, never
// the request's, so that nothing a client chose gets into a metric or a log.
func (m *Maker) Handler(path string, h Func) http.Handler {
	counters := m.Metrics.Path(path)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		rec := &recorder{ResponseWriter: w}
		var code swap.Code
		err := protect(h, rec, r)
		if err != nil {
			code = fail(rec, r, err)
		}
		took := time.Since(start)
		counters.Request(rec.status, string(code), took)
		if err != nil {
			m.log(r.Context(), w.Header().Get(requestIDHeader), path, rec.status, code, took, err)
		}
	})
}

// A recorder remembers the status it passes on.
type recorder struct {
	http.ResponseWriter
	status int
}

// Unwrap lets a handler set deadlines.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// protect turns a panic into an error: one bad request must not take down the
// others.
func protect(h Func, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler:
			panic(p)
		default:
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return h(w, r)
}

// log writes one line for a request that failed. The query is not in it:
// recipients and amounts are private.
func (m *Maker) log(ctx context.Context, requestID, path string, status int, code swap.Code, took time.Duration, err error) {
	level := slog.LevelDebug
	attrs := []slog.Attr{
		slog.String("path", path), slog.Int("status", status), slog.String("code", string(code)),
		slog.Duration("took", took), slog.String("requestId", requestID),
	}
	if status >= http.StatusInternalServerError {
		level = slog.LevelError
		attrs = append(attrs, slog.Any("err", cause(err)))
	}
	m.Log.LogAttrs(ctx, level, "request failed", attrs...)
}

// cause is the error of an upstream or of the program, for the log.
func cause(err error) error {
	if e, ok := errors.AsType[*swap.Error](err); ok && e.Err != nil {
		return e.Err
	}
	return err
}

// fail shows err to the client and returns the code it showed.
func fail(w http.ResponseWriter, r *http.Request, err error) swap.Code {
	h := w.Header()
	p := problem.New(err, r.URL.Path, h.Get(requestIDHeader))
	if p.Status == http.StatusServiceUnavailable {
		h.Set("Retry-After", retryAfter(err))
	}
	h.Set("Cache-Control", "no-store")
	h.Del("ETag")
	if document.WriteJSON(w, p.Status, document.Problem, p) != nil {
		w.WriteHeader(p.Status) // cannot happen: a problem is plain data
	}
	return p.Code
}

// UnavailableRetry is how many seconds to wait for an upstream: about as long
// as a failed lookup is remembered.
const UnavailableRetry = "5"

// retryAfter returns how many seconds to wait, rounded up.
func retryAfter(err error) string {
	if e, ok := errors.AsType[*swap.Error](err); ok && !e.After.IsZero() {
		if left := time.Until(e.After); left > 0 {
			return strconv.Itoa(int(left/time.Second) + 1)
		}
	}
	return UnavailableRetry
}

// NotFound is the handler of every path that is not served.
func NotFound(http.ResponseWriter, *http.Request) error {
	return &swap.Error{Code: swap.NotFound, Message: "nothing is served here; /openapi.json lists what is"}
}

// MethodNotAllowed is the handler of other methods than GET and HEAD.
func MethodNotAllowed(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Allow", allowedMethods)
	return &swap.Error{Code: swap.MethodNotAllowed, Message: "only GET and HEAD are served here"}
}

// URITooLong is the handler of requests that are longer than any valid one.
func URITooLong(http.ResponseWriter, *http.Request) error {
	return &swap.Error{Code: swap.URITooLong, Message: "the address is longer than 8 KiB"}
}
