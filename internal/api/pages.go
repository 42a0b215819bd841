package api

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"hubquote/docs"
	"hubquote/internal/catalog"
	"hubquote/swap"
	"hubquote/web"
)

// pages are what people see, and the files they load.
type pages struct {
	home, docs, errors *document
	files              map[string]*document // by path below /page/
}

func newPages(c *catalog.Catalog, pins []byte) (p pages, err error) {
	t, err := template.New("").Funcs(template.FuncMap{"prose": prose}).ParseFS(web.Files(), "*.html")
	if err != nil {
		return p, err
	}
	reference, err := newReference(docs.OpenAPI)
	if err != nil {
		return p, err
	}
	codes := explanations()
	if p.home, err = render(t, "index.html", homeData(c)); err != nil {
		return p, err
	}
	if p.docs, err = render(t, "docs.html", map[string]any{"API": reference, "Codes": codes}); err != nil {
		return p, err
	}
	if p.errors, err = render(t, "errors.html", map[string]any{"Codes": codes}); err != nil {
		return p, err
	}
	p.files, err = pageFiles(pins)
	return p, err
}

func homeData(c *catalog.Catalog) map[string]any {
	return map[string]any{
		"Reference": c.Reference(), "Deployment": c.Deployment(), "Routes": len(c.Routes()),
		"Example": example(c.Routes()[0]),
	}
}

// example is a request for the smallest swap on a route, for readers without
// scripts.
func example(r *swap.Route) string {
	q := url.Values{
		"srcChain": {r.Src.ID.String()}, "srcToken": {r.SrcToken.Symbol},
		"dstChain": {r.Dst.ID.String()}, "dstToken": {r.DstToken.Symbol},
		"amount": {r.Limits.Min.Dec()}, "recipient": {"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"},
	}
	return "/v3/swap/quote?" + q.Encode()
}

func render(t *template.Template, name string, data any) (*document, error) {
	var body bytes.Buffer
	if err := t.ExecuteTemplate(&body, name, data); err != nil {
		return nil, err
	}
	return newDocument(contentTypes[".html"], body.Bytes()).compressed(), nil
}

// contentTypes are spelled out: what the system knows differs from one to the
// next, and browsers run no module of another type.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// pageFiles are what the page loads: its own files, and the pins it holds quotes
// against.
func pageFiles(pins []byte) (map[string]*document, error) {
	files := map[string]*document{}
	if pins != nil {
		files["pins.json"] = newDocument("application/json", pins).compressed()
	}
	err := fs.WalkDir(web.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".html" {
			return err
		}
		contentType := contentTypes[path.Ext(name)]
		if contentType == "" {
			return fmt.Errorf("page file %s is of no known type", name)
		}
		body, err := fs.ReadFile(web.Files(), name)
		files[name] = newDocument(contentType, body).compressed()
		return err
	})
	return files, err
}

// pagePolicy lets a page run its own files and talk to its own server, and
// nothing else: what a wallet is asked to sign must not depend on any
// script but ours. Wallets show their icons as data.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// page serves a document with the page's policy. Its address may name a
// recipient, which other sites must not learn.
func page(d *document) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Content-Security-Policy", pagePolicy)
		w.Header().Set("Referrer-Policy", "no-referrer")
		return d.serve(w, r)
	}
}

func (p *pages) file(w http.ResponseWriter, r *http.Request) error {
	d := p.files[r.PathValue("file")]
	if d == nil {
		return notFound(w, r)
	}
	return page(d)(w, r)
}

// An explanation is one row of the table of error codes.
type explanation struct {
	Code, Anchor, Title, Advice string
	Status                      int
}

func explanations() (rows []explanation) {
	for code, k := range kinds {
		advice := "Fix"
		switch {
		case k.retryable:
			advice = "Wait"
		case k.status >= http.StatusInternalServerError:
			advice = "Report"
		}
		_, anchor, _ := strings.Cut(problemType(code), "#")
		rows = append(rows, explanation{string(code), anchor, k.title, advice, k.status})
	}
	slices.SortFunc(rows, func(a, b explanation) int { return strings.Compare(a.Code, b.Code) })
	return rows
}
