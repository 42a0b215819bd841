// Package symbols serves a picture for each token: a disc with the letters of its
// symbol, drawn here, because the issuers' own logos are not free to pass on.
package symbols

import (
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"html"
	"net/http"

	"hubquote/internal/api/document"
	"hubquote/internal/api/handler"
	"hubquote/internal/catalog"
)

// Symbols are the pictures of a catalog's tokens.
type Symbols map[string]*document.Document // by file name

// New draws the symbols of a catalog.
func New(c *catalog.Catalog) Symbols {
	s := Symbols{}
	for _, t := range c.Tokens() {
		s[t.Symbol+".svg"] = document.New("image/svg+xml", draw(t.Symbol)).Kept(aDay)
	}
	return s
}

const aDay = 24 * 60 * 60 // in seconds

// Serve serves one picture. Opened by itself it may load and run nothing.
func (s Symbols) Serve(w http.ResponseWriter, r *http.Request) error {
	d := s[r.PathValue("file")]
	if d == nil {
		return handler.NotFound(w, r)
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
	return d.Serve(w, r)
}

// URI is the picture of a symbol in the address itself. The schema of token lists
// wants an absolute address, and a server behind proxies does not know its own.
func URI(symbol string) string {
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(draw(symbol))
}

// colours are all dark enough for white letters: 4.5 to 1 at least.
var colours = []string{"#334155", "#b45309", "#be123c", "#a21caf", "#4d7c0f", "#0f766e", "#1d4ed8", "#7c3aed"}

// draw is a disc of 64 units with the symbol in it. The width of the letters is
// given, so that they fit in every font.
func draw(symbol string) []byte {
	hash := fnv.New32a()
	hash.Write([]byte(symbol))
	colour := colours[hash.Sum(nil)[0]%byte(len(colours))] // differs for all tokens of the built-in catalog
	width := min(50, 14*len(symbol))
	height := min(24, 96/max(1, len(symbol)))
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">`+
		`<circle cx="32" cy="32" r="32" fill="%s"/>`+
		`<text x="32" y="%d" fill="#fff" font-family="sans-serif" font-weight="700" font-size="%d" text-anchor="middle" textLength="%d" lengthAdjust="spacingAndGlyphs">%s</text></svg>`,
		colour, 32+height*7/20, height, width, html.EscapeString(symbol))
}
