// Package discovery serves the small files by which programs find out what a
// server offers: robots.txt, llms.txt, the icon, and those below /.well-known.
package discovery

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"time"

	"hubquote/docs"
	"hubquote/internal/api/document"
	"hubquote/internal/api/handler"
	"hubquote/web"
)

const (
	plain   = "text/plain; charset=utf-8"
	linkset = `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`
)

// Files returns the files by path. The contact is the URI for reports of
// vulnerabilities; without one there is no security.txt, which must name one.
func Files(contact string) (map[string]handler.Func, error) {
	icon, err := fs.ReadFile(web.Files(), "icon.svg")
	if err != nil {
		return nil, err
	}
	apis, err := json.Marshal(catalog)
	if err != nil {
		return nil, err
	}
	files := map[string]handler.Func{
		"/robots.txt":              document.New(plain, []byte(robots)).Serve,
		"/llms.txt":                document.New(plain, docs.Agents).Compressed().Serve,
		"/favicon.ico":             document.New("image/svg+xml", icon).Serve,
		"/.well-known/api-catalog": document.New(linkset, apis).Serve,
	}
	if contact != "" {
		files["/.well-known/security.txt"] = security(contact)
	}
	return files, nil
}

// Quotes are made for one client, and a crawler would use up its rate limit.
const robots = `User-agent: *
Disallow: /v1/
Disallow: /v3/
Disallow: /swap/
Allow: /
`

// A link is a target of RFC 9264.
type link struct {
	Href string `json:"href"`
	Type string `json:"type"`
}

// catalog is the list of APIs of RFC 9727: there is one.
var catalog = map[string]any{"linkset": []map[string]any{{
	"anchor":       "/v3/",
	"service-desc": []link{{"/openapi.json", "application/json"}},
	"service-doc":  []link{{"/docs", "text/html"}, {"/errors", "text/html"}, {"/llms.txt", "text/plain"}},
	"status":       []link{{"/v3/swap/healthcheck", "application/json"}},
}}}

// contactLife is how long a reader may rely on the contact: RFC 9116 advises
// less than a year.
const contactLife = 180 * 24 * time.Hour

// security is RFC 9116's file. Its date is that of the request, so that a
// server that runs for long does not serve one that is over.
func security(contact string) handler.Func {
	return func(w http.ResponseWriter, r *http.Request) error {
		expires := time.Now().UTC().Truncate(24 * time.Hour).Add(contactLife).Format(time.RFC3339)
		body := fmt.Sprintf("Contact: %s\nExpires: %s\nPreferred-Languages: en\n", contact, expires)
		return document.Write(w, http.StatusOK, []string{plain}, []byte(body))
	}
}
