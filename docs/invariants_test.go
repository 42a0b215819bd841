package docs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"
	"testing"

	"hubquote/client"
	"hubquote/docs"
	"hubquote/internal/catalog"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/swap"
	"hubquote/test/fake"
)

// A vector is a case as a client sees it. Its fields are read here with nothing
// but the standard library, as a client in another language would.
type vector struct {
	Name    string
	Request map[string]string
	Quote   quote

	answer []byte // Quote as it was
}

type quote struct {
	To                    string
	SrcToken, DestToken   token
	SrcAmount, DestAmount string
	Fee                   struct {
		Protocol   share
		Integrator struct {
			share
			ID, Address string
		}
		Total struct{ Amount string }
	}
	Approval         *struct{ Token, Spender, Amount, Calldata, ResetCalldata string }
	MethodParameters struct{ Calldata, Value string }
	Route            struct{ Type string }
	Proof            *struct{ Random, ShieldPrivateKey string }
}

type token struct {
	Address, Symbol string
	Decimals        int64
	ChainID         uint64
}

type share struct {
	Percentage json.Number
	Amount     string
}

// invariants are the checks, by the ID that the document gives them.
var invariants = map[string]func(*testing.T, *vector) bool{
	"router": func(t *testing.T, v *vector) bool {
		return slices.ContainsFunc(embedded(t).Routers(), func(r catalog.Router) bool {
			return r.Place.ID.String() == v.Request["srcChain"] && r.Token.Symbol == v.Request["srcToken"] &&
				r.Address.String() == v.Quote.To && string(r.Kind) == v.Quote.Route.Type
		})
	},
	"tokens": func(t *testing.T, v *vector) bool {
		return v.isToken(t, v.Quote.SrcToken, "srcChain", "srcToken") && v.isToken(t, v.Quote.DestToken, "dstChain", "dstToken")
	},
	"srcAmount": func(_ *testing.T, v *vector) bool { return v.Quote.SrcAmount == v.Request["amount"] },
	"conservation": func(_ *testing.T, v *vector) bool {
		sum := new(big.Int).Add(num(v.Quote.DestAmount), num(v.Quote.Fee.Total.Amount))
		return sum.Cmp(v.gross()) == 0
	},
	"fees": func(_ *testing.T, v *vector) bool {
		f := &v.Quote.Fee
		total := new(big.Int).Add(num(f.Protocol.Amount), num(f.Integrator.Amount))
		return v.takes(f.Protocol) && v.takes(f.Integrator.share) && total.Cmp(num(f.Total.Amount)) == 0
	},
	"integrator": func(_ *testing.T, v *vector) bool {
		i, wallet := &v.Quote.Fee.Integrator, v.Request["integratorId"]
		if wallet == "" {
			return i.ID == "" && i.Address == "" && i.Percentage == "0" && i.Amount == "0"
		}
		return i.Address == wallet && i.ID == "0x"+word(wallet)
	},
	"native": func(_ *testing.T, v *vector) bool {
		m := &v.Quote.MethodParameters
		if v.Quote.SrcToken.Address == "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE" {
			return v.Quote.Approval == nil && m.Value == fmt.Sprintf("0x%x", num(v.Quote.SrcAmount))
		}
		return v.Quote.Approval != nil && m.Value == "0x0"
	},
	"approval": func(_ *testing.T, v *vector) bool {
		a := v.Quote.Approval
		return a == nil || a.Token == v.Quote.SrcToken.Address && a.Spender == v.Quote.To && a.Amount == v.Quote.SrcAmount &&
			a.Calldata == "0x095ea7b3"+word(a.Spender)+uint(a.Amount)
	},
	"reset": func(_ *testing.T, v *vector) bool {
		a := v.Quote.Approval
		return a == nil || a.ResetCalldata == "" || a.ResetCalldata == "0x095ea7b3"+word(a.Spender)+uint("0")
	},
	"pool": func(_ *testing.T, v *vector) bool {
		if v.Quote.Route.Type != "DIRECT" {
			return true
		}
		recipient := v.recipient(v.poolTail())
		selector, offset, refundTo := "0x095ff22d", "192", ""
		if v.Request["refundTo"] != "" {
			selector, offset, refundTo = "0xaddb3d3d", "224", word(v.Request["refundTo"])
		}
		return v.Quote.MethodParameters.Calldata == selector+uint(v.Request["dstChain"])+uint(v.Quote.SrcAmount)+uint(offset)+
			uint(v.kind())+word(v.Quote.DestToken.Address)+word(v.Request["integratorId"])+refundTo+
			uint(fmt.Sprint(len(recipient)/2))+padded(recipient)
	},
	"burn": func(_ *testing.T, v *vector) bool {
		if v.Quote.Route.Type != "CCTP_INBOUND" {
			return true
		}
		c := v.Quote.MethodParameters.Calldata
		at := func(i int) string { return c[10+64*i : 10+64*(i+1)] }
		maxFee, _ := new(big.Int).SetString(at(5), 16)
		return c[:10] == "0x779b432d" && at(0) == uint(v.Quote.SrcAmount) && at(3) == word(v.Quote.SrcToken.Address) &&
			at(2) == at(4) && at(2) != uint("0") && maxFee.Cmp(num(v.Quote.SrcAmount)) < 0 && at(7) == uint("256")
	},
	"hook": func(_ *testing.T, v *vector) bool {
		if v.Quote.Route.Type != "CCTP_INBOUND" {
			return true
		}
		hook := uint(v.Request["dstChain"]) + address(v.Quote.DestToken.Address) + word(v.Request["integratorId"]) + "00" + address(v.Request["recipient"])
		return strings.HasSuffix(v.Quote.MethodParameters.Calldata, uint(fmt.Sprint(len(hook)/2))+padded(hook)) && len(hook) == 2*(32+20+32+1+20)
	},
	"recipient": func(t *testing.T, v *vector) bool {
		_, err := client.Verify(v.request(t), v.answer, pins(t), client.Accept(client.IntegratorRateUnpinned))
		return err == nil && (v.kind() == "0" || v.Quote.Proof != nil)
	},
	"determinism": func(t *testing.T, v *vector) bool {
		again := v.again(t)
		if v.kind() == "2" { // the note is another one each time
			note := 2 + 2*v.poolTail()
			return again[:note] == v.Quote.MethodParameters.Calldata[:note] && again != v.Quote.MethodParameters.Calldata
		}
		return again == v.Quote.MethodParameters.Calldata
	},
}

