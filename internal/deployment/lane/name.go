package lane

import (
	"fmt"

	"hubquote/internal/deployment/third"
	"hubquote/swap"
)

// Receiver is the name of the receiver.
const Receiver = "receiver"

// PoolName is the name of the pool for a token at a place.
func PoolName(place swap.Place, token *swap.Token) string {
	return token.At(place.ID).String()
}

// RegistryName is the name of the integrator registry on a network.
func RegistryName(network swap.ChainID) string { return fmt.Sprintf("registry@%d", network) }

// GatewayPool is the name of the pool that pays the issuer's other networks.
func GatewayPool(i *third.Issuer) string {
	return PoolName(swap.Place{ID: swap.PlaceID(i.Gateway), Network: i.Gateway}, i.Token)
}

// Source is the name of the contract that opens orders of a route.
func Source(r *swap.Route) string {
	if r.Kind == swap.CCTPInbound {
		return Receiver
	}
	return PoolName(r.Src, r.SrcToken)
}
