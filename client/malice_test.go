package client_test

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"hubquote/client"
	"hubquote/internal/calldata"
	"hubquote/internal/deposit"
	"hubquote/internal/fee"
	"hubquote/internal/shield"
	"hubquote/internal/wire"
	"hubquote/internal/wire/decoded"
	"hubquote/swap"
	"hubquote/test/zk"
)

var mallory = swap.MustAddress("0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65")

// A scheme is an answer of a dishonest server that is consistent in itself: made
// by the same rules from other facts.
type scheme struct {
	route    swap.Route
	deposit  deposit.Deposit
	partner  *swap.Integrator
	proof    *swap.Proof
	includes wire.Includes

	// forge changes single fields after the answer is made.
	forge func(*wire.V3)
}

func TestConsistentLiesAreRefused(t *testing.T) {
	native := "srcChain=1&srcToken=ETH&dstChain=369&dstToken=WETH&amount=1000000000000000000&recipient=" + alice
	withPartner := outbound + "&integratorId=" + partner.Wallet.String()
	tests := []struct {
		name, query string
		scheme      func(*scheme)
		field       string
	}{
		{"another contract", outbound, func(s *scheme) { s.route.Target = mallory }, "to"},
		{"another contract for a burn", burn, func(s *scheme) { s.route.Target = mallory }, "to"},
		{"the pool of another token", outbound, func(s *scheme) { s.route.Target = other(t, "WETH", 369).Target }, "to"},
		{"the pool of another chain", outbound, func(s *scheme) { s.route.Target = other(t, "USDC", 1).Target }, "to"},

		{"another source token", outbound, func(s *scheme) { s.route.SrcToken.Address = mallory }, "srcToken.address"},
		{"other source decimals", outbound, func(s *scheme) { s.route.SrcToken.Decimals = 7 }, "srcToken.decimals"},
		{"another symbol", outbound, func(s *scheme) { s.route.SrcToken.Symbol = "USDT" }, "srcToken.symbol"},
		{"another source chain", outbound, func(s *scheme) { s.route.SrcToken.Chain = 1 }, "srcToken.chainId"},
		{"another destination token", outbound, func(s *scheme) { s.route.DstToken.Address = mallory }, "destToken.address"},
		{"other destination decimals", outbound, func(s *scheme) { s.route.DstToken.Decimals = 18 }, "destToken.decimals"},
		{"another destination chain", outbound, func(s *scheme) { s.route.DstToken.Chain = 1 }, "destToken.chainId"},
		{"a larger amount", outbound, func(s *scheme) { s.deposit.Amount.AddUint64(&s.deposit.Amount, 1) }, "srcAmount"},

		{"a higher fee", outbound, func(s *scheme) { s.route.Rate = 5_001 }, "destAmount"},
		{"a lower fee, to win the comparison", outbound, func(s *scheme) { s.route.Rate = 0 }, "destAmount"},
		{"more shown than paid", outbound, func(s *scheme) { s.forge = func(q *wire.V3) { q.DestAmount += "0" } }, "destAmount"},
		{"fees counted elsewhere", outbound, func(s *scheme) { s.route.FeeChain = 1 }, "fee.chainId"},
		{"a rate that is not the fee's", outbound, func(s *scheme) { s.forge = func(q *wire.V3) { q.Fee.Protocol.Percentage = "0.3" } }, "fee.protocol.percentage"},
		{"an integrator that was not named", outbound, func(s *scheme) { s.partner = &swap.Integrator{Wallet: mallory, ID: swap.IntegratorIDOf(mallory)} }, "fee.integrator.id"},
		{"an integrator left out", withPartner, func(s *scheme) { s.partner = nil }, "fee.integrator.id"},
		{"another integrator", withPartner, func(s *scheme) { s.partner.ID = swap.IntegratorIDOf(mallory) }, "fee.integrator.id"},
		{"another integrator's wallet", withPartner, func(s *scheme) { s.partner.Wallet = mallory }, "fee.integrator.address"},
		{"another wallet that begins like a call", outbound + "&integratorId=0x095ea7b300000000000000000000000000000001", func(s *scheme) {
			s.partner.ID = swap.IntegratorIDOf(swap.MustAddress("0x095ea7b300000000000000000000000000000001"))
			s.partner.Wallet = swap.MustAddress("0x095ea7b300000000000000000000000000000005")
		}, "fee.integrator.address"},
		{"an integrator's rate over the limit", withPartner, func(s *scheme) { s.partner.Rate = 10_001 }, "fee.integrator.percentage"},
		{"an integrator in the call alone", outbound, func(s *scheme) { s.deposit.Integrator = swap.IntegratorIDOf(mallory) }, "methodParameters.calldata.integratorId"},
		{"an integrator in the hook alone", burn, func(s *scheme) { s.deposit.Integrator = swap.IntegratorIDOf(mallory) }, "methodParameters.calldata.hookData.integratorId"},

		{"another spender", outbound, func(s *scheme) {
			s.forge = func(q *wire.V3) {
				q.Approval.Spender = mallory.String()
				q.Approval.Calldata = approve(mallory, 25500000)
			}
		}, "approval.spender"},
		{"another spender in the call alone", outbound, func(s *scheme) { s.forge = func(q *wire.V3) { q.Approval.Calldata = approve(mallory, 25500000) } }, "approval.calldata.spender"},
		{"another token approved", outbound, func(s *scheme) { s.forge = func(q *wire.V3) { q.Approval.Token = mallory.String() } }, "approval.token"},
		{"a larger allowance", outbound, func(s *scheme) { s.forge = func(q *wire.V3) { q.Approval.Amount = "99999999" } }, "approval.amount"},
		{"a larger allowance in the call alone", outbound, func(s *scheme) {
			s.forge = func(q *wire.V3) { q.Approval.Calldata = approve(s.route.Target, 1<<62) }
		}, "approval.calldata.amount"},
		{"an approval that is a transfer", outbound, func(s *scheme) {
			s.forge = func(q *wire.V3) { q.Approval.Calldata = "0xa9059cbb" + q.Approval.Calldata[10:] }
		}, "approval.calldata.function"},
		{"no approval", outbound, func(s *scheme) { s.forge = func(q *wire.V3) { q.Approval = nil } }, "approval"},
		{"an approval of a native coin", native, func(s *scheme) {
			s.forge = func(q *wire.V3) { q.Approval = &wire.Approval{Token: mallory.String()} }
		}, "approval"},
		{"a reset that the token does not need", outbound, func(s *scheme) { s.route.SrcToken.ApproveReset = true }, "approval.resetCalldata"},
		{"a reset that approves another", shields, func(s *scheme) { s.forge = func(q *wire.V3) { q.Approval.Reset = approve(mallory, 0) } }, "approval.resetCalldata.spender"},

		{"another recipient", outbound, func(s *scheme) { s.deposit.Recipient = calldata.ToAddress(mallory) }, "methodParameters.calldata.recipient"},
		{"another recipient in the hook", burn, func(s *scheme) { s.deposit.Recipient = calldata.ToAddress(mallory) }, "methodParameters.calldata.hookData.recipient"},
		{"a longer recipient", outbound, func(s *scheme) { s.deposit.Recipient.Bytes = append(s.deposit.Recipient.Bytes, 0) }, "methodParameters.calldata.recipient"},
		{"another recipient type", outbound, func(s *scheme) { s.deposit.Recipient.Type = 1 }, "methodParameters.calldata.recipientType"},
		{"another recipient type in the hook", burn, func(s *scheme) { s.deposit.Recipient.Type = swap.ToPrivate }, "methodParameters.calldata.hookData.recipientType"},
		{"another place to pay", outbound, func(s *scheme) { s.route.Dst.ID = 1 }, "methodParameters.calldata.dstChain"},
		{"another place to pay in the hook", burn, func(s *scheme) { s.route.Dst.ID = 1 }, "methodParameters.calldata.hookData.dstChain"},
		{"another token in the call alone", outbound, func(s *scheme) {
			token := *s.route.DstToken
			s.forge = func(q *wire.V3) { q.DestToken.Address = token.Address.String() }
			s.route.DstToken.Address = mallory
		}, "methodParameters.calldata.dstToken"},
		{"another amount in the call alone", outbound, func(s *scheme) {
			s.forge = func(q *wire.V3) { q.SrcAmount, q.DestAmount, q.Fee, q.Approval = honest(t, outbound) }
			s.deposit.Amount.SubUint64(&s.deposit.Amount, 1)
		}, "methodParameters.calldata.amount"},
		{"another function", outbound, func(s *scheme) {
			s.forge = func(q *wire.V3) { q.MethodParameters.Calldata = "0xdeadbeef" + q.MethodParameters.Calldata[10:] }
		}, "methodParameters.calldata.function"},
		{"bytes behind the call", outbound, func(s *scheme) { s.forge = func(q *wire.V3) { q.MethodParameters.Calldata += "00" } }, "methodParameters.calldata"},
		{"a call in capital letters", outbound, func(s *scheme) {
			s.forge = func(q *wire.V3) {
				q.MethodParameters.Calldata = "0x" + strings.ToUpper(q.MethodParameters.Calldata[2:])
			}
		}, "methodParameters.calldata"},
		{"a call that is no hexadecimal", outbound, func(s *scheme) {
			s.forge = func(q *wire.V3) {
				q.MethodParameters.Calldata = strings.Replace(q.MethodParameters.Calldata, "7099", "zz99", 1)
			}
		}, "methodParameters.calldata"},
		{"a call that moves its argument", outbound, func(s *scheme) {
			s.forge = func(q *wire.V3) {
				c := []byte(q.MethodParameters.Calldata)
				c[2+2*99] = '1'
				q.MethodParameters.Calldata = string(c)
			}
		}, "methodParameters.calldata.recipient"},

		{"a receiver that is not ours", burn, func(s *scheme) { s.route.Burn.Receiver = mallory }, "methodParameters.calldata.mintRecipient"},
		{"another minting domain", burn, func(s *scheme) { s.route.Burn.Gateway = 1 }, "methodParameters.calldata.destinationDomain"},
		{"a mint that any caller may make", burn, func(s *scheme) {
			s.forge = func(q *wire.V3) { zero(&q.MethodParameters.Calldata, 132, 164) }
		}, "methodParameters.calldata.destinationCaller"},
		{"another finality", burn, func(s *scheme) { s.route.Burn.Finality = 2000 }, "methodParameters.calldata.minFinalityThreshold"},
		{"a fee for the issuer that the pins do not know", burn, func(s *scheme) { s.deposit.MaxFee.AddUint64(&s.deposit.MaxFee, 1) }, "methodParameters.calldata.maxFee"},
		{"no hook", burn, func(s *scheme) { s.forge = func(q *wire.V3) { zero(&q.MethodParameters.Calldata, 260, 292) } }, "methodParameters.calldata.hookData"},

		{"value with an ERC-20", outbound, func(s *scheme) { s.forge = func(q *wire.V3) { q.MethodParameters.Value = "0x1" } }, "methodParameters.value"},
		{"more value than asked", native, func(s *scheme) { s.forge = func(q *wire.V3) { q.MethodParameters.Value += "0" } }, "methodParameters.value"},
		{"another type of route", outbound, func(s *scheme) { s.forge = func(q *wire.V3) { q.Route.Type = swap.CCTPInbound } }, "route.type"},

		{"a note for another address", shields, func(s *scheme) { s.deposit.Recipient, s.proof = noteFor(t, privateMallory) }, "methodParameters.calldata.recipient"},
		{"a note for another address with the old proof", shields, func(s *scheme) { s.deposit.Recipient, _ = noteFor(t, privateMallory) }, "methodParameters.calldata.recipient"},
		{"noise for a note", shields, func(s *scheme) { s.deposit.Recipient = calldata.ToNote(bytes.Repeat([]byte{7}, 160)) }, "methodParameters.calldata.recipient"},
		{"an EVM address for a note", shields, func(s *scheme) { s.deposit.Recipient = calldata.ToAddress(mallory) }, "methodParameters.calldata.recipientType"},
		{"a proof of nothing", outbound, func(s *scheme) { s.forge = func(q *wire.V3) { q.Proof = &wire.Proof{} } }, "proof"},

		{"calls that are not the fields", outbound + "&include=calls", func(s *scheme) {
			s.forge = func(q *wire.V3) { q.Calls.Calls[1].To = mallory.String() }
		}, "calls.calls[1].to"},
		{"a call more", outbound + "&include=calls", func(s *scheme) {
			s.forge = func(q *wire.V3) { q.Calls.Calls = append(q.Calls.Calls, wire.Call{To: mallory.String()}) }
		}, "calls.calls[2]"},
		{"calls on another chain", outbound + "&include=calls", func(s *scheme) {
			s.forge = func(q *wire.V3) { q.Calls.ChainID = "0x1" }
		}, "calls.chainId"},
		{"arguments that are not the call's", outbound + "&include=decoded", func(s *scheme) {
			s.forge = func(q *wire.V3) {
				a := q.Decoded.Arguments.(decoded.PoolArguments)
				a.Recipient = mallory.String()
				q.Decoded.Arguments = a
			}
		}, "decoded.arguments.recipient"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := request(t, tt.query)
			answer := plot(t, r, tt.scheme)
			c := newClient(t, serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(answer) })))
			_, err := c.Quote(t.Context(), r)
			m, ok := errors.AsType[*client.Mismatch](err)
			if !ok || m.Field != tt.field {
				t.Fatalf("Quote: %v\nwant a mismatch of %s", err, tt.field)
			}
			if m.Want == m.Got || !strings.Contains(err.Error(), "do not sign") {
				t.Errorf("Quote: %v; want what is wrong, and not to sign", err)
			}
		})
	}
}