// Every promise in the document is checked, on every case.
func TestInvariants(t *testing.T) {
	var doc struct {
		Components struct {
			Schemas struct {
				Quote struct {
					Invariants []struct{ ID, Statement string } `json:"x-invariants"`
				}
			}
		}
	}
	if err := json.Unmarshal(docs.OpenAPI, &doc); err != nil {
		t.Fatal(err)
	}
	stated := doc.Components.Schemas.Quote.Invariants
	if len(stated) != len(invariants) {
		t.Errorf("%d invariants are checked, want the %d that are stated", len(invariants), len(stated))
	}
	cases := vectors(t)
	if len(cases) < 86 {
		t.Fatalf("%d vectors, want one for each pair at least", len(cases))
	}
	for _, s := range stated {
		t.Run(s.ID, func(t *testing.T) {
			check := invariants[s.ID]
			if check == nil {
				t.Fatalf("no check for %q, want one", s.Statement)
			}
			for _, v := range cases {
				if !check(t, &v) {
					t.Errorf("%s violates an invariant, want that %s", v.Name, s.Statement)
				}
			}
		})
	}
}

func vectors(t *testing.T) []vector {
	t.Helper()
	var file struct{ Vectors []vector }
	var raw struct {
		Vectors []struct{ Quote json.RawMessage }
	}
	if err := errors.Join(json.Unmarshal(docs.Vectors, &file), json.Unmarshal(docs.Vectors, &raw)); err != nil {
		t.Fatal(err)
	}
	for i := range file.Vectors {
		file.Vectors[i].answer = raw.Vectors[i].Quote
	}
	return file.Vectors
}

func (v *vector) request(t *testing.T) swap.Request {
	t.Helper()
	query := url.Values{}
	for name, value := range v.Request {
		query.Set(name, value)
	}
	r, err := client.ParseRequest(query.Encode())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// again is the call that the same request gets now.
func (v *vector) again(t *testing.T) string {
	t.Helper()
	q, err := quoter.New(quoter.Options{Catalog: embedded(t), Integrators: fake.Partners(2_500), IssuerFees: issuer.Published{}})
	if err != nil {
		t.Fatal(err)
	}
	quote, err := q.Quote(t.Context(), v.request(t))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("0x%x", quote.Payload.Calldata)
}

func pins(t *testing.T) *client.Pins {
	t.Helper()
	p, err := client.EmbeddedPins()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func embedded(t *testing.T) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// isToken reports whether got is the token that the request names.
func (v *vector) isToken(t *testing.T, got token, chain, symbol string) bool {
	for _, r := range embedded(t).Routes() {
		for _, end := range []struct {
			place swap.Place
			token *swap.Token
		}{{r.Src, r.SrcToken}, {r.Dst, r.DstToken}} {
			if end.place.ID.String() == v.Request[chain] && end.token.Symbol == v.Request[symbol] {
				return got == token{end.token.Address.String(), end.token.Symbol, int64(end.token.Decimals), uint64(end.place.Network)}
			}
		}
	}
	return false
}

// gross is the source amount in the destination's decimals.
func (v *vector) gross() *big.Int {
	n := num(v.Quote.SrcAmount)
	n.Mul(n, pow10(v.Quote.DestToken.Decimals))
	return n.Quo(n, pow10(v.Quote.SrcToken.Decimals))
}

func (v *vector) takes(s share) bool {
	percent, ok := new(big.Rat).SetString(string(s.Percentage))
	if !ok {
		return false
	}
	part := percent.Mul(percent, new(big.Rat).SetFrac(v.gross(), big.NewInt(100)))
	return new(big.Int).Quo(part.Num(), part.Denom()).Cmp(num(s.Amount)) == 0
}

func (v *vector) kind() string {
	if strings.HasPrefix(v.Request["recipient"], "0zk") {
		return "2"
	}
	return "0"
}

// poolTail is where the recipient starts in a pool's call, in bytes.
func (v *vector) poolTail() int {
	if v.Request["refundTo"] != "" {
		return 4 + 7*32 + 32
	}
	return 4 + 6*32 + 32
}

// recipient is the one asked for, or the note that starts at that byte.
func (v *vector) recipient(offset int) string {
	if v.kind() == "0" {
		return address(v.Request["recipient"])
	}
	start := 2 + 2*offset
	return v.Quote.MethodParameters.Calldata[start : start+2*160]
}

func num(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return big.NewInt(-1)
	}
	return n
}

func pow10(n int64) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil) }

func uint(decimal string) string { return fmt.Sprintf("%064x", num(decimal)) }

func address(a string) string { return strings.ToLower(strings.TrimPrefix(a, "0x")) }

// word is an address, or nothing, as 32 bytes.
func word(a string) string {
	digits := address(a)
	return strings.Repeat("0", 64-len(digits)) + digits
}

func padded(digits string) string {
	return digits + strings.Repeat("0", (64-len(digits)%64)%64)
}
