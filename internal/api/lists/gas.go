package lists

import "hubquote/swap"

// gas is what the transactions of a swap cost, measured on the reference
// contracts with plain tokens. Wallets estimate their own; this is for showing a
// cost before anything can be estimated.
type gas struct {
	Approval uint32 `json:"approval,omitempty"` // absent for the native coin
	Swap     uint32 `json:"swap,omitempty"`     // absent for a burn, which calls the issuer's contract
}

// The figures are those of contracts/test/Gas.t.sol, which a test compares.
const (
	gasApprove = 46_082
	gasToken   = 100_019
	gasNote    = 102_493
	gasNative  = 81_028

	// gasFirst is what the first order of an account costs more.
	gasFirst = 134_219 - gasToken
)

// gasOf returns the cost of an account's first swap.
func gasOf(r *swap.Route) *gas {
	g := &gas{Approval: gasApprove}
	switch {
	case r.Burn != nil:
	case r.SrcToken.IsNative():
		g.Approval, g.Swap = 0, gasNative+gasFirst
	case r.Shields():
		g.Swap = gasNote + gasFirst
	default:
		g.Swap = gasToken + gasFirst
	}
	return g
}
