package ts_test

import (
	crand "crypto/rand"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"regexp"
	"slices"
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
	if r.Kind == swap.Direct && random.IntN(3) == 0 || random.IntN(64) == 0 {
		q.Set("refundTo", swap.Address(randomBytes(random, 20)).String())
	}
	if random.IntN(3) == 0 {
		q.Set("integratorId", partners[random.IntN(len(partners))].Wallet.String())
	}
	if in := randomIncludes(random, r); in != (swap.Includes{}) {
		q.Set("include", client.QueryOf(swap.Request{Include: in}).Get("include"))
	}
	return q
}

// partners are two integrators; the rate of the first is pinned.
var partners = []swap.Integrator{newPartner(1, 2_500), newPartner(2, 7_001)}

func newPartner(last byte, rate swap.Rate) swap.Integrator {
	wallet := swap.Address{19: last}
	return swap.Integrator{ID: swap.IntegratorIDOf(wallet), Wallet: wallet, Rate: rate}
}

func randomIncludes(random *rand.Rand, r *swap.Route) swap.Includes {
	return swap.Includes{Decoded: random.IntN(8) == 0, Calls: random.IntN(8) == 0, Proof: r.Shields() && random.IntN(4) > 0}
}

// damage changes a character of up to three parameters, or leaves one empty:
// which of them is blamed depends on the order in which they are read.
func damage(random *rand.Rand, q url.Values) {
	names := slices.Sorted(maps.Keys(q))
	by := []string{"", "0", "1", "9", "a", "b", "q", "A", "x", ".", " ", "é", "\u212a"}
	for range 1 + random.IntN(3) {
		name := names[random.IntN(len(names))]
		old := q.Get(name)
		if old == "" || random.IntN(16) == 0 {
			q.Set(name, "")
			continue
		}
		i := random.IntN(len(old))
		q.Set(name, old[:i]+by[random.IntN(len(by))]+old[i+1:])
	}
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
	in := r.Include
	if random.IntN(16) == 0 {
		in = randomIncludes(random, route) // other fields than the request asks for
	}
	d := deposit.Deposit{Route: route, Amount: r.Amount, Recipient: calldata.ToAddress(r.Recipient.Address()), Integrator: r.Integrator}
	if route.Burn != nil {
		d.MaxFee.SetUint64(random.Uint64N(r.Amount.Uint64() / 500))
	} else if random.IntN(16) > 0 {
		d.RefundTo = r.RefundTo
	}
	var partner *swap.Integrator
	if !r.Integrator.IsZero() {
		partner = &swap.Integrator{ID: r.Integrator, Wallet: swap.Address(r.Integrator[12:]), Rate: partners[random.IntN(2)].Rate}
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

// inHex finds hexadecimal text, two digits for each byte.
var inHex = regexp.MustCompile(`"0x((?:[0-9a-fA-F]{2})+)"`)

// spoil changes an answer in one place: mostly a byte of something in
// hexadecimal or a digit, sometimes any byte of its text.
func spoil(random *rand.Rand, answer []byte) []byte {
	i := random.IntN(len(answer))
	by := []byte("\x00\t \"\\{}[],:.-+eEu019\x1b\x7f\xc3\xff")
	c := by[random.IntN(len(by))]
	switch random.IntN(16) {
	case 0:
		return slices.Insert(answer, i, c)
	case 1:
		return slices.Delete(answer, i, i+1)
	case 2:
		answer[i] = c
	case 3, 4, 5:
		spoilDigit(random, answer)
	default:
		spoilHex(random, answer)
	}
	return answer
}

func spoilHex(random *rand.Rand, answer []byte) {
	spans := inHex.FindAllSubmatchIndex(answer, -1)
	s := spans[random.IntN(len(spans))]
	i := s[2] + 2*random.IntN((s[3]-s[2])/2)
	const lower = 0x20
	answer[i] = "89abcdef01234567"[strings.IndexByte("0123456789abcdef", answer[i]|lower)]
}

func spoilDigit(random *rand.Rand, answer []byte) {
	for {
		if i := random.IntN(len(answer)); '0' <= answer[i] && answer[i] <= '8' {
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
