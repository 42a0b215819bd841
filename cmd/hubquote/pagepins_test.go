package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hubquote/client"
)

// The page's pins allow what this service may say of the issuer's fee: exactly
// what is published, or with the issuer's own answers anything up to 14 bps.
func TestPagePins(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"the published fee", nil, `"issuerBps":["1.3","1.3"]`},
		{"the issuer's answers", []string{"--issuer", "http://" + freeAddress(t)}, `"issuerBps":["0","14"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h, _ := assemble(t, tt.args...)
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/page/pins.json", nil))
			if !strings.Contains(rec.Body.String(), tt.want) {
				t.Errorf("pins of %d bytes with status %d, want %s in them", rec.Body.Len(), rec.Code, tt.want)
			}
			if _, err := client.ParsePins(rec.Body.Bytes()); err != nil {
				t.Errorf("pins are not readable: %v", err)
			}
		})
	}
}
