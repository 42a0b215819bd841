package handler

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"net/http"
)

const (
	allowedMethods = "GET, HEAD, OPTIONS"
	exposedHeaders = "Deprecation, ETag, Hubquote-Catalog, Hubquote-Warning, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"
)

// SetHeaders sets the headers that every response carries: without them on
// errors too, a browser would report a refused request as a CORS failure.
func SetHeaders(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h[requestIDHeader] = []string{requestID(r.Header)}
	h["Access-Control-Allow-Origin"] = anyOrigin
	h["Access-Control-Expose-Headers"] = exposed
	h["X-Content-Type-Options"] = noSniff
	h["Cache-Control"] = noStore
}

// The values that are the same on every response are shared by all of them.
var (
	anyOrigin = []string{"*"}
	exposed   = []string{exposedHeaders}
	noSniff   = []string{"nosniff"}
	noStore   = []string{"no-store"}
)

const requestIDHeader = "X-Request-Id"

// Preflight answers a CORS preflight request.
func Preflight(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", allowedMethods)
	h.Set("Access-Control-Allow-Headers", "*")
	h.Set("Access-Control-Max-Age", "86400")
	h.Set("Allow", allowedMethods)
	w.WriteHeader(http.StatusNoContent)
}

const maxRequestID = 64

// requestID returns the client's own ID if it is harmless in a log and in a
// header, else a new one.
func requestID(h http.Header) string {
	if id := h.Get(requestIDHeader); isRequestID(id) {
		return id
	}
	var id [16]byte
	binary.NativeEndian.PutUint64(id[:8], rand.Uint64())
	binary.NativeEndian.PutUint64(id[8:], rand.Uint64())
	return hex.EncodeToString(id[:])
}

func isRequestID(id string) bool {
	if id == "" || len(id) > maxRequestID {
		return false
	}
	for _, c := range []byte(id) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		digit := c >= '0' && c <= '9'
		if !letter && !digit && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}
