package fake

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"hubquote/swap"
)

// An Issuer is the fee API of the stablecoin's issuer.
type Issuer struct {
	mu     sync.Mutex
	fee    FeeFunc
	handle func(http.ResponseWriter, *http.Request) bool
	paths  []string
}

// A FeeFunc returns the JSON of a fast burn's fee in basis points, or "" for a
// source that the issuer does not know.
type FeeFunc func(source, gateway swap.Domain) string

// NewIssuer returns an issuer with these fees; its standard tier is free.
func NewIssuer(fee FeeFunc) *Issuer { return &Issuer{fee: fee} }

// Flat returns the same fee for every source.
func Flat(bps string) FeeFunc { return func(_, _ swap.Domain) string { return bps } }

// SetFee replaces the fees.
func (i *Issuer) SetFee(fee FeeFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.fee = fee
}

// SetHandle sets a function that sees every request first and returns true if it
// has answered. Nil removes it.
func (i *Issuer) SetHandle(handle func(http.ResponseWriter, *http.Request) bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.handle = handle
}

// Paths returns the paths that were requested, in their order.
func (i *Issuer) Paths() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]string(nil), i.paths...)
}

func (i *Issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	i.paths = append(i.paths, r.URL.Path)
	fee, handle := i.fee, i.handle
	i.mu.Unlock()
	if handle != nil && handle(w, r) {
		return
	}
	var source, gateway swap.Domain
	bps := ""
	_, lane, _ := strings.Cut(r.URL.Path, "/v2/burn/USDC/fees/") // behind any base path
	if _, err := fmt.Sscanf(lane, "%d/%d", &source, &gateway); err == nil {
		bps = fee(source, gateway)
	}
	if bps == "" {
		http.NotFound(w, r)
		return
	}
	fmt.Fprintf(w, `[{"finalityThreshold":1000,"minimumFee":%s},{"finalityThreshold":2000,"minimumFee":0}]`, bps)
}
