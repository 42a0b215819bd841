package main

import (
	"net/http"
	"os"

	"hubquote/internal/api"
	"hubquote/internal/catalog"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
)

func main() {
	c, _ := catalog.Embedded()
	q, _ := quoter.New(quoter.Options{Catalog: c, IssuerFees: issuer.Published{}})
	s, err := api.New(api.Options{Quoter: q, Catalog: c, Version: "dev", Checks: func() []api.Check {
		return []api.Check{{Name: "integrators", Status: "off", Detail: "no RPC endpoint is configured"}, {Name: "issuer fee", Status: "ok", Detail: "published schedule"}}
	}})
	if err != nil {
		panic(err)
	}
	http.ListenAndServe(os.Args[1], s)
}
