package witness_test

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"

	"hubquote/swap"
)

// A pair is one that the witness read in the specification.
type pair struct {
	SrcChain   int   `json:"srcChain"`
	SrcToken   token `json:"srcToken"`
	DstChain   int   `json:"dstChain"`
	DstToken   token `json:"dstToken"`
	DstNetwork int   `json:"dstNetwork"`

	Min swap.Amount `json:"min"`
	Max swap.Amount `json:"max"`

	Burns   bool `json:"burns"`
	Shields bool `json:"shields"`
	Private bool `json:"private"` // at either end
	V1      bool `json:"v1"`      // served by the first version too
}

type token struct {
	Symbol   string       `json:"symbol"`
	Address  swap.Address `json:"address"`
	Decimals int          `json:"decimals"`
}

// A recipient is a 0zk address whose keys the witness has; chain is 0 for all.
type recipient struct {
	Chain   int    `json:"chain"`
	Address string `json:"address"`
}

// A request is valid, but for the few whose amount is out of range, and says
// what the registry and the issuer answer if they are asked.
type request struct {
	url    string
	wallet swap.Address
	rate   swap.Rate
	bps    string
}

// A face is one version of the quote endpoint.
type face int

const (
	v3 face = iota
	revision1
	v1
)

type turn struct {
	pair pair
	face face
}

// A generator draws requests from a seed, each pair in each version in turn.
type generator struct {
	*rand.Rand
	wishes wishes
	turns  []turn
	n      int
}

func newGenerator(seed uint64, w wishes) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0)), wishes: w}
	for _, p := range w.Pairs {
		g.turns = append(g.turns, turn{p, v3}, turn{p, revision1})
		if p.V1 {
			g.turns = append(g.turns, turn{p, v1})
		}
	}
	return g
}

func (g *generator) next() request {
	turn := g.turns[g.n%len(g.turns)]
	g.n++
	return g.request(turn.pair, turn.face)
}

func (g *generator) request(p pair, f face) request {
	r := request{wallet: g.address(), rate: g.rate(), bps: g.bps()}
	q := url.Values{
		"srcChain": {strconv.Itoa(p.SrcChain)}, "srcToken": {g.token(p.SrcToken)},
		"dstChain": {strconv.Itoa(p.DstChain)}, "dstToken": {g.token(p.DstToken)},
		"amount": {g.amount(p).String()}, "recipient": {g.recipient(p)},
	}
	path := "/v3/swap/quote"
	switch f {
	case v3:
		g.options(q, p)
	case revision1:
		q.Set("revision", "1")
	case v1:
		path = g.pick("/v1/quote", "/swap/v1/quote")
		if !p.Private {
			g.sender(q)
		}
	}
	r.url = path + "?" + q.Encode()
	return r
}

// sender asks now and then to pay the sender of the transaction, as only the
// first version can.
func (g *generator) sender(q url.Values) {
	switch g.IntN(6) {
	case 0:
		q.Del("recipient")
	case 1:
		q.Set("recipient", swap.Address{}.String())
	}
}

// options adds what only the current version understands.
func (g *generator) options(q url.Values, p pair) {
	set := func(key, value string) {
		if value != "" {
			q.Set(key, value)
		}
	}
	set("revision", g.pick("", "", "2"))
	set("recipientType", g.pick("", "0"))
	if p.Shields {
		set("recipientType", g.pick("", "0", "2"))
	}
	if !p.Burns && g.IntN(3) == 0 {
		q.Set("refundTo", g.spell(g.address()))
	}
	if g.IntN(2) == 0 {
		q.Set("integratorId", g.integrator())
	}
	extras := []string{"decoded", "calls", "proof"}
	g.Shuffle(len(extras), func(i, j int) { extras[i], extras[j] = extras[j], extras[i] })
	set("include", strings.Join(extras[:g.IntN(len(extras)+1)], ","))
}

