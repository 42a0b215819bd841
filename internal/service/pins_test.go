package service_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hubquote/client"
	"hubquote/internal/service"
	"hubquote/internal/upstream"
	"hubquote/test/servicetest"
)

// The page's pins allow the issuer's fees that this service may quote: exactly the
// published one, or any up to 20 bps when the issuer's API is used.
func TestPagePins(t *testing.T) {
	issuer, err := upstream.Parse("http://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		opts service.Options
		want string
	}{
		{"the published fee", service.Options{}, `"issuerBps":["1.3","1.3"]`},
		{"the issuer's current fee", service.Options{Issuer: issuer}, `"issuerBps":["0","20"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rec := httptest.NewRecorder()
			servicetest.New(t, tt.opts).Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/page/pins.json", nil))
			if !strings.Contains(rec.Body.String(), tt.want) {
				t.Errorf("pins of %d bytes with status %d, want %s in them", rec.Body.Len(), rec.Code, tt.want)
			}
			if _, err := client.ParsePins(rec.Body.Bytes()); err != nil {
				t.Errorf("ParsePins(the page's pins) = %v, want no error", err)
			}
		})
	}
}
