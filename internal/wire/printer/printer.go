// Package printer writes quotes of the current version without reflection, to
// the byte as encoding/json would, about twelve times as fast. Where speed does
// not matter it can be deleted: [wire.NewV3] and encoding/json write the same.
package printer

import (
	"encoding/hex"
	"encoding/json"
	"strconv"

	"hubquote/internal/wire"
	"hubquote/swap"
)

// A Printer holds the text that is the same in every quote of a route, which is
// most of a quote.
type Printer struct {
	routes map[*swap.Route]*parts
}

// parts are the text between the values that differ from quote to quote.
type parts struct {
	head     []byte // up to the source amount
	fee      []byte // from the received amount to the protocol's fee
	approval []byte // up to the approval's amount; nil when the source is native
	tail     []byte // the route
}

// New returns a printer for quotes on these routes.
func New(routes []*swap.Route) (*Printer, error) {
	p := &Printer{map[*swap.Route]*parts{}}
	for _, r := range routes {
		text, err := newParts(r)
		if err != nil {
			return nil, err
		}
		p.routes[r] = text
	}
	return p, nil
}

func newParts(r *swap.Route) (*parts, error) {
	src, err := json.Marshal(wire.NewToken(r.SrcToken))
	if err != nil {
		return nil, err
	}
	dst, err := json.Marshal(wire.NewToken(r.DstToken))
	if err != nil {
		return nil, err
	}
	to := r.Target.String()
	p := &parts{
		head: []byte(`{"to":"` + to + `","srcToken":` + string(src) + `,"destToken":` + string(dst) + `,"srcAmount":"`),
		fee: []byte(`","fee":{"chainId":` + strconv.FormatUint(uint64(r.FeeChain), 10) + `,"token":"` + wire.FeeToken +
			`","protocol":{"percentage":` + r.Rate.Percent() + `,"amount":"`),
		tail: []byte(`"},"route":{"type":"` + string(r.Kind) + `"}}`),
	}
	if !r.SrcToken.IsNative() {
		p.approval = []byte(`,"approval":{"token":"` + r.SrcToken.Address.String() + `","spender":"` + to + `","amount":"`)
	}
	return p, nil
}

// AppendV3 appends q. A quote with extra fields, or on a route the printer was
// not made for, is rare and left to encoding/json.
func (p *Printer) AppendV3(dst []byte, q *swap.Quote, in wire.Includes) ([]byte, error) {
	text := p.routes[q.Route]
	if text == nil || in != (wire.Includes{}) {
		return wire.Append(dst, wire.NewV3(q, in))
	}
	return text.append(dst, q), nil
}

func (text *parts) append(dst []byte, q *swap.Quote) []byte {
	dst = append(dst, text.head...)
	dst = appendDec(dst, &q.Amount)
	dst = append(dst, `","destAmount":"`...)
	dst = appendDec(dst, &q.Received)
	dst = append(dst, text.fee...)
	dst = appendFees(dst, &q.Fees)
	if a := q.Payload.Approval; a != nil {
		dst = append(dst, text.approval...)
		dst = appendApproval(dst, a)
	}
	dst = append(dst, `,"methodParameters":{"calldata":"0x`...)
	dst = hex.AppendEncode(dst, q.Payload.Calldata)
	dst = append(dst, `","value":"`...)
	dst = appendQuantity(dst, &q.Payload.Value)
	return append(dst, text.tail...)
}

func appendFees(dst []byte, f *swap.Fees) []byte {
	dst = appendDec(dst, &f.Protocol.Amount)
	dst = append(dst, `"},"integrator":{"percentage":`...)
	dst = append(dst, f.Integrator.Rate.Percent()...)
	dst = append(dst, `,"amount":"`...)
	dst = appendDec(dst, &f.Integrator.Amount)
	if p := f.Partner; p != nil {
		dst = append(dst, `","id":"0x`...)
		dst = hex.AppendEncode(dst, p.ID[:])
		dst = append(dst, `","address":"`...)
		dst = append(dst, p.Wallet.String()...)
	}
	dst = append(dst, `"},"total":{"amount":"`...)
	dst = appendDec(dst, &f.Total)
	return append(dst, `"}}`...)
}

func appendApproval(dst []byte, a *swap.Approval) []byte {
	dst = appendDec(dst, &a.Amount)
	dst = append(dst, `","calldata":"0x`...)
	dst = hex.AppendEncode(dst, a.Calldata)
	if a.Reset != nil {
		dst = append(dst, `","resetCalldata":"0x`...)
		dst = hex.AppendEncode(dst, a.Reset)
	}
	return append(dst, `"}`...)
}

// appendQuantity writes an amount in hexadecimal, as JSON-RPC wants it.
func appendQuantity(dst []byte, a *swap.Amount) []byte {
	if a.IsUint64() {
		return strconv.AppendUint(append(dst, "0x"...), a.Uint64(), 16)
	}
	return append(dst, a.Hex()...)
}

// appendDec writes an amount in decimal. Most fit a machine word.
func appendDec(dst []byte, a *swap.Amount) []byte {
	if a.IsUint64() {
		return strconv.AppendUint(dst, a.Uint64(), 10)
	}
	return append(dst, a.Dec()...)
}
