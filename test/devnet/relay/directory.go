package relay

import (
	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/deployment"
	"hubquote/swap"
)

// A directory has the addresses that the relayer watches, by chain.
type directory struct {
	watched     map[swap.ChainID][]common.Address // whose logs are read
	networks    map[swap.Domain]swap.ChainID
	receiver    common.Address
	gatewayPool common.Address
}

func newDirectory(p *deployment.Plan) directory {
	b := directory{watched: map[swap.ChainID][]common.Address{}, networks: map[swap.Domain]swap.ChainID{}}
	for _, c := range p.Contracts {
		b.watched[c.Network] = append(b.watched[c.Network], common.Address(c.Address))
	}
	for network, domain := range p.Issuer.Domains {
		b.networks[domain] = network
		b.watched[network] = append(b.watched[network], common.Address(deployment.Transmitter))
	}
	receiver, _ := p.Address(deployment.Receiver)
	gatewayPool, _ := p.Address(p.GatewayPool())
	b.receiver, b.gatewayPool = common.Address(receiver), common.Address(gatewayPool)
	return b
}