// plot makes the answer of a dishonest server, or of an honest one if the
// scheme changes nothing.
func plot(t *testing.T, r swap.Request, change func(*scheme)) []byte {
	t.Helper()
	route, err := embedded(t).Resolve(swap.Draft(r))
	if err != nil {
		t.Fatal(err)
	}
	s := &scheme{route: *route, forge: func(*wire.V3) {}}
	src, dst := *route.SrcToken, *route.DstToken
	s.route.SrcToken, s.route.DstToken = &src, &dst
	if route.Burn != nil {
		b := *route.Burn
		s.route.Burn = &b
	}
	s.includes = r.Include
	s.deposit = deposit.Deposit{Route: &s.route, Amount: r.Amount, Recipient: calldata.ToAddress(r.Recipient.Address()), Integrator: r.Integrator}
	if r.Recipient.IsPrivate() {
		s.deposit.Recipient, s.proof = noteFor(t, r.Recipient.String())
		s.includes.Proof = true
	}
	if !r.Integrator.IsZero() {
		p := partner
		s.partner = &p
	}
	if route.Burn != nil {
		if s.deposit.MaxFee, err = fee.MaxBurnFee(&r.Amount, route.Burn.Published); err != nil {
			t.Fatal(err)
		}
	}
	change(s)
	return s.answer(t)
}

