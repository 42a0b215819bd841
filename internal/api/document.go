package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"

	"hubquote/docs"
	"hubquote/internal/catalog"
)

// A document is an answer that is the same for everyone, made once.
type document struct {
	contentType string
	body        []byte
	etag        string
}

func newDocument(contentType string, body []byte) *document {
	sum := sha256.Sum256(body)
	return &document{contentType, body, `"` + hex.EncodeToString(sum[:12]) + `"`}
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
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("ETag", d.etag)
	if matches(r.Header.Get("If-None-Match"), d.etag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return writeBody(w, http.StatusOK, d.contentType, d.body)
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
	tokens, routes, openAPI *document
	pages                   pages
}

func newViews(c *catalog.Catalog) (v views, err error) {
	if v.tokens, err = newJSON(tokenList(c)); err != nil {
		return v, err
	}
	if v.routes, err = newJSON(routeList(c)); err != nil {
		return v, err
	}
	v.openAPI = newDocument("application/json", docs.OpenAPI)
	v.pages, err = newPages(c)
	return v, err
}
