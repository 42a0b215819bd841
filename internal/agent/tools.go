package agent

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hubquote/client"
	"hubquote/internal/ask"
	"hubquote/internal/show"
	"hubquote/internal/spans"
	"hubquote/internal/wire"
	"hubquote/internal/wire/decoded"
	"hubquote/swap"
)

type tools struct {
	opts   Options
	served []*swap.Route // by the built-in catalog
}

// chains are those of the user's own nodes, in order.
func (t *tools) chains() []swap.ChainID { return slices.Sorted(maps.Keys(t.opts.Nodes)) }

// A swapInput describes a swap.
type swapInput struct {
	From       string `json:"from" jsonschema:"token to give, with its chain, such as USDC@369"`
	To         string `json:"to" jsonschema:"token to get, with its chain, such as USDC@8453"`
	Amount     string `json:"amount" jsonschema:"number of whole tokens to give, such as 25.5"`
	Recipient  string `json:"recipient" jsonschema:"address to pay: an EVM address, or a 0zk address for a privacy pool"`
	RefundTo   string `json:"refundTo,omitempty" jsonschema:"address on the source chain that gets the deposit back if the swap cannot be paid; without it the sender does"`
	Integrator string `json:"integrator,omitempty" jsonschema:"wallet of the partner to name, if there is one"`
}

// A verified is a quote that may be signed.
type verified struct {
	Verdict string `json:"verdict"` // always proved
	Checked string `json:"checked"` // what it was compared with
	Quote   any    `json:"quote"`
}

func (t *tools) quote(_ context.Context, _ *mcp.CallToolRequest, in swapInput) (*mcp.CallToolResult, verified, error) {
	asked := ask.Flags{From: in.From, To: in.To, Amount: in.Amount, Recipient: in.Recipient, RefundTo: in.RefundTo, Integrator: in.Integrator}
	r, err := asked.Request(t.opts.Ask.Pins)
	if err != nil {
		return nil, verified{}, refusal(err)
	}
	q, err := ask.Quote(r, t.opts.Ask)
	if err != nil {
		return nil, verified{}, refusal(err)
	}
	return nil, t.proved(q), nil
}

type verifyInput struct {
	Request string `json:"request" jsonschema:"query string or address that the answer was asked for with"`
	Answer  string `json:"answer" jsonschema:"the server's answer, as text"`
}

func (t *tools) verify(_ context.Context, _ *mcp.CallToolRequest, in verifyInput) (*mcp.CallToolResult, verified, error) {
	r, err := client.ParseRequest(in.Request)
	if err != nil {
		return nil, verified{}, refusal(err)
	}
	q, err := client.Verify(r, []byte(in.Answer), t.opts.Ask.Pins)
	if err != nil {
		return nil, verified{}, refusal(err)
	}
	return nil, t.proved(q), nil
}

// proved shows a quote with its calls spelled out, so that an agent need not
// read calldata.
func (t *tools) proved(q *swap.Quote) verified {
	return verified{
		Verdict: "proved",
		Checked: fmt.Sprintf("every field and byte is equal to what the pins of deployment %s (catalog %s) give for the request", t.opts.Ask.Pins.Deployment(), t.opts.Ask.Pins.Catalog()),
		Quote:   wire.NewV3(q, wire.Includes{Decoded: true}),
	}
}

type decodeInput struct {
	Calldata string `json:"calldata" jsonschema:"0x and hexadecimal digits"`
}

func (t *tools) decode(_ context.Context, _ *mcp.CallToolRequest, in decodeInput) (*mcp.CallToolResult, any, error) {
	digits, ok := strings.CutPrefix(in.Calldata, "0x")
	call, err := hex.DecodeString(digits)
	if !ok || err != nil {
		return nil, nil, errors.New("not calldata: write 0x and an even number of hexadecimal digits")
	}
	d, err := decoded.Parse(call)
	if err != nil {
		return nil, nil, fmt.Errorf("not a call of a quote in its one valid encoding: %s", spans.Fault(call))
	}
	return nil, d, nil
}

type routesInput struct {
	From string `json:"from,omitempty" jsonschema:"only what starts there: a token such as USDC, a chain such as @369, or both, such as USDC@369"`
	To   string `json:"to,omitempty" jsonschema:"only what ends there, likewise"`
}

type routesOutput struct {
	Routes any `json:"routes"`
}

func (t *tools) routes(_ context.Context, _ *mcp.CallToolRequest, in routesInput) (*mcp.CallToolResult, routesOutput, error) {
	list := show.Matching(t.served, in.From, in.To)
	if len(list) == 0 {
		return nil, routesOutput{}, errors.New("there are no such routes; leave out from or to to see more")
	}
	return nil, routesOutput{show.ListRoutes(list)}, nil
}
