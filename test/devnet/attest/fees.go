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
	if err != nil || a.opts.Chains[swap.Domain(source)] == nil {
		answer(w, http.StatusNotFound, map[string]string{"error": "no such lane"})
		return
	}
	rate := a.opts.Rates[swap.Domain(source)]
	answer(w, http.StatusOK, []tier{
		{fast, json.Number(rate.String())},
		{standard, "0"},
	})
}
