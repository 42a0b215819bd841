package node

import (
	"context"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"hubquote/internal/upstream"
)

// A Block is a block that a node says its chain has.
type Block struct {
	Number uint64
	Hash   [32]byte
	Time   time.Time
}

// ID names the block in a call that reads state. It is the hash, because one
// endpoint may be many machines: one that does not have this block then answers
// with an error instead of with the state of another.
func (b Block) ID() map[string]string {
	return map[string]string{"blockHash": "0x" + hex.EncodeToString(b.Hash[:])}
}

// Latest returns the node's latest block.
func (n *Node) Latest(ctx context.Context) (Block, error) { return n.block(ctx, "latest") }

// Block returns the block with that number.
func (n *Node) Block(ctx context.Context, number uint64) (Block, error) {
	return n.block(ctx, "0x"+strconv.FormatUint(number, 16))
}

func (n *Node) block(ctx context.Context, which string) (Block, error) {
	var answer *wireBlock
	if err := n.Call(ctx, &answer, "eth_getBlockByNumber", which, false); err != nil {
		return Block{}, err
	}
	if answer == nil {
		return Block{}, OutOfStep
	}
	b, err := answer.parse()
	if err == nil && !b.near(time.Now(), n.opts.MaxBlockAge) {
		return Block{}, StaleBlock
	}
	return b, err
}

// A wireBlock is the part of a block's JSON that is read.
type wireBlock struct {
	Number    string `json:"number"`
	Hash      string `json:"hash"`
	Timestamp string `json:"timestamp"`
}

// lastSecond is the end of the year 9999; time.Time overflows long after it.
const lastSecond = 253_402_300_799

func (w *wireBlock) parse() (b Block, err error) {
	if b.Number, err = parseQuantity(w.Number); err != nil {
		return Block{}, err
	}
	hash, err := ParseBytes(w.Hash, len(b.Hash))
	if err != nil {
		return Block{}, err
	}
	b.Hash = [32]byte(hash)
	seconds, err := parseQuantity(w.Timestamp)
	if err != nil || seconds > lastSecond {
		return Block{}, upstream.Malformed
	}
	b.Time = time.Unix(int64(seconds), 0)
	return b, nil
}

// near reports whether b was made within age of now, before or after.
func (b Block) near(now time.Time, age time.Duration) bool {
	apart := now.Sub(b.Time)
	return age < 0 || -age <= apart && apart <= age
}

// parseQuantity reads a number as JSON-RPC writes it: 0x and hexadecimal digits
// without leading zeros.
func parseQuantity(s string) (uint64, error) {
	digits, ok := strings.CutPrefix(s, "0x")
	if !ok || len(digits) > 1 && digits[0] == '0' {
		return 0, upstream.Malformed
	}
	n, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		return 0, upstream.Malformed
	}
	return n, nil
}

// ParseBytes reads exactly size bytes in hexadecimal behind 0x.
func ParseBytes(s string, size int) ([]byte, error) {
	digits, ok := strings.CutPrefix(s, "0x")
	if !ok || len(digits) != 2*size {
		return nil, upstream.Malformed
	}
	b, err := hex.DecodeString(digits)
	if err != nil {
		return nil, upstream.Malformed
	}
	return b, nil
}
