package integrator

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"hubquote/internal/upstream"
)

// A block is one an endpoint says its chain has.
type block struct {
	number uint64
	hash   [32]byte
	time   time.Time
}

// A wireBlock is the part of a block's JSON that is read.
type wireBlock struct {
	Number    string `json:"number"`
	Hash      string `json:"hash"`
	Timestamp string `json:"timestamp"`
}

// lastSecond is the end of the year 9999; time.Time goes wrong long after it.
const lastSecond = 253_402_300_799

func (w *wireBlock) parse() (b block, err error) {
	if b.number, err = parseQuantity(w.Number); err != nil {
		return block{}, err
	}
	hash, err := parseHex(w.Hash, len(b.hash))
	if err != nil {
		return block{}, err
	}
	b.hash = [32]byte(hash)
	seconds, err := parseQuantity(w.Timestamp)
	if err != nil || seconds > lastSecond {
		return block{}, upstream.Malformed
	}
	b.time = time.Unix(int64(seconds), 0)
	return b, nil
}

// near reports whether b was made within age of now, before or after. A negative
// age means that any block is.
func (b block) near(now time.Time, age time.Duration) bool {
	apart := now.Sub(b.time)
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

func formatQuantity(n uint64) string { return "0x" + strconv.FormatUint(n, 16) }

// maxLag is how many blocks the endpoints of a chain may be apart. It is a few
// seconds of the fastest chain and a few minutes of the slowest.
const maxLag = 16

// pin picks the number of the block at which answers are compared: the lowest
// head that is at most maxLag below the second highest. One endpoint that lies
// about its head cannot move it out of the others' reach: a head too high is not
// the second highest, and one too low is not near it. There must be a second.
func pin(heads []uint64) uint64 {
	heads = slices.Sorted(slices.Values(heads))
	second := heads[len(heads)-2]
	for second-heads[0] > maxLag {
		heads = heads[1:]
	}
	return heads[0]
}

// inStep reports whether an endpoint with that head can speak for block n. It
// refuses a block far behind its own, so that no liar gets it to confirm the
// past. A liar can hold the pin maxLag below the last of the honest, who may be
// maxLag behind the first: hence twice.
func inStep(head, n uint64) bool { return head >= n && head-n <= 2*maxLag }