func (s *scheme) answer(t *testing.T) []byte {
	t.Helper()
	q := &swap.Quote{Route: &s.route, Amount: s.deposit.Amount, Payload: s.deposit.Payload(), Proof: s.proof}
	q.Payload.Call, _ = calldata.Parse(q.Payload.Calldata) // nil for a call that is none
	var err error
	if q.Received, q.Fees, err = fee.Split(&s.route, &q.Amount, s.partner); err != nil {
		t.Fatal(err)
	}
	v := wire.NewV3(q, s.includes)
	s.forge(v)
	answer, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// A scheme that changes nothing is an honest answer; otherwise the test above
// would prove nothing.
func TestUnchangedSchemeIsAccepted(t *testing.T) {
	pins := partnerPins(t)
	for _, query := range []string{outbound, burn, shields + "&include=proof", outbound + "&integratorId=" + partner.Wallet.String()} {
		r := request(t, query)
		if _, err := client.Verify(r, plot(t, r, func(*scheme) {}), pins); err != nil {
			t.Errorf("%s: error = %v, want none", query, err)
		}
	}
}

const privateMallory = zk.Mallory

func noteFor(t *testing.T, address string) (calldata.Recipient, *swap.Proof) {
	t.Helper()
	a, err := swap.ParsePrivateAddress(address)
	if err != nil {
		t.Fatal(err)
	}
	note, proof, err := shield.Encrypt(a, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return calldata.ToNote(note[:]), &proof
}

// other returns a route that starts with that token there.
func other(t *testing.T, symbol string, place swap.PlaceID) *swap.Route {
	t.Helper()
	for _, r := range embedded(t).Routes() {
		if r.Src.ID == place && r.SrcToken.Symbol == symbol {
			return r
		}
	}
	t.Fatalf("no route starts with %s on %d", symbol, place)
	return nil
}

// honest returns the amounts, fees and approval of an honest answer.
func honest(t *testing.T, query string) (src, dst string, f wire.Fee, a *wire.Approval) {
	t.Helper()
	var v wire.V3
	if err := json.Unmarshal(plot(t, request(t, query), func(*scheme) {}), &v); err != nil {
		t.Fatal(err)
	}
	return v.SrcAmount, v.DestAmount, v.Fee, v.Approval
}

func approve(spender swap.Address, amount uint64) string {
	c := calldata.ApproveCall{Spender: spender}
	c.Amount.SetUint64(amount)
	return "0x" + hex.EncodeToString(c.Bytes())
}

// zero overwrites bytes of a call with zeros.
func zero(call *string, from, to int) {
	text := *call
	*call = text[:2+2*from] + strings.Repeat("0", 2*(to-from)) + text[2+2*to:]
}
