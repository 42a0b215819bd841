// Package terms tells which burns are ours to carry: those that one of our
// receivers will make an order of, and those that our own contracts made. It
// applies to a message what the contracts will check, so that no question and no
// gas is spent on one that they would refuse.
package terms

import (
	"errors"

	"hubquote/internal/deployment"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/third"
	"hubquote/internal/settle/message"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
	"hubquote/swap"
)

// Terms are the contracts of all generations, and the issuer's.
type Terms struct {
	Gateway     swap.ChainID // where our receivers and the pool that burns are
	Messenger   swap.Address // of the issuer, on every network
	Transmitter swap.Address // of the issuer, on every network
	Networks    map[swap.Domain]swap.ChainID
	Domains     map[swap.ChainID]swap.Domain
	Tokens      map[swap.ChainID]swap.Address // what is burned and minted

	receivers map[swap.Address]*receiver
	payers    map[swap.Address]bool
}

// Of gathers the contracts of the generations that may still have orders.
func Of(plans ...*deployment.Plan) (*Terms, error) {
	if len(plans) == 0 {
		return nil, errors.New("terms: no deployment")
	}
	t := &Terms{
		Gateway: plans[0].Issuer.Gateway, Messenger: plans[0].Issuer.Messenger, Transmitter: third.Transmitter,
		Networks: map[swap.Domain]swap.ChainID{}, Domains: map[swap.ChainID]swap.Domain{}, Tokens: map[swap.ChainID]swap.Address{},
		receivers: map[swap.Address]*receiver{}, payers: map[swap.Address]bool{},
	}
	for _, p := range plans {
		if p.Issuer.Gateway != t.Gateway || p.Issuer.Messenger != t.Messenger {
			return nil, errors.New("terms: two generations have different gateways or messengers")
		}
		t.add(p)
	}
	return t, nil
}

func (t *Terms) add(p *deployment.Plan) {
	for network, domain := range p.Issuer.Domains {
		t.Networks[domain], t.Domains[network] = network, domain
	}
	t.Tokens[t.Gateway] = p.Issuer.Token.Address
	for _, r := range p.Routes() {
		if r.Burn != nil {
			t.Tokens[r.Src.Network] = r.SrcToken.Address
		}
	}
	t.receivers[swap.Address(p.Address(lane.Receiver))] = newReceiver(p)
	t.payers[swap.Address(p.Address(lane.GatewayPool(p.Issuer)))] = true
}

// Burners are our contracts that burn at the gateway.
func (t *Terms) Burners() (list []swap.Address) {
	for a := range t.receivers {
		list = append(list, a)
	}
	for a := range t.payers {
		list = append(list, a)
	}
	return list
}

// IsReceiver reports whether an account is one of our receivers.
func (t *Terms) IsReceiver(a swap.Address) bool { return t.receivers[a] != nil }

// A Verdict is what we do about a burn of ours.
type Verdict struct {
	Way       burn.Way
	To        order.Pool // the contract that is called to deliver it
	Small     bool       // below what a receiver accepts
	Unpayable bool       // becomes, or comes from, an order that no pool can pay
}

// Judge returns what to do about a message that was read on a network. It is
// false for one that is not ours, or that the contracts would refuse.
func (t *Terms) Judge(read swap.ChainID, m message.Message) (Verdict, bool) {
	messenger := message.WordOf(t.Messenger)
	domain, known := t.Domains[read]
	if !known || m.Source() != domain || m.From() != messenger || m.To() != messenger || m.Token() != message.WordOf(t.Tokens[read]) {
		return Verdict{}, false
	}
	if read == t.Gateway {
		return t.judgeOwn(m)
	}
	return t.judgeInbound(m)
}

// judgeInbound does what the receiver does in its function relay.
func (t *Terms) judgeInbound(m message.Message) (Verdict, bool) {
	to := m.MintTo().Low()
	r := t.receivers[to]
	if r == nil || m.Caller() != message.WordOf(to) || m.Destination() != t.Domains[t.Gateway] {
		return Verdict{}, false
	}
	amount := m.Amount()
	return Verdict{
		Way: burn.In, To: order.Pool{Chain: t.Gateway, Address: to},
		Small: amount.Lt(&r.limits.Min), Unpayable: !r.payable(m),
	}, true
}

// judgeOwn takes what our contracts burned, which any account may deliver. What
// a receiver gives back can be any amount that another account burned. The least
// order that was accepted comes back less the issuer's fees, which are far below
// a tenth, and must be carried.
func (t *Terms) judgeOwn(m message.Message) (Verdict, bool) {
	network, known := t.Networks[m.Destination()]
	sender, ok := m.Sender().Address()
	if !known || !ok || network == t.Gateway || m.Caller() != (message.Word{}) {
		return Verdict{}, false
	}
	v := Verdict{Way: burn.Out, To: order.Pool{Chain: network, Address: t.Transmitter}}
	if r := t.receivers[sender]; r != nil {
		amount, least := m.Amount(), r.limits.Min
		least.Sub(&least, new(swap.Amount).Div(&least, new(swap.Amount).SetUint64(10)))
		v.Way, v.Small = burn.Back, amount.Lt(&least)
		return v, true
	}
	return v, t.payers[sender]
}
