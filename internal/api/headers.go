package api

import (
	"fmt"
	"math/rand/v2"
	"net/http"
)

const (
	allowedMethods = "GET, HEAD, OPTIONS"
	exposedHeaders = "Deprecation, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"
)

// setHeaders puts on what every response carries: without them on errors too, a
// browser would report a refused request as a CORS failure.
func setHeaders(h http.Header, requestID string) {
	h.Set("X-Request-Id", requestID)
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", exposedHeaders)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
}

// preflight answers a browser that asks whether it may ask.
func preflight(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", allowedMethods)
	h.Set("Access-Control-Allow-Headers", "*")
	h.Set("Access-Control-Max-Age", "86400")
	h.Set("Allow", allowedMethods)
	w.WriteHeader(http.StatusNoContent)
}

type requestIDKey struct{}

// requestIDOf returns the ID that [Server.ServeHTTP] gave the request.
func requestIDOf(r *http.Request) string {
	id, _ := r.Context().Value(requestIDKey{}).(string)
	return id
}

const maxRequestID = 64

// requestID returns the client's own ID if it is harmless in a log and in a
// header, else a new one.
func requestID(h http.Header) string {
	if id := h.Get("X-Request-Id"); isRequestID(id) {
		return id
	}
	return fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64())
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
