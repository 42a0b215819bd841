package client_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	"hubquote/client"
	"hubquote/internal/catalog"
	"hubquote/internal/service"
	"hubquote/swap"
	"hubquote/test/fake"
)

const exampleQuery = "srcChain=369&srcToken=USDC&dstChain=8453&dstToken=USDC&amount=25500000&recipient=0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

// A request is read from a query string, as a server or a link has it.
func ExampleParseRequest() {
	request, err := client.ParseRequest(exampleQuery)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(request.SrcToken, "on", request.SrcChain, "to", request.DstToken, "on", request.DstChain)

	_, err = client.ParseRequest("srcToken=USDC&dstToken=USDC&amount=25.5")
	fmt.Println(err)
	// Output:
	// USDC on 369 to USDC on 8453
	// amount: AMOUNT_INVALID: not a positive integer: write it in decimal digits without sign, point or leading zeros
}

// Ask a server, and sign what comes back: it was derived here, from the pins.
func ExampleClient_Quote() {
	server := exampleServer() // yours is at an address such as https://quotes.example
	defer server.Close()

	pins, err := client.EmbeddedPins() // in production: client.ReadPins("pins.json")
	if err != nil {
		log.Fatal(err)
	}
	c, err := client.New(server.URL, client.WithPins(pins))
	if err != nil {
		log.Fatal(err)
	}
	request, err := client.ParseRequest(exampleQuery)
	if err != nil {
		log.Fatal(err)
	}
	quote, err := c.Quote(context.Background(), request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("receive", swap.FormatUnits(&quote.Received, quote.Route.DstToken.Decimals), quote.Route.DstToken.Symbol)

	// Each transaction is mined before the next is sent. The approval can be
	// left out if the allowance is large enough.
	send := func(to swap.Address, data []byte, value swap.Amount) {
		fmt.Println("send", len(data), "bytes with value", value.Dec(), "on chain", quote.Route.Src.Network)
	}
	if a := quote.Payload.Approval; a != nil { // not for native coin
		if a.Reset != nil { // for tokens that want an allowance of zero first
			send(a.Token, a.Reset, swap.Amount{})
		}
		send(a.Token, a.Calldata, swap.Amount{})
	}
	send(quote.Payload.To, quote.Payload.Calldata, quote.Payload.Value)
	// Output:
	// receive 25.3725 USDC
	// send 68 bytes with value 0 on chain 369
	// send 260 bytes with value 0 on chain 369
}

// Verify an answer that came some other way, such as through a browser.
func ExampleVerify() {
	server := exampleServer()
	defer server.Close()
	response, err := http.Get(server.URL + "/v3/swap/quote?" + exampleQuery)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}

	pins, err := client.EmbeddedPins()
	if err != nil {
		log.Fatal(err)
	}
	request, err := client.ParseRequest(exampleQuery)
	if err != nil {
		log.Fatal(err)
	}
	quote, err := client.Verify(request, body, pins)
	fmt.Println(quote.Received.Dec(), err)

	altered := bytes.Replace(body, []byte("79c8"), []byte("79c9"), 1)
	_, err = client.Verify(request, altered, pins)
	if m, ok := errors.AsType[*client.Mismatch](err); ok {
		fmt.Println(m.Code, m.Field)
	}
	// Output:
	// 25372500 <nil>
	// FIELD_DIFFERS methodParameters.calldata.recipient
}

// Every error of Quote is one of these.
func ExampleClient_Quote_errors() {
	server := exampleServer()
	defer server.Close()
	c, err := client.New(server.URL)
	if err != nil {
		log.Fatal(err)
	}
	request, err := client.ParseRequest(exampleQuery + "&integratorId=0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC")
	if err != nil {
		log.Fatal(err)
	}
	_, err = c.Quote(context.Background(), request)

	var mismatch *client.Mismatch
	var unproven *client.Unproven
	var refusal *client.Refusal
	var invalid *swap.Error
	switch {
	case errors.As(err, &mismatch): // the answer must not be signed
		fmt.Println(mismatch.Code, mismatch.Field)
	case errors.As(err, &unproven): // the quote holds but for these reasons
		fmt.Println(unproven.Reasons[0].Code)
	case errors.As(err, &refusal): // the server has no quote to give
		fmt.Println(refusal.Status, swap.CodeOf(refusal))
	case errors.As(err, &invalid): // the pins refuse the request; it was not sent
		fmt.Println(invalid.Code, invalid.Param)
	case err != nil: // no answer
		fmt.Println(err)
	}
	// Output:
	// INTEGRATOR_RATE_UNPINNED
}

// A quote whose integrator is not pinned is taken when that is accepted by name.
func ExampleAccept() {
	server := exampleServer()
	defer server.Close()
	c, err := client.New(server.URL, client.Accept(client.IntegratorRateUnpinned))
	if err != nil {
		log.Fatal(err)
	}
	request, err := client.ParseRequest(exampleQuery + "&integratorId=0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC")
	if err != nil {
		log.Fatal(err)
	}
	quote, err := c.Quote(context.Background(), request)
	fmt.Println(quote.Fees.Integrator.Rate.Percent(), "%", err)
	// Output:
	// 0.25 % <nil>
}

// exampleServer is a server of the reference deployment on this machine.
func exampleServer() *httptest.Server {
	c, err := catalog.Embedded()
	if err != nil {
		log.Fatal(err)
	}
	s, err := service.New(service.Options{Catalog: c, Integrators: fake.Partners(partner.Rate)})
	if err != nil {
		log.Fatal(err)
	}
	return httptest.NewServer(s.Handler())
}
