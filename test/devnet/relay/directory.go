package relay

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/internal/deployment"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/third"
	"hubquote/swap"
)

// A directory has the addresses that the relayer watches, by chain.
type directory struct {
	watched      map[swap.ChainID][]common.Address // whose logs are read
	pools        map[common.Address]swap.ChainID   // what may pay an order
	networks     map[swap.Domain]swap.ChainID
	messenger    common.Address
	receivers    []common.Address
	gatewayPools []common.Address
}

// newDirectory gathers the contracts of all generations.
func newDirectory(plans []*deployment.Plan) directory {
	b := directory{
		watched: map[swap.ChainID][]common.Address{}, pools: map[common.Address]swap.ChainID{}, networks: map[swap.Domain]swap.ChainID{},
	}
	for _, p := range plans {
		for _, c := range p.Contracts {
			b.watched[c.Network] = append(b.watched[c.Network], common.Address(c.Address))
			if c.Code != contract.Registry && c.Code != contract.Receiver {
				b.pools[common.Address(c.Address)] = c.Network
			}
		}
		for network, domain := range p.Issuer.Domains {
			b.networks[domain] = network
		}
		b.messenger = common.Address(p.Issuer.Messenger)
		b.receivers = append(b.receivers, p.Address(lane.Receiver))
		b.gatewayPools = append(b.gatewayPools, p.Address(lane.GatewayPool(p.Issuer)))
	}
	for _, network := range b.networks {
		b.watched[network] = append(b.watched[network], common.Address(third.Transmitter))
	}
	return b
}

func (b *directory) isReceiver(a common.Address) bool    { return slices.Contains(b.receivers, a) }
func (b *directory) isGatewayPool(a common.Address) bool { return slices.Contains(b.gatewayPools, a) }
