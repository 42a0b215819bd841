// Package pages serves the pages for people, and the files they load.
package pages

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path"

	"hubquote/docs"
	"hubquote/internal/api/document"
	"hubquote/internal/api/handler"
	"hubquote/internal/catalog"
	"hubquote/swap"
	"hubquote/web"
)

// Pages are the home page, the reference of the API, the table of error codes,
// and the files that they load.
type Pages struct {
	Home, Docs, Errors handler.Func
	files              map[string]*document.Document // by path below /page/
}

// New makes the pages for a catalog. The pins are the facts that the home page
// compares quotes with; without them it asks for none.
func New(c *catalog.Catalog, pins []byte) (*Pages, error) {
	home, err := renderHome(c)
	if err != nil {
		return nil, err
	}
	files, err := pageFiles(pins, c)
	return &Pages{
		Home: page(html(home)), Docs: page(html(docs.Reference)), Errors: page(html(docs.Errors)),
		files: files,
	}, err
}

func html(body []byte) *document.Document {
	return document.New(contentTypes[".html"], body).Compressed()
}

func renderHome(c *catalog.Catalog) ([]byte, error) {
	t, err := template.ParseFS(web.Files(), "*.html")
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	err = t.ExecuteTemplate(&body, "index.html", map[string]any{
		"Reference": c.Reference(), "Deployment": c.Deployment(), "Routes": len(c.Routes()),
		"Example": example(c.Routes()[0]),
	})
	return body.Bytes(), err
}

// explorers are the sites that show transactions, of all networks that a swap can
// touch.
func explorers(c *catalog.Catalog) map[swap.ChainID]string {
	sites := map[swap.ChainID]string{}
	for _, r := range c.Routes() {
		for _, id := range []swap.ChainID{r.Src.Network, r.Dst.Network, r.FeeChain} {
			sites[id] = c.Chain(id).Explorer
		}
	}
	return sites
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

// contentTypes are not left to the system, whose table may differ: browsers run
// no module of another type.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// pageFiles are those that pages load: their own, the pins, and the explorers.
func pageFiles(pins []byte, c *catalog.Catalog) (map[string]*document.Document, error) {
	list, err := document.NewJSON(explorers(c))
	if err != nil {
		return nil, err
	}
	files := map[string]*document.Document{"explorers.json": list.Compressed()}
	if pins != nil {
		files["pins.json"] = document.New("application/json", pins).Compressed()
	}
	err = fs.WalkDir(web.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".html" {
			return err
		}
		contentType := contentTypes[path.Ext(name)]
		if contentType == "" {
			return fmt.Errorf("page file %s is of no known type", name)
		}
		body, err := fs.ReadFile(web.Files(), name)
		files[name] = document.New(contentType, body).Compressed()
		return err
	})
	return files, err
}

// pagePolicy lets a page run its own files and talk to its own server, and
// nothing else: the transaction that a wallet signs must not depend on a foreign
// script. Wallets show their icons as data.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// page serves a document with the policy. A page's address may name a recipient,
// which other servers must not learn.
func page(d *document.Document) handler.Func {
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Content-Security-Policy", pagePolicy)
		w.Header().Set("Referrer-Policy", "no-referrer")
		return d.Serve(w, r)
	}
}

// File serves a file that a page loads.
func (p *Pages) File(w http.ResponseWriter, r *http.Request) error {
	d := p.files[r.PathValue("file")]
	if d == nil {
		return handler.NotFound(w, r)
	}
	return page(d)(w, r)
}
