package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"hubquote/swap"
)

// A handler answers a request or says why not. It writes nothing before it is
// sure to succeed.
type handler func(w http.ResponseWriter, r *http.Request) error

// handle is the one place where an error becomes a response, a panic becomes an
// error, and a request is counted and logged. The path is the pattern's, never
// the request's, so that nothing a client chose gets into a metric or a log.
func (s *Server) handle(path string, h handler) http.Handler {
	counters := s.opts.Metrics.Path(path)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		rec := &recorder{ResponseWriter: w}
		var code swap.Code
		err := protect(h, rec, r)
		if err != nil {
			code = s.writeProblem(rec, r, err)
		}
		took := time.Since(start)
		counters.Request(rec.status, string(code), took)
		if err != nil {
			s.log(r.Context(), w.Header().Get(requestIDHeader), path, rec.status, code, took, err)
		}
	})
}

// A recorder remembers the status it passes on.
type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// protect turns a panic into an error: one bad request must not take down the
// others.
func protect(h handler, w http.ResponseWriter, r *http.Request) (err error) {
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

// log writes one line for a request that failed. What the client asked is not
// in it: recipients and amounts are the client's business.
func (s *Server) log(ctx context.Context, requestID, path string, status int, code swap.Code, took time.Duration, err error) {
	level := slog.LevelDebug
	attrs := []slog.Attr{
		slog.String("path", path), slog.Int("status", status), slog.String("code", string(code)),
		slog.Duration("took", took), slog.String("requestId", requestID),
	}
	if status >= http.StatusInternalServerError {
		level = slog.LevelError
		attrs = append(attrs, slog.Any("err", cause(err)))
	}
	s.opts.Log.LogAttrs(ctx, level, "request failed", attrs...)
}

// cause is what the log should know of a failure that is not the client's: the
// error that an upstream or the program gave.
func cause(err error) error {
	if e, ok := errors.AsType[*swap.Error](err); ok && e.Err != nil {
		return e.Err
	}
	return err
}

// writeJSON marshals before it writes the status, so that a failure can still
// be reported as one.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeBody(w, status, asJSON, append(body, '\n'))
}

// writeBody reports nothing: when the client is gone there is nobody to tell.
func writeBody(w http.ResponseWriter, status int, contentType []string, body []byte) error {
	w.Header()["Content-Type"] = contentType
	w.WriteHeader(status)
	w.Write(body)
	return nil
}
