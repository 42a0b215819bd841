package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"hubquote/internal/catalog"
	"hubquote/swap"
)

// rate is what every partner takes, and lie what a liar says it takes.
const (
	rate swap.Rate = 2_500
	lie  swap.Rate = 40_000
)

// partners are registered and active on all chains.
func partners() (list []swap.Integrator) {
	for i := range 16 {
		wallet := swap.Address{0xa1, 0x1c, 0xe0, 19: byte(i)}
		list = append(list, swap.Integrator{ID: swap.IntegratorIDOf(wallet), Wallet: wallet, Rate: rate})
	}
	return list
}

// A node answers for one chain with a registry in which everybody is a partner.
type node struct {
	chain    swap.ChainID
	registry swap.Address
}

func (n *node) answer(w http.ResponseWriter, body []byte, _ *http.Request, f fault) {
	var req struct {
		ID     json.RawMessage
		Method string
		Params []json.RawMessage
	}
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, req.ID, n.result(req.Method, req.Params, f))
}

func (n *node) result(method string, params []json.RawMessage, f fault) string {
	switch method {
	case "eth_chainId":
		if f == foreign {
			return `"0x5"`
		}
		return fmt.Sprintf(`"0x%x"`, n.chain)
	case "eth_getBlockByNumber":
		return fmt.Sprintf(`{"number":"0x10","hash":"0x%064x","timestamp":"0x%x"}`, n.chain, time.Now().Unix())
	case "eth_call":
		var call struct{ To, Data string }
		if json.Unmarshal(params[0], &call) != nil || call.To != n.registry.String() {
			return `"0x"`
		}
		said := rate
		if f == lying {
			said = lie
		}
		return fmt.Sprintf(`"0x%064s%064x%064x"`, call.Data[len(call.Data)-40:], said, 1)
	}
	return "null"
}

// newIssuer returns an issuer that charges what it publishes.
func newIssuer(c *catalog.Catalog) func(http.ResponseWriter, []byte, *http.Request, fault) {
	bps := map[string]string{}
	for _, r := range c.Routes() {
		if r.Burn != nil {
			bps[strconv.FormatUint(uint64(r.Burn.Source), 10)] = r.Burn.Published.String()
		}
	}
	return func(w http.ResponseWriter, _ []byte, r *http.Request, f fault) {
		from := path.Base(path.Dir(strings.TrimSuffix(r.URL.Path, "/")))
		fee, ok := bps[from]
		switch {
		case !ok:
			http.NotFound(w, r)
			return
		case f == dear:
			fee = "90"
		case f == absurd:
			fee = "101"
		}
		fmt.Fprintf(w, `[{"finalityThreshold":1000,"minimumFee":%s},{"finalityThreshold":2000,"minimumFee":0}]`, fee)
	}
}
