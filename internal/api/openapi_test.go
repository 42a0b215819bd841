package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"hubquote/docs"
	"hubquote/internal/api"
	"hubquote/test/quotes"
)

// Every answer the service gives is one that its OpenAPI document describes.
func TestOpenAPI(t *testing.T) {
	doc, router := loadOpenAPI(t)
	s := newServer(t, api.Options{})
	cases, err := quotes.Load(quotesDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		checkResponse(t, router, s, "/v3/swap/quote?"+c.Query.Encode())
		checkResponse(t, router, s, "/v3/swap/quote?include=proof&"+c.Query.Encode())
		checkResponse(t, router, s, "/v3/swap/quote?include=decoded&refundTo="+refundTo+"&"+c.Query.Encode())
		checkResponse(t, router, s, "/v3/swap/quote?revision=1&"+c.Query.Encode())
		checkResponse(t, router, s, "/v1/quote?"+c.Query.Encode())
	}
	for _, tt := range errorTests {
		if tt.status != 404 && tt.status != 414 {
			checkResponse(t, router, s, tt.target)
		}
	}
	for path := range doc.Paths.Map() {
		checkResponse(t, router, s, path)
	}
}

func TestOpenAPIListsEveryCode(t *testing.T) {
	doc, _ := loadOpenAPI(t)
	listed := doc.Components.Schemas["Code"].Value.Enum
	var want []any
	for _, code := range codes(t) {
		want = append(want, string(code))
	}
	if !slices.Equal(listed, want) {
		t.Errorf("codes in the document %v, want %v", listed, want)
	}
}

// The warning of a burn that pays its sender is described where it is given.
func TestOpenAPIDescribesTheWarning(t *testing.T) {
	doc, _ := loadOpenAPI(t)
	for _, path := range []string{"/v1/quote", "/swap/v1/quote"} {
		if h := doc.Paths.Find(path).Get.Responses.Status(200).Value.Headers["Hubquote-Warning"]; h == nil || h.Value.Description == "" {
			t.Errorf("%s: no description of Hubquote-Warning, want one", path)
		}
	}
}

// loadOpenAPI returns the document, which is read and validated once.
func loadOpenAPI(t *testing.T) (*openapi3.T, routers.Router) {
	t.Helper()
	loaded, err := loadedOpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	return loaded.doc, loaded.router
}

type openAPI struct {
	doc    *openapi3.T
	router routers.Router
}

var loadedOpenAPI = sync.OnceValues(func() (o openAPI, err error) {
	if o.doc, err = openapi3.NewLoader().LoadFromData(docs.OpenAPI); err != nil {
		return o, err
	}
	if err = o.doc.Validate(context.Background()); err != nil {
		return o, err
	}
	o.router, err = legacy.NewRouter(o.doc)
	return o, err
})

func checkResponse(t *testing.T, router routers.Router, s http.Handler, target string) {
	t.Helper()
	r := httptest.NewRequest("GET", target, nil)
	w := get(s, target)
	route, params, err := router.FindRoute(r)
	if err != nil {
		t.Errorf("%s: %v, want it as the document describes", target, err)
		return
	}
	in := &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route}
	out := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: w.Code, Header: w.Header(),
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	}
	out.SetBodyBytes(w.Body.Bytes())
	if err := openapi3filter.ValidateResponse(context.Background(), out); err != nil {
		t.Errorf("%s: %v, want it as the document describes", target, err)
	}
}
