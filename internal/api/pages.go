package api

import (
	"bytes"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"hubquote/internal/catalog"
	"hubquote/swap"
	"hubquote/web"
)

const html = "text/html; charset=utf-8"

func homePage(c *catalog.Catalog) (*document, error) {
	return render(web.Home, map[string]any{
		"Reference": c.Reference(), "Digest": c.Digest(), "Routes": len(c.Routes()),
		"Example": example(c.Routes()[0]),
	})
}

// example is a request for the smallest swap on a route.
func example(r *swap.Route) string {
	q := url.Values{
		"srcChain": {r.Src.ID.String()}, "srcToken": {r.SrcToken.Symbol},
		"dstChain": {r.Dst.ID.String()}, "dstToken": {r.DstToken.Symbol},
		"amount": {r.Limits.Min.Dec()}, "recipient": {"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"},
	}
	return "http://127.0.0.1:8080/v3/swap/quote?" + q.Encode()
}

// An explanation is one row of the page of error codes.
type explanation struct {
	Code, Anchor, Title, Advice string
	Status                      int
}

func errorsPage() (*document, error) {
	var rows []explanation
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
	return render(web.Errors, rows)
}

func render(page string, data any) (*document, error) {
	t, err := template.New("").Parse(page)
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	if err := t.Execute(&body, data); err != nil {
		return nil, err
	}
	return newDocument(html, body.Bytes()), nil
}
