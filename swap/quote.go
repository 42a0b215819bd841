package swap

import (
	"errors"
	"strings"
)

// A Request asks for a quote. Every field but RefundTo and Integrator is set and
// valid by itself; the pair may not be served, and the amount may be out of its
// range.
type Request struct {
	SrcChain, DstChain PlaceID
	SrcToken, DstToken TokenName
	Amount             Amount
	Recipient          Recipient
	RefundTo           Address      // where the deposit goes back to; zero for its sender
	Integrator         IntegratorID // zero for none
	Include            Includes
}

// Includes are the parts of an answer that a request may ask for besides the
// quote. They change nothing about the quote itself.
type Includes struct {
	Decoded bool // the call's function and arguments by name
	Calls   bool // the transactions as EIP-5792 takes them
	Proof   bool // the proof that an encrypted recipient is the one asked for
}

// ParseIncludes reads the names of parts, separated by commas.
func ParseIncludes(s string) (in Includes, err error) {
	for word := range strings.SplitSeq(s, ",") {
		switch word {
		case "decoded":
			in.Decoded = true
		case "calls":
			in.Calls = true
		case "proof":
			in.Proof = true
		default:
			return Includes{}, errors.New("write a comma-separated list of: decoded, calls, proof")
		}
	}
	return in, nil
}

// A Draft is a request as far as it could be read. A zero field was absent or
// malformed; the reader of the request reports that, and what uses a Draft
// leaves the field out.
type Draft Request

// A Quote is the answer to a request: the payment, the costs, and the
// transactions that perform the swap.
type Quote struct {
	Route    *Route
	Amount   Amount // in the source token's smallest units
	Received Amount // in the destination token's smallest units
	Fees     Fees
	Payload  Payload
	Proof    *Proof // nil unless the route shields
}

// Fees are the costs of a swap, in the destination token's smallest units.
// Received plus Total is always the worth of the amount before fees.
type Fees struct {
	Protocol   Share
	Integrator Share
	Partner    *Integrator // nil when no integrator is named
	Total      Amount
	InSource   Amount // the protocol's share in the source token's smallest units
}

// A Share is one party's part of the fees.
type Share struct {
	Rate   Rate
	Amount Amount
}

// A Payload holds the transactions to sign: first the approval if there is one
// and the allowance is too small, then the call.
type Payload struct {
	To       Address
	Calldata []byte
	Call     Call      // the calldata, read back
	Value    Amount    // native coin to send with the call
	Approval *Approval // nil when the source token is native
}

// A Call is calldata that was read back before the payload was returned. Package
// calldata has its types.
type Call interface{ Bytes() []byte }

// An Approval lets the called contract take the source token, exactly as much
// as the swap needs.
type Approval struct {
	Token    Address
	Spender  Address
	Amount   Amount
	Calldata []byte
	Reset    []byte // approve(spender, 0), for tokens that want it first; else nil
}

// A Proof lets a client check that an encrypted recipient is that of its request.
// Anyone who holds it can recognise the note on chain, so it is shown only to the
// client of the request, and stored nowhere.
type Proof struct {
	Random     [16]byte // hides the recipient in the note's public key
	ShieldSeed [32]byte // the ephemeral private key, used for this note only
}