func (g *generator) integrator() string {
	wallet := g.spell(g.address())
	if g.IntN(2) == 0 {
		return "0x" + strings.Repeat("0", 24) + wallet[2:]
	}
	return wallet
}

// rate is what a registry may hold: up to one percent, in millionths.
func (g *generator) rate() swap.Rate {
	if g.IntN(8) == 0 {
		return []swap.Rate{0, 1, 9, 9_999, 10_000}[g.IntN(5)]
	}
	return swap.Rate(g.IntN(10_001))
}

// bps is what the issuer may ask and the service still bears.
func (g *generator) bps() string {
	if g.IntN(4) == 0 {
		return g.pick("0", "1", "1.3", "1.4", "2", "14", "0.000000001", "24.9")
	}
	fraction := fmt.Sprintf("%09d", g.IntN(1_000_000_000))
	return strconv.Itoa(g.IntN(24)) + "." + fraction[:1+g.IntN(9)]
}

func (g *generator) recipient(p pair) string {
	if !p.Shields {
		return g.spell(g.address())
	}
	for {
		r := g.wishes.Recipients[g.IntN(len(g.wishes.Recipients))]
		if r.Chain == 0 || r.Chain == p.DstNetwork {
			return g.pick(r.Address, r.Address, strings.ToUpper(r.Address))
		}
	}
}

// token names a token in one of the ways a client may.
func (g *generator) token(t token) string {
	if t.Address == swap.Native && g.IntN(3) == 0 {
		return swap.Address{}.String()
	}
	if g.IntN(2) == 0 {
		return g.spell(t.Address)
	}
	return g.pick(t.Symbol, strings.ToLower(t.Symbol), t.Symbol[:1]+strings.ToLower(t.Symbol[1:]))
}

func (g *generator) spell(a swap.Address) string {
	digits := hex.EncodeToString(a[:])
	return g.pick("0x"+digits, "0x"+strings.ToUpper(digits), a.String())
}

func (g *generator) address() (a swap.Address) {
	for i := range a {
		a[i] = byte(g.Uint32())
	}
	return a
}

func (g *generator) pick(from ...string) string { return from[g.IntN(len(from))] }

// amount draws from where arithmetic goes wrong: the bounds and their
// neighbours, primes, round and crooked numbers, and a few out of range.
func (g *generator) amount(p pair) *big.Int {
	low, high, near := p.Min.ToBig(), p.Max.ToBig(), big.NewInt(g.Int64N(1000))
	switch g.IntN(50) {
	case 0:
		return new(big.Int).Sub(low, one)
	case 1:
		return new(big.Int).Add(high, one)
	}
	switch g.IntN(8) {
	case 0:
		return low
	case 1:
		return high
	case 2:
		return near.Add(low, near)
	case 3:
		return near.Sub(high, near)
	case 4:
		return g.prime(low, high)
	case 5:
		return g.round(p)
	case 6:
		return g.between(low, new(big.Int).Mul(low, big.NewInt(10)))
	}
	return g.between(low, high)
}

var one = big.NewInt(1)

// between is uniform, both ends included.
func (g *generator) between(low, high *big.Int) *big.Int {
	span := new(big.Int).Sub(high, low)
	n := new(big.Int).SetUint64(g.Uint64())
	n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(g.Uint64()))
	return n.Mod(n, span.Add(span, one)).Add(n, low)
}

func (g *generator) prime(low, high *big.Int) *big.Int {
	for {
		n := g.between(low, high)
		if n.SetBit(n, 0, 1); n.ProbablyPrime(0) && n.Cmp(high) <= 0 {
			return n
		}
	}
}

// round keeps a few leading decimals of a whole token and drops the rest.
func (g *generator) round(p pair) *big.Int {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(p.SrcToken.Decimals-2)), nil)
	n := g.between(p.Min.ToBig(), p.Max.ToBig())
	return n.Mul(n.Quo(n, unit), unit)
}
