package swap

// A Request asks for a quote. It is well-formed, but may name a pair that is
// not served or an amount out of range.
type Request struct {
	SrcChain, DstChain PlaceID
	SrcToken, DstToken TokenName
	Amount             Amount
	Recipient          Recipient
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

// A Quote is the answer: what the swap pays, what it costs, and the
// transactions that perform it.
type Quote struct {
	Route    *Route
	Amount   Amount // in the source token's smallest units
	Received Amount // in the destination token's smallest units
	Fees     Fees
	Payload  Payload
	Proof    *Proof // nil unless the route shields
}

// Fees are what a swap costs, in the destination token's smallest units.
// Received plus Total is always what the amount is worth before fees.
type Fees struct {
	Protocol   Share
	Integrator Share
	Partner    *Integrator // nil when no integrator is named
	Total      Amount
}

// A Share is one party's part of the fees.
type Share struct {
	Rate   Rate
	Amount Amount
}

// A Payload is what the client signs: first the approval if there is one and
// the allowance is too small, then the call.
type Payload struct {
	To       Address
	Calldata []byte
	Value    Amount    // native coin to send with the call
	Approval *Approval // nil when the source token is native
}

// An Approval lets the called contract take the source token, exactly as much
// as the swap needs.
type Approval struct {
	Token    Address
	Spender  Address
	Amount   Amount
	Calldata []byte
	Reset    []byte // approve(spender, 0), for tokens that want it first; else nil
}

// A Proof lets a client check that an encrypted recipient is the one it asked
// for. Whoever holds it can recognise the note on chain, so it is shown only to
// the client that asked, and kept nowhere.
type Proof struct {
	Random     [16]byte // what hides the recipient in the note's public key
	ShieldSeed [32]byte // the ephemeral private key, used for this note only
}
