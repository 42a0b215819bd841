package terms

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"hubquote/internal/calldata"
	"hubquote/internal/deployment"
	"hubquote/internal/fee"
	"hubquote/internal/settle/message"
	"hubquote/swap"
)

// A receiver is what one of our receivers makes orders of.
type receiver struct {
	limits       swap.Limits
	absorbs      swap.Rate            // of the issuer's fee, as a share of the amount
	places       map[swap.Domain]bool // that it knows
	destinations map[debt]destination
}

// A debt is a token at a place that an order may ask for.
type debt struct {
	place swap.PlaceID
	token swap.Address
}

type destination struct {
	recipient swap.RecipientType
	payer     swap.Address
}

func newReceiver(p *deployment.Plan) *receiver {
	r := &receiver{limits: p.Issuer.Limits, absorbs: p.Issuer.Rate, places: map[swap.Domain]bool{}, destinations: map[debt]destination{}}
	for _, route := range p.Routes() {
		if route.Burn == nil {
			continue
		}
		r.places[route.Burn.Source] = true
		d := destination{recipient: swap.ToAddress}
		if route.Shields() {
			d.recipient = swap.ToPrivate
		}
		payer, _ := p.PayerOf(new(big.Int).SetUint64(uint64(route.Dst.ID)), common.Address(route.DstToken.Address))
		d.payer = payer.Address
		r.destinations[debt{route.Dst.ID, route.DstToken.Address}] = d
	}
	return r
}

// payable reports whether the receiver will make an order of the burn that a
// pool can pay. Before the message is attested its fee is taken for zero.
func (r *receiver) payable(m message.Message) bool {
	sender, ok := m.Sender().Address()
	if !ok || !r.places[m.Source()] {
		return false
	}
	hook, err := calldata.ParseHook(m.Hook())
	if err != nil {
		return false
	}
	d, known := r.destinations[debt{hook.DstChain, hook.DstToken}]
	amount := r.amount(m)
	return known && d.takes(hook.Recipient, sender) && !amount.Lt(&r.limits.Min) && !amount.Gt(&r.limits.Max)
}

// amount is what the order is about: the receiver bears the issuer's fee up to
// a share of the amount.
func (r *receiver) amount(m message.Message) swap.Amount {
	burned, kept := m.Amount(), m.Fee()
	absorbed := fee.Of(r.absorbs, &burned)
	if kept.Gt(&absorbed) && !kept.Gt(&burned) {
		kept.Sub(&kept, &absorbed)
		burned.Sub(&burned, &kept)
	}
	return burned
}

// field is the order of the scalar field of BN254: the privacy pool refuses a
// note with a key at or above it.
var field = uint256.MustFromDecimal("21888242871839275222246405745257275088548364400416034343698204186575808495617")

// takes reports whether the payer can pay a recipient. The zero address stands
// for the sender.
func (d destination) takes(to calldata.Recipient, sender swap.Address) bool {
	if to.Type != d.recipient {
		return false
	}
	if to.Type == swap.ToPrivate {
		key := new(uint256.Int).SetBytes(to.Bytes[:32])
		return !key.IsZero() && key.Lt(field)
	}
	account := swap.Address(to.Bytes)
	if account.IsZero() {
		account = sender
	}
	return account != d.payer
}
