package burns_test

import (
	"encoding/binary"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/settle/message"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/evm"
)

// attested is a message about a burn to the receiver, with a nonce that no other
// has.
func (b *bench) attested(nonce byte, hook []byte) message.Message {
	m := make(message.Message, 376, 376+len(hook))
	put := func(at int, w message.Word) { copy(m[at:], w[:]) }
	binary.BigEndian.PutUint32(m, 1)
	binary.BigEndian.PutUint32(m[4:], uint32(b.terms.Domains[source]))
	binary.BigEndian.PutUint32(m[8:], uint32(b.terms.Domains[gateway]))
	put(12, message.Word{7, 31: nonce})
	put(44, message.WordOf(b.terms.Messenger))
	put(76, message.WordOf(b.terms.Messenger))
	put(108, message.WordOf(b.receiver()))
	binary.BigEndian.PutUint32(m[140:], 2000)
	binary.BigEndian.PutUint32(m[144:], 2000)
	binary.BigEndian.PutUint32(m[148:], 1)
	put(152, message.WordOf(b.terms.Tokens[source]))
	put(184, message.WordOf(b.receiver()))
	big.NewInt(100_000_000).FillBytes(m[216:248])
	put(248, message.WordOf(devnet.Account(devnet.Alice).Address))
	big.NewInt(90_000_000).FillBytes(m[280:312])
	return append(m, hook...)
}

// The verdict on a message is that of the contract, which is asked: the attester
// signs every message here.
func TestVerdictIsTheContracts(t *testing.T) {
	b := newBench(t, gateway)
	b.t = t
	hook := b.hook()
	amount := func(n int64) func(message.Message) {
		return func(m message.Message) { big.NewInt(n).FillBytes(m[216:248]) }
	}
	kept := func(n int64) func(message.Message) {
		return func(m message.Message) { big.NewInt(n).FillBytes(m[312:344]) }
	}
	set := func(at int, to ...byte) func(message.Message) { return func(m message.Message) { copy(m[at:], to) } }
	limits := b.Plan.Issuer.Limits
	least, largest := limits.Min.ToBig().Int64(), limits.Max.ToBig().Int64()
	payer, _ := b.Plan.PayerOf(new(big.Int).SetBytes(hook[:32]), common.Address(hook[32:52]))
	for i, tt := range []struct {
		name   string
		hook   []byte
		change func(message.Message)
	}{
		{"good", hook, func(message.Message) {}},
		{"the smallest", hook, amount(least)},
		{"a unit less", hook, amount(least - 1)},
		{"the largest", hook, amount(largest)},
		{"a unit more", hook, amount(largest + 1)},
		{"a fee that is borne", hook, kept(300_000)},
		{"a fee beyond that", hook, kept(300_001)},
		{"a fee that leaves too little", hook, func(m message.Message) { amount(least)(m); kept(least - 1)(m) }},
		{"another source", hook, set(4, 0, 0, 0, 99)},
		{"another destination", hook, set(8, 0, 0, 0, 99)},
		{"not from the messenger", hook, set(44, 1)},
		{"not for the messenger", hook, set(76, 1)},
		{"any caller", hook, set(108, make([]byte, 32)...)},
		{"another caller", hook, set(139, 0xee)},
		{"more than an address as caller", hook, set(108, 1)},
		{"another token", hook, set(183, 0xee)},
		{"more than an address as token", hook, set(152, 1)},
		{"minted for another", hook, set(215, 0xee)},
		{"more than an address to mint for", hook, set(184, 1)},
		{"another version", hook, set(3, 2)},
		{"another version of the body", hook, set(151, 2)},
		{"burned by more than an address", hook, set(248, 1)},
		{"burned by no account", hook, set(248, make([]byte, 32)...)},
		{"without a hook", nil, func(message.Message) {}},
		{"a hook without a recipient", hook[:85], func(message.Message) {}},
		{"a short recipient", hook[:104], func(message.Message) {}},
		{"a long recipient", append(append([]byte{}, hook...), 1), func(message.Message) {}},
		{"the sender as recipient", append(append([]byte{}, hook[:85]...), make([]byte, 20)...), func(message.Message) {}},
		{"the payer as recipient", append(append([]byte{}, hook[:85]...), payer.Address[:]...), func(message.Message) {}},
		{"another kind of recipient", hook, set(376+84, 2)},
		{"an unknown kind of recipient", hook, set(376+84, 1)},
		{"an unknown place", hook, set(376+31, 0xee)},
		{"a place of more than 64 bits", hook, set(376, 1)},
		{"an unknown token", hook, set(376+51, 0xee)},
		{"any integrator", hook, set(376+60, 1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := b.attested(byte(i+1), tt.hook)
			tt.change(m)
			takes, payable := b.relay(t, m)
			parsed, err := message.Parse(m)
			if err != nil {
				if takes {
					t.Errorf("Parse = %v, want nil: the contract takes it", err)
				}
				return
			}
			v, ours := b.terms.Judge(source, parsed)
			if ours != takes || ours && v.Unpayable == payable {
				t.Errorf("Judge = %+v, %v, want %v, payable %v as the contract", v, ours, takes, payable)
			}
			gross := parsed.Amount()
			if small := gross.ToBig().Int64() < least; ours && v.Small != small {
				t.Errorf("too small: %v, want %v", v.Small, small)
			}
		})
	}
}

