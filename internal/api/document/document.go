// Package document serves bodies: documents that are the same for every client,
// with their tags and compression, and bodies made for one request.
package document

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// A Document is a body that is the same for every client.
type Document struct {
	contentType       []string // as a header
	body              []byte
	gzipped           func() []byte // nil when the document is served as it is only
	etag, gzippedETag string
	caching           string
}

// New returns a document.
func New(contentType string, body []byte) *Document {
	sum := sha256.Sum256(body)
	tag := hex.EncodeToString(sum[:12])
	return &Document{contentType: []string{contentType}, body: body, etag: `"` + tag + `"`, gzippedETag: `"` + tag + `-gzip"`, caching: "no-cache"}
}

// Kept returns d for caches to keep without asking again, for so many seconds. It
// is for documents that are no facts.
func (d *Document) Kept(seconds int) *Document {
	d.caching = fmt.Sprintf("public, max-age=%d", seconds)
	return d
}

// Compressed returns d with a gzipped form for clients that accept it. It is for
// documents made once. The form is made at the first request for it, so that the
// server starts at once.
func (d *Document) Compressed() *Document {
	d.gzipped = sync.OnceValue(func() []byte {
		var out bytes.Buffer
		w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // fails for other levels only
		w.Write(d.body)                                         // to memory, which does not fail
		w.Close()
		return out.Bytes()
	})
	return d
}

// NewJSON returns a document that shows v.
func NewJSON(v any) (*Document, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return New("application/json", body.Bytes()), nil
}

// Serve lets caches keep the document but revalidate it each time, unless it is
// [Document.Kept]: a list of contracts must never be an old one.
//
// It does not use http.ServeContent, which also serves ranges: its answers to bad
// ones are plain text and not problem documents.
func (d *Document) Serve(w http.ResponseWriter, r *http.Request) error {
	body, etag := d.body, d.etag
	h := w.Header()
	h.Set("Cache-Control", d.caching)
	h.Add("Vary", "Accept-Encoding")
	if d.gzipped != nil && acceptsGzip(r.Header) {
		body, etag = d.gzipped(), d.gzippedETag
	}
	h.Set("ETag", etag)
	if matches(r.Header.Get("If-None-Match"), etag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	if etag == d.gzippedETag {
		h.Set("Content-Encoding", "gzip")
	}
	return Write(w, http.StatusOK, d.contentType, body)
}

// acceptsGzip reports whether the client names gzip and does not refuse it with
// a weight of zero.
func acceptsGzip(h http.Header) bool {
	for offer := range strings.SplitSeq(h.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(offer, " ", ""), ";q=")
		if strings.EqualFold(name, "gzip") {
			return strings.Trim(weight, "0.") != "" || weight == ""
		}
	}
	return false
}

// matches compares tags weakly, as RFC 9110 has it for If-None-Match.
func matches(header, etag string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		if tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/"); tag == etag || tag == "*" {
			return true
		}
	}
	return false
}

// The content types that are shared by many responses, as headers.
var (
	JSON    = []string{"application/json"}
	Problem = []string{"application/problem+json"}
)

// WriteJSON marshals before it writes the status, so that a failure can still
// be reported as one.
func WriteJSON(w http.ResponseWriter, status int, contentType []string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return Write(w, status, contentType, append(body, '\n'))
}

// Write always succeeds: when the client is gone, an error could not be reported
// to it.
func Write(w http.ResponseWriter, status int, contentType []string, body []byte) error {
	w.Header()["Content-Type"] = contentType
	w.WriteHeader(status)
	w.Write(body)
	return nil
}
