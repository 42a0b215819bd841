package api

import (
	"net/http"

	"hubquote/internal/api/document"
	"hubquote/internal/api/handler"
)

// A Check is the state of one thing the service depends on.
type Check struct {
	Name   string `json:"name"`
	Status string `json:"status"` // "ok", "down", or "off" when it is not configured
	Detail string `json:"detail,omitempty"`
}

// The states of a [Check].
const (
	CheckOK   = "ok"
	CheckDown = "down"
	CheckOff  = "off"
)

type healthBody struct {
	Status  string        `json:"status"` // "ok", "degraded" or "draining"
	Version string        `json:"version"`
	Commit  string        `json:"commit"`
	Catalog healthCatalog `json:"catalog"`
	Checks  []Check       `json:"checks"`
}

type healthCatalog struct {
	Digest     string `json:"digest"`
	Deployment string `json:"deployment"`
	Reference  bool   `json:"reference"` // nothing on a public chain
}

// health answers from memory. It answers 200 as long as anything can be quoted:
// restarting the service does not bring an upstream back.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) error {
	c := s.opts.Catalog
	body := healthBody{
		Status: "ok", Version: s.opts.Version, Commit: s.opts.Commit,
		Catalog: healthCatalog{c.Digest(), c.Deployment(), c.Reference()},
		Checks:  []Check{},
	}
	if s.opts.Checks != nil {
		body.Checks = s.opts.Checks()
	}
	for _, check := range body.Checks {
		if check.Status == CheckDown {
			body.Status = "degraded"
		}
	}
	status := http.StatusOK
	if s.draining.Load() {
		body.Status, status = "draining", http.StatusServiceUnavailable
		w.Header().Set("Retry-After", handler.UnavailableRetry)
	}
	return document.WriteJSON(w, status, document.JSON, body)
}