// relay gives a message to the receiver, signed, and reports whether it is taken,
// and as an order that a pool can pay.
func (b *bench) relay(t *testing.T, m message.Message) (takes, payable bool) {
	t.Helper()
	signature := must(devnet.Account(devnet.Attester).Sign(crypto.Keccak256Hash(m)))(t)
	signature[64] += 27
	r, err := b.Chains[gateway].Send(t.Context(), devnet.Account(devnet.Bob), evm.Tx{
		To: b.Plan.Address(lane.Receiver), Data: contract.Receiver.Call("relay", []byte(m), signature),
	})
	if err != nil {
		return false, false
	}
	payable = true
	for _, l := range r.Logs {
		payable = payable && l.Topics[0] != contract.Receiver.ABI().Events["OrderUnpayable"].ID
	}
	return true, payable
}

// What our own contracts burn is delivered only where any account may, and only if
// they burned it.
func TestOwnBurns(t *testing.T) {
	b := newBench(t, gateway)
	b.t = t
	pool := swap.Address(b.Plan.Address(lane.GatewayPool(b.Plan.Issuer)))
	out := func(change func(message.Message)) message.Message {
		m := b.attested(1, nil)
		w := message.WordOf(pool)
		copy(m[248:], w[:])
		binary.BigEndian.PutUint32(m[4:], uint32(b.terms.Domains[gateway]))
		binary.BigEndian.PutUint32(m[8:], uint32(b.terms.Domains[source]))
		clear(m[108:140])
		token := message.WordOf(b.terms.Tokens[gateway])
		copy(m[152:], token[:])
		change(m)
		return m
	}
	receiver := message.WordOf(b.receiver())
	for _, tt := range []struct {
		name   string
		read   swap.ChainID
		change func(message.Message)
		way    string
		small  bool
	}{
		{"of the pool", gateway, func(message.Message) {}, "out", false},
		{"of the pool, small", gateway, func(m message.Message) { clear(m[216:247]) }, "out", false},
		{"of the receiver", gateway, func(m message.Message) { copy(m[248:], receiver[:]) }, "back", false},
		{"of the receiver, small", gateway, func(m message.Message) { copy(m[248:], receiver[:]); clear(m[216:247]) }, "back", true},
		{"of a stranger", gateway, func(m message.Message) { m[279] ^= 1 }, "", false},
		{"of more than an address", gateway, func(m message.Message) { m[248] = 1 }, "", false},
		{"for one caller", gateway, func(m message.Message) { m[139] = 1 }, "", false},
		{"to an unknown domain", gateway, func(m message.Message) { m[8] = 99 }, "", false},
		{"to the gateway itself", gateway, func(m message.Message) { copy(m[8:12], m[4:8]) }, "", false},
		{"not from the messenger", gateway, func(m message.Message) { m[75] ^= 1 }, "", false},
		{"to a stranger's contract", gateway, func(m message.Message) { m[107] ^= 1 }, "", false},
		{"of another token", gateway, func(m message.Message) { m[183] ^= 1 }, "", false},
		{"read on another network", source, func(message.Message) {}, "", false},
		{"read on an unknown network", 7, func(message.Message) {}, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, ours := b.terms.Judge(tt.read, out(tt.change))
			if ours != (tt.way != "") || ours && (string(v.Way) != tt.way || v.Small != tt.small) {
				t.Errorf("Judge = %+v, %v, want way %q, small %v", v, ours, tt.way, tt.small)
			}
			if ours && (v.To.Chain != source || v.To.Address != b.terms.Transmitter) {
				t.Errorf("delivered to %+v, want the transmitter of %d", v.To, source)
			}
		})
	}
}
