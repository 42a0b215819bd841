package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"hubquote/client"
	"hubquote/docs"
	"hubquote/swap"
)

// Ask once where a swap is, by the hash of any of its transactions.
func ExampleClient_Track() {
	server := exampleSettled("paying")
	defer server.Close()
	c, err := client.New(server.URL)
	if err != nil {
		log.Fatal(err)
	}
	t, err := c.Track(context.Background(), exampleHash, client.OnChain(369))
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range t.Orders {
		fmt.Println(s.Stage, s.Reason, "at", s.Mark)
	}
	// Output:
	// paying liquidity at 0.3
}

// Wait for the end. Cancel the context to stop earlier.
func ExampleClient_WaitFor() {
	server := exampleSettled("confirming", "paid", "done")
	defer server.Close()
	c, err := client.New(server.URL)
	if err != nil {
		log.Fatal(err)
	}
	_, err = c.WaitFor(context.Background(), exampleHash, func(t *swap.Tracking) bool {
		fmt.Println(t.Orders[0].Stage)
		return false // nothing ends the wait but the end of the swap
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// confirming
	// paid
	// done
}

// Compare what a server says with your own nodes. Without a node for its chain a
// leg is told only; what contradicts the pins or a node is an error.
func ExampleClient_Prove() {
	server := exampleSettled("done")
	defer server.Close()
	c, err := client.New(server.URL)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	t, err := c.Track(ctx, exampleHash)
	if err != nil {
		log.Fatal(err)
	}
	nodes := map[swap.ChainID]client.Node{} // such as 369: the *rpc.Client of go-ethereum
	reports, err := c.Prove(ctx, exampleHash, t, nodes)
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range reports[0].Legs {
		fmt.Println(l.Kind, "on", l.Chain, "proved:", l.Proved, l.Why)
	}

	t.Orders[0].Order.Recipient[0]++ // a server that names another recipient
	_, err = c.Prove(ctx, exampleHash, t, nodes)
	if lie, ok := errors.AsType[*client.Contradiction](err); ok {
		fmt.Println("not true:", lie.Field)
	}
	// Output:
	// deposit on 369 proved: false no node of this chain is given
	// payment on 8453 proved: false no node of this chain is given
	// not true: orderId
}

// exampleHash is the transaction of the examples in the OpenAPI document.
var exampleHash = func() (h swap.Hash) {
	for i := range h {
		h[i] = 0xa1
	}
	return h
}()

// exampleSettled is a server that answers with these examples of the OpenAPI
// document in turn.
func exampleSettled(stages ...string) *httptest.Server {
	var doc struct {
		Paths map[string]struct {
			Get struct {
				Responses map[string]struct {
					Content map[string]struct {
						Examples map[string]struct{ Value json.RawMessage }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(docs.OpenAPI, &doc); err != nil {
		log.Fatal(err)
	}
	answers := doc.Paths["/v3/swap/status"].Get.Responses["200"].Content["application/json"].Examples
	asked := 0
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(answers[stages[min(asked, len(stages)-1)]].Value)
		asked++
	}))
}
