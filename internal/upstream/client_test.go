package upstream_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"hubquote/internal/upstream"
)

// get fetches a URL with a [upstream.Client], and returns the body.
func get(ctx context.Context, t *testing.T, url string) (string, error) {
	t.Helper()
	client := upstream.Client(nil)
	defer client.CloseIdleConnections()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func TestClientFaults(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
			http.Error(w, canary, code)
		}
	}
	tests := []struct {
		name   string
		handle http.HandlerFunc
		want   upstream.Fault
	}{
		{"a redirect is not followed", status(http.StatusFound), upstream.Redirected},
		{"a redirect that keeps the method is not followed", status(http.StatusPermanentRedirect), upstream.Redirected},
		{"no key", status(http.StatusUnauthorized), upstream.Denied},
		{"a key without rights", status(http.StatusForbidden), upstream.Denied},
		{"too many requests", status(http.StatusTooManyRequests), upstream.RateLimited},
		{"not found", status(http.StatusNotFound), upstream.NotFound},
		{"server error", status(http.StatusInternalServerError), upstream.BadStatus},
		{"a Content-Length that is too large", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(1<<30))
		}, upstream.TooLarge},
		{"an endless body", func(w http.ResponseWriter, _ *http.Request) {
			for err := error(nil); err == nil; {
				_, err = io.WriteString(w, strings.Repeat("[", 1<<16))
			}
		}, upstream.TooLarge},
		{"cut off in the middle", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "half")
			panic(http.ErrAbortHandler)
		}, upstream.Unreachable},
		{"closed without a response", func(http.ResponseWriter, *http.Request) {
			panic(http.ErrAbortHandler)
		}, upstream.Unreachable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := httptest.NewServer(tt.handle)
			defer srv.Close()
			_, err := get(t.Context(), t, srv.URL)
			if got := upstream.FaultOf(err); got != tt.want {
				t.Errorf("fault = %q, want %q (%v)", got, tt.want, err)
			}
		})
	}
}

func TestClientTimesOut(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer srv.Close()
	timed, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := get(timed, t, srv.URL); upstream.FaultOf(err) != upstream.Timeout {
		t.Errorf("error after the deadline = %v, want %s", err, upstream.Timeout)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := get(canceled, t, srv.URL); upstream.FaultOf(err) != upstream.Canceled {
		t.Errorf("error after cancellation = %v, want %s", err, upstream.Canceled)
	}
	srv.Close()
	if _, err := get(t.Context(), t, srv.URL); upstream.FaultOf(err) != upstream.Unreachable {
		t.Errorf("error of a closed server = %v, want %s", err, upstream.Unreachable)
	}
}

func TestClientReadsAMegabyteAndNoMore(t *testing.T) {
	size := 1 << 20
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		_, _ = io.WriteString(w, strings.Repeat("x", size))
	}))
	defer srv.Close()
	if body, err := get(t.Context(), t, srv.URL); err != nil || len(body) != size {
		t.Errorf("read %d bytes, %v; want %d", len(body), err, size)
	}
	size++
	if _, err := get(t.Context(), t, srv.URL); upstream.FaultOf(err) != upstream.TooLarge {
		t.Errorf("error with one byte more = %v, want %s", err, upstream.TooLarge)
	}
}

func TestClientDoesNotDecompress(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "" {
			t.Errorf("Accept-Encoding = %q, want none", r.Header.Get("Accept-Encoding"))
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write(make([]byte, 4<<20))
		_ = z.Close()
	}))
	defer srv.Close()
	body, err := get(t.Context(), t, srv.URL)
	if err != nil || len(body) > 1<<20 || !strings.HasPrefix(body, "\x1f\x8b") {
		t.Errorf("read %d bytes, %v; want at most a megabyte that is still compressed", len(body), err)
	}
}

func TestFaultOf(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want upstream.Fault
	}{
		{"no error", nil, ""},
		{"a fault wrapped in anything", fmt.Errorf("get %s: %w", keyed, upstream.Denied), upstream.Denied},
		{"a deadline", context.DeadlineExceeded, upstream.Timeout},
		{"any other error", errors.New(keyed), upstream.Malformed},
	}
	for _, tt := range tests {
		if got := upstream.FaultOf(tt.err); got != tt.want {
			t.Errorf("%s: FaultOf = %q, want %q", tt.name, got, tt.want)
		}
	}
}
