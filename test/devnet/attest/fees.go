package attest

import (
	"encoding/json"
	"net/http"
	"strconv"

	"hubquote/swap"
)

// A tier is one row of the fee table, in basis points.
type tier struct {
	FinalityThreshold int         `json:"finalityThreshold"`
	MinimumFee        json.Number `json:"minimumFee"`
}

func (a *Attester) fees(w http.ResponseWriter, r *http.Request) {
	source, err := strconv.ParseUint(r.PathValue("source"), 10, 32)
	rate, published := a.opts.Rates[swap.Domain(source)] // also of chains that do not run here
	if err != nil || !published && a.opts.Chains[swap.Domain(source)] == nil {
		answer(w, http.StatusNotFound, map[string]string{"error": "no such lane"})
		return
	}
	answer(w, http.StatusOK, []tier{
		{fast, json.Number(rate.String())},
		{standard, "0"},
	})
}
