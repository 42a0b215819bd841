package api

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"hubquote/docs"
	"hubquote/internal/catalog"
)

// A document is an answer that is the same for everyone.
type document struct {
	contentType       []string // as a header
	body              []byte
	gzipped           func() []byte // nil when the document is served as it is only
	etag, gzippedETag string
}

func newDocument(contentType string, body []byte) *document {
	sum := sha256.Sum256(body)
	tag := hex.EncodeToString(sum[:12])
	return &document{contentType: []string{contentType}, body: body, etag: `"` + tag + `"`, gzippedETag: `"` + tag + `-gzip"`}
}

// compressed returns d with a smaller form for clients that read it. It is for
// documents made once: the lists and pages shrink to a fraction. The form is
// made when it is first asked for, so that the server starts at once.
func (d *document) compressed() *document {
	d.gzipped = sync.OnceValue(func() []byte {
		var out bytes.Buffer
		w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // fails for other levels only
		w.Write(d.body)                                         // to memory, which does not fail
		w.Close()
		return out.Bytes()
	})
	return d
}

func newJSON(v any) (*document, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return newDocument("application/json", body.Bytes()), nil
}

// serve lets caches keep the document but ask each time whether it is current:
// a list of contracts must never be an old one.
func (d *document) serve(w http.ResponseWriter, r *http.Request) error {
	body, etag := d.body, d.etag
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Add("Vary", "Accept-Encoding")
	if d.gzipped != nil && acceptsGzip(r.Header) {
		body, etag = d.gzipped(), d.gzippedETag
	}
	w.Header().Set("ETag", etag)
	if matches(r.Header.Get("If-None-Match"), etag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	if etag == d.gzippedETag {
		w.Header().Set("Content-Encoding", "gzip")
	}
	return writeBody(w, http.StatusOK, d.contentType, body)
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

func matches(header, etag string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		if tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/"); tag == etag || tag == "*" {
			return true
		}
	}
	return false
}

// views are the documents made from the catalog.
type views struct {
	tokens, routes, vectors, openAPI *document
	pages                            pages
}

func newViews(c *catalog.Catalog, pins []byte) (v views, err error) {
	if v.tokens, err = newJSON(tokenList(c)); err != nil {
		return v, err
	}
	if v.routes, err = newJSON(routeList(c)); err != nil {
		return v, err
	}
	v.tokens.compressed()
	v.routes.compressed()
	v.vectors = newDocument("application/json", docs.Vectors).compressed()
	v.openAPI = newDocument("application/json", docs.OpenAPI).compressed()
	v.pages, err = newPages(c, pins)
	return v, err
}
