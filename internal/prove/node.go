package prove

import (
	"context"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	"hubquote/internal/deployment/third"
	"hubquote/internal/record"
	"hubquote/swap"
)

// A receipt is a mined transaction as a node has it.
type receipt struct {
	ok        bool
	block     uint64
	blockHash swap.Hash
	time      time.Time
	final     bool // the block is at or below the finality tag
	logs      []record.Log
	positions []uint64 // of the logs, in the block
}

var errNode = errors.New("the node's answer cannot be read")

type wireReceipt struct {
	Status, BlockNumber, BlockHash string
	Logs                           []struct {
		Address swap.Address
		Topics  []swap.Hash
		Data    string

		LogIndex string
	}
}

type wireBlock struct{ Number, Hash, Timestamp string }

// readReceipt returns nil for a transaction that the node does not have, or has
// in no canonical block.
func readReceipt(ctx context.Context, n Node, tx swap.Hash) (*receipt, error) {
	var w *wireReceipt
	if err := n.CallContext(ctx, &w, "eth_getTransactionReceipt", tx.String()); err != nil || w == nil {
		return nil, nil //nolint:nilerr // a node that does not answer proves nothing, and contradicts nothing
	}
	block, err1 := quantity(w.BlockNumber)
	hash, err2 := swap.ParseHash(w.BlockHash)
	if err1 != nil || err2 != nil {
		return nil, errNode
	}
	r := &receipt{ok: w.Status == "0x1", block: block, blockHash: hash}
	for _, l := range w.Logs {
		data, err1 := bytesOf(l.Data)
		at, err2 := quantity(l.LogIndex)
		if err1 != nil || err2 != nil {
			return nil, errNode
		}
		r.positions = append(r.positions, at)
		r.logs = append(r.logs, record.Log{Address: l.Address, Topics: l.Topics, Data: data})
	}
	if canonical, err := r.place(ctx, n, w.BlockNumber); err != nil || !canonical {
		return nil, err
	}
	return r, nil
}

// place reads the block: its time, whether it is the one at its number, and
// whether the node calls it final.
func (r *receipt) place(ctx context.Context, n Node, number string) (canonical bool, err error) {
	var b, tag *wireBlock
	if err := n.CallContext(ctx, &b, "eth_getBlockByNumber", number, false); err != nil || b == nil || b.Hash != r.blockHash.String() {
		return false, nil //nolint:nilerr // as above
	}
	seconds, err := quantity(b.Timestamp)
	if err != nil {
		return false, errNode
	}
	r.time = time.Unix(int64(seconds), 0).UTC() // of a block
	if err := n.CallContext(ctx, &tag, "eth_getBlockByNumber", "finalized", false); err != nil || tag == nil {
		return true, nil //nolint:nilerr // a chain without the tag calls nothing final
	}
	last, err := quantity(tag.Number)
	r.final = err == nil && r.block <= last
	return true, nil
}

func quantity(s string) (uint64, error) {
	digits, ok := strings.CutPrefix(s, "0x")
	if !ok {
		return 0, errNode
	}
	return strconv.ParseUint(digits, 16, 64)
}

func hexOf(b []byte) string { return "0x" + hex.EncodeToString(b) }

func bytesOf(s string) ([]byte, error) {
	digits, ok := strings.CutPrefix(s, "0x")
	if !ok {
		return nil, errNode
	}
	return hex.DecodeString(digits)
}

// Where the fields of the issuer's message and of its body are.
const (
	senderAt   = 44
	senderEnd  = 76
	headerSize = 148
	feeAt      = 164 // in the body: the fee executed and the expiration block follow
	feeEnd     = 228
	wordSize   = 32
)

// messagesSent are the burns in logs: each the sender and the body, without what
// the issuer fills in when it signs. Any contract can write such a log, and can
// have the issuer carry any body: the log must be the issuer's, and the sender,
// its messenger, is compared with the body.
func messagesSent(logs []record.Log) (burns []string) {
	for _, l := range logs {
		if l.Address == third.Transmitter && len(l.Topics) == 1 && l.Topics[0] == record.TopicMessageSent {
			if m := tail(l.Data, 0); len(m) > headerSize {
				burns = append(burns, burnOf(m))
			}
		}
	}
	return burns
}

func burnOf(m []byte) string { return string(m[senderAt:senderEnd]) + masked(m[headerSize:]) }

// messagesReceived are the burns that were minted. The sender and the body are the
// second and the third of the values that are not indexed. With a nonce, only
// that one counts.
func messagesReceived(logs []record.Log, nonce *swap.Amount) (burns []string) {
	for _, l := range logs {
		if l.Address != third.Transmitter || len(l.Topics) != 4 || l.Topics[0] != record.TopicMessageReceived || len(l.Data) < 2*wordSize {
			continue
		}
		if nonce == nil || l.Topics[2] == swap.Hash(nonce.Bytes32()) {
			burns = append(burns, string(l.Data[wordSize:2*wordSize])+masked(tail(l.Data, 2)))
		}
	}
	return burns
}

func masked(body []byte) string {
	b := append([]byte{}, body...)
	if len(b) >= feeEnd {
		clear(b[feeAt:feeEnd])
	}
	return string(b)
}

// tail returns the bytes that word number at points to, or nil.
func tail(data []byte, at int) []byte {
	offset, ok := word(data, at*wordSize)
	if !ok {
		return nil
	}
	size, ok := word(data, offset)
	start := offset + wordSize
	if !ok || size > len(data)-start {
		return nil
	}
	return data[start : start+size]
}

func word(data []byte, at int) (int, bool) {
	if at < 0 || at > len(data)-wordSize {
		return 0, false
	}
	var n swap.Amount
	n.SetBytes32(data[at : at+wordSize])
	return int(n.Uint64()), n.IsUint64() && n.Uint64() <= uint64(len(data)) // not above the length
}
