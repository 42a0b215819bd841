package ts_test

import (
	"bufio"
	crand "crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"hubquote/client"
	"hubquote/internal/calldata"
	"hubquote/internal/deposit"
	"hubquote/internal/fee"
	"hubquote/internal/shield"
	"hubquote/internal/wire"
	"hubquote/swap"
)

// A line is one question to the other implementation: does it accept quote for
// request, and if not, for which field?
type line struct {
	Request map[string]string `json:"request"`
	Quote   string            `json:"quote"`
	Field   string            `json:"field"` // empty for an honest answer
}

func params(q url.Values) map[string]string {
	m := map[string]string{}
	for name := range q {
		m[name] = q.Get(name)
	}
	return m
}

func writeLines(t *testing.T, w io.Writer, pins *client.Pins, n int) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, compact(t, pins.Text()))
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	random := rand.New(rand.NewPCG(1, 2))
	routes := embedded(t).Routes()
	addresses := vectorAddresses(t)
	for range n {
		route := routes[random.IntN(len(routes))]
		if route.Shields() && random.IntN(4) > 0 { // a proof costs as much as a hundred other checks
			route = routes[random.IntN(len(routes))]
		}
		l, err := newLine(random, route, addresses, pins)
		if err != nil {
			return err
		}
		if err := e.Encode(l); err != nil {
			return err
		}
	}
	return b.Flush()
}

// newLine answers a random request, and lies in half of the answers.
func newLine(random *rand.Rand, route *swap.Route, addresses []string, pins *client.Pins) (line, error) {
	query := randomRequest(random, route, addresses)
	r, err := client.ParseRequest(query.Encode())
	if err != nil {
		return line{}, err
	}
	answer, err := randomAnswer(random, route, r)
	if err != nil {
		return line{}, err
	}
	if random.IntN(2) == 0 {
		spoil(random, answer)
	}
	return line{params(query), string(answer), verdict(r, answer, pins)}, nil
}

// verdict is the field that Verify refuses an answer for, or nothing.
func verdict(r swap.Request, answer []byte, pins *client.Pins) string {
	_, err := client.Verify(r, answer, pins)
	m, mismatch := errors.AsType[*client.Mismatch](err)
	switch {
	case err == nil:
		return ""
	case mismatch:
		return m.Field
	case errors.Is(err, client.ErrUnproven):
		return "unproven"
	default:
		return err.Error()
	}
}

func randomRequest(random *rand.Rand, r *swap.Route, addresses []string) url.Values {
	var span, amount swap.Amount
	span.Sub(&r.Limits.Max, &r.Limits.Min)
	span.AddUint64(&span, 1)
	amount.SetBytes(randomBytes(random, 32))
	amount.Mod(&amount, &span)
	amount.Add(&amount, &r.Limits.Min)
	q := url.Values{
		"srcChain": {r.Src.ID.String()}, "srcToken": {spelling(random, r.SrcToken)},
		"dstChain": {r.Dst.ID.String()}, "dstToken": {spelling(random, r.DstToken)},
		"amount": {amount.Dec()}, "recipient": {swap.Address(randomBytes(random, 20)).String()},
	}
	if r.Shields() {
		q.Set("recipient", addresses[random.IntN(len(addresses))])
	}
	if random.IntN(3) == 0 {
		q.Set("integratorId", swap.Address(randomBytes(random, 20)).String())
	}
	return q
}

// spelling is one of the ways to name a token.
func spelling(random *rand.Rand, t *swap.Token) string {
	switch random.IntN(4) {
	case 0:
		return strings.ToLower(t.Symbol)
	case 1:
		return t.Address.String()
	case 2:
		return strings.ToLower(t.Address.String())
	default:
		return t.Symbol
	}
}

// randomAnswer is an honest answer, as far as that is decided by the request.
func randomAnswer(random *rand.Rand, route *swap.Route, r swap.Request) ([]byte, error) {
	in := wire.Includes{Decoded: random.IntN(8) == 0, Calls: random.IntN(8) == 0, Proof: route.Shields() && random.IntN(4) > 0}
	d := deposit.Deposit{Route: route, Amount: r.Amount, Recipient: calldata.ToAddress(r.Recipient.Address()), Integrator: r.Integrator}
	if route.Burn != nil {
		d.MaxFee.SetUint64(random.Uint64N(r.Amount.Uint64() / 500))
	}
	var partner *swap.Integrator
	if !r.Integrator.IsZero() {
		partner = &swap.Integrator{ID: r.Integrator, Wallet: swap.Address(r.Integrator[12:]), Rate: swap.Rate(random.IntN(10_001))}
	}
	q := &swap.Quote{Route: route, Amount: r.Amount}
	var err error
	if route.Shields() {
		if d.Recipient, q.Proof, err = noteFor(r.Recipient.Private()); err != nil {
			return nil, err
		}
	}
	if q.Received, q.Fees, err = fee.Split(route, &r.Amount, partner); err != nil {
		return nil, err
	}
	q.Payload = d.Payload()
	if q.Payload.Call, err = d.Check(&q.Payload); err != nil {
		return nil, err
	}
	return json.Marshal(wire.NewV3(q, in))
}

func noteFor(a swap.PrivateAddress) (calldata.Recipient, *swap.Proof, error) {
	note, proof, err := shield.Encrypt(a, crand.Reader)
	return calldata.ToNote(note[:]), &proof, err
}

// inHex finds what is in hexadecimal, two digits for each byte.
var inHex = regexp.MustCompile(`"0x((?:[0-9a-fA-F]{2})+)"`)

// spoil changes one byte of something in hexadecimal, or one digit of a number.
func spoil(random *rand.Rand, answer []byte) {
	spans := inHex.FindAllSubmatchIndex(answer, -1)
	if s := spans[random.IntN(len(spans))]; random.IntN(4) > 0 {
		i := s[2] + 2*random.IntN((s[3]-s[2])/2)
		const lower = 0x20
		answer[i] = "89abcdef01234567"[strings.IndexByte("0123456789abcdef", answer[i]|lower)]
		return
	}
	for {
		// The digit one up leaves JSON that both read: 08 would be none.
		if i := random.IntN(len(answer)); '1' <= answer[i] && answer[i] <= '8' {
			answer[i]++
			return
		}
	}
}

func randomBytes(random *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}

// vectorAddresses are private addresses that are good on every chain.
func vectorAddresses(t *testing.T) (list []string) {
	t.Helper()
	text, err := os.ReadFile("../../internal/shield/testdata/shield.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Address string
			Chain   any
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, v := range file.Vectors {
		if _, err := swap.ParsePrivateAddress(v.Address); err == nil && v.Chain == nil {
			list = append(list, v.Address)
		}
	}
	return list
}
