package look

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"

	"hubquote/internal/quorum/node"
	"hubquote/internal/record"
	"hubquote/swap"
)

// A receipt is a transaction in a block, as far as it is looked at.
type receipt struct {
	Status string
	Logs   []log
}

type log struct {
	Address swap.Address
	Topics  []swap.Hash
	Data    string
}

// ask makes one call, and a second one for a hash that is in no block. A
// transaction that names an order is called pending: the journal will have it.
func (l *Looker) ask(ctx context.Context, n *node.Node, tx swap.Hash) string {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var r *receipt
	if err := n.Call(ctx, &r, "eth_getTransactionReceipt", tx.String()); err != nil {
		return swap.WhyNotFound
	}
	switch {
	case r != nil && r.Status == "0x0":
		return swap.WhyReverted
	case r != nil && !slices.ContainsFunc(r.Logs, l.names):
		return swap.WhyNoOrder
	case r != nil:
		return swap.WhyPending
	}
	var found *struct{ Hash string }
	if err := n.Call(ctx, &found, "eth_getTransactionByHash", tx.String()); err != nil || found == nil {
		return swap.WhyNotFound
	}
	return swap.WhyPending
}

// events are those of our contracts that name an order, or a claim of one.
var events = []swap.Hash{
	record.TopicOpened, record.TopicFulfilled, record.TopicCancelled, record.TopicRefunded, record.TopicReclaimed,
	record.TopicCredited, record.TopicClaimed, record.TopicBurn,
}

// names reports whether a log is of an order: an event of our contracts, or a
// message of the issuer that names one of them as its sender or its receiver.
func (l *Looker) names(g log) bool {
	if len(g.Topics) == 0 {
		return false
	}
	switch g.Topics[0] {
	case record.TopicMessageSent, record.TopicMessageReceived:
		return l.mentioned(g.Data)
	}
	return l.ours[g.Address] && slices.Contains(events, g.Topics[0])
}

// mentioned reports whether data has the address of one of our contracts.
func (l *Looker) mentioned(data string) bool {
	data = strings.ToLower(data)
	for a := range l.ours {
		if strings.Contains(data, hex.EncodeToString(a[:])) {
			return true
		}
	}
	return false
}
