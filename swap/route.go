package swap

// A RouteKind is the way the source transaction goes.
type RouteKind string

const (
	Direct      RouteKind = "DIRECT"       // a call to one of our pools
	CCTPInbound RouteKind = "CCTP_INBOUND" // a burn through the issuer's messenger
)

// A Route is one supported pair with everything the catalog knows about it.
type Route struct {
	Kind     RouteKind
	Src, Dst Place
	SrcToken *Token
	DstToken *Token
	Target   Address // the pool or messenger the source transaction calls
	Rate     Rate    // the protocol's fee
	Limits   Limits  // in the source token's smallest units
	FeeChain ChainID // where the destination pool and its integrator registry are
	Burn     *Burn   // nil unless Kind is [CCTPInbound]

	// Duration is how long the swap usually takes, in seconds from the
	// source transaction's block; zero when unknown.
	Duration uint32
}

// From is the coin that the route starts with.
func (r *Route) From() Coin { return r.SrcToken.At(r.Src.ID) }

// To is the coin that the route ends with.
func (r *Route) To() Coin { return r.DstToken.At(r.Dst.ID) }

// Shields reports whether the route ends in a privacy pool.
func (r *Route) Shields() bool { return r.Dst.Private() }

// Private reports whether either end of the route is a privacy pool.
func (r *Route) Private() bool { return r.Src.Private() || r.Dst.Private() }

// CheckRefundTo refuses to name an account for refunds where the contracts do not
// ask for one: a burn goes back to the account that burned. Zero names none.
func (r *Route) CheckRefundTo(a Address) error {
	if a.IsZero() || r.Kind != CCTPInbound {
		return nil
	}
	return &Error{Code: RefundUnsupported, Param: "refundTo",
		Message: "this swap starts with a burn, which goes back to the account that burns; leave refundTo out"}
}

// A Burn has the arguments of the issuer's messenger on a [CCTPInbound] route.
type Burn struct {
	Source    Domain
	Gateway   Domain     // where the burn is minted
	Receiver  Address    // our contract there; the only one that may mint
	Finality  uint32     // the minimum finality threshold
	Published IssuerRate // the issuer's published fee, used when no live one is configured
}
