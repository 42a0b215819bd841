// Package scan finds burns that are ours on one network: on the issuer's other
// networks those to our receivers, at the gateway those of our own contracts. It
// takes the issuer's event about a burn as a hint, and reads the message from the
// transaction that it names.
package scan

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/internal/settle/burns/chain"
	"hubquote/internal/settle/burns/terms"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/message"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
	"hubquote/swap"
)

// The events of the issuer's contracts, and those of ours that name the order
// that a burn belongs to.
var (
	depositForBurn = contract.Messenger.ABI().Events["DepositForBurn"].ID
	messageSent    = contract.Transmitter.ABI().Events["MessageSent"].ID

	naming = map[common.Hash]bool{
		contract.Pool.ABI().Events["OrderFulfilled"].ID:     true,
		contract.Receiver.ABI().Events["OrderRefunded"].ID:  true,
		contract.Receiver.ABI().Events["OrderReclaimed"].ID: true,
	}
)

// Key names a burn by its network, transaction and message, and by how many equal
// messages come before it. Where it is among the logs is not part of it: an endpoint
// that leaves out a log, or a reorganisation, moves it.
func Key(source swap.Domain, tx order.Hash, n uint64, m message.Message) order.Hash {
	b := binary.BigEndian.AppendUint32([]byte("burn"), uint32(source))
	b = binary.BigEndian.AppendUint64(append(b, tx[:]...), n)
	return sha256.Sum256(append(b, m...))
}

// A Scanner reads one network.
type Scanner struct {
	chain *chain.Chain
	terms *terms.Terms
}

// New returns a scanner of a network that the issuer has.
func New(c *chain.Chain, t *terms.Terms) *Scanner { return &Scanner{c, t} }

// filter selects what may be ours. Who is minted for is not indexed, so that all
// burns of the token are read on the other networks; who burns is.
func (s *Scanner) filter() chain.Filter {
	token := s.terms.Tokens[s.chain.ID]
	topics := [][]common.Hash{{depositForBurn}, {common.BytesToHash(token[:])}}
	if s.chain.ID == s.terms.Gateway {
		var ours []common.Hash
		for _, a := range s.terms.Burners() {
			ours = append(ours, common.BytesToHash(a[:]))
		}
		topics = append(topics, ours)
	}
	return chain.Filter{Address: s.terms.Messenger, Topics: topics}
}

// A Hint is a transaction that may have burns of ours, in one block.
type Hint struct {
	Tx    order.Hash
	Block order.Hash
}

// Range returns the transactions from one block to another, both included, that
// may have burns of ours, in their order.
func (s *Scanner) Range(ctx context.Context, from, to uint64) (hints []Hint, err error) {
	logs, err := s.chain.Logs(ctx, s.filter(), from, to)
	for i := range logs {
		h := Hint{order.Hash(logs[i].TxHash), order.Hash(logs[i].BlockHash)}
		if s.maybe(&logs[i]) && (len(hints) == 0 || hints[len(hints)-1] != h) {
			hints = append(hints, h)
		}
	}
	return hints, err
}

// maybe reports whether an event is about a burn of ours.
func (s *Scanner) maybe(l *types.Log) bool {
	if s.chain.ID == s.terms.Gateway {
		return true
	}
	var event struct {
		Amount                    *big.Int
		MintRecipient             [32]byte
		DestinationDomain         uint32
		DestinationTokenMessenger [32]byte
		DestinationCaller         [32]byte
		MaxFee                    *big.Int
		HookData                  []byte
	}
	if contract.Messenger.Event(&event, "DepositForBurn", l) != nil {
		return false
	}
	return s.terms.IsReceiver(message.Word(event.MintRecipient).Low())
}

// burns returns the burns of a receipt that are ours.
func (s *Scanner) burns(tx order.Hash, r chain.Receipt) (list []journal.Burn) {
	source, equal := s.terms.Domains[s.chain.ID], map[string]uint64{}
	for i := range r.Logs {
		m, ok := s.message(&r.Logs[i])
		if !ok {
			continue
		}
		v, ours := s.terms.Judge(s.chain.ID, m)
		if !ours {
			continue
		}
		b := journal.Burn{
			Key: Key(source, tx, equal[string(m)], m), Domain: source, Tx: tx, Log: uint64(i), Way: string(v.Way), Sent: m,
			Status: string(burn.Seen), Block: r.Block,
		}
		if v.Way != burn.In {
			b.Order = orderOf(r.Logs[i+1:], m)
		}
		equal[string(m)]++
		list = append(list, b)
	}
	return list
}

// message returns the message of an event. One that has something where only the
// issuer fills in is none: no source emits it, and the issuer's signature would fit it
// as well as the true one.
func (s *Scanner) message(l *types.Log) (message.Message, bool) {
	if l.Address != common.Address(s.terms.Transmitter) || len(l.Topics) == 0 || l.Topics[0] != messageSent {
		return nil, false
	}
	var event struct{ Message []byte }
	if contract.Transmitter.Event(&event, "MessageSent", l) != nil {
		return nil, false
	}
	m, err := message.Parse(event.Message)
	return m, err == nil && bytes.Equal(m, m.Masked())
}

// orderOf returns the order that a burn of ours belongs to: our contract names it
// in the first such event after the burn.
func orderOf(after []types.Log, m message.Message) order.ID {
	for i := range after {
		l := &after[i]
		if l.Address == common.Address(m.Sender().Low()) && len(l.Topics) > 1 && naming[l.Topics[0]] {
			return order.ID(l.Topics[1])
		}
	}
	return order.ID{}
}
