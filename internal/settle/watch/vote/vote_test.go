package vote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/peer"
	"hubquote/internal/settle/watch/vote"
	"hubquote/internal/upstream"
	"hubquote/test/fake"
)

// A says is what one endpoint answers: the number of the final block, the fork
// that its blocks are of, and the data of its logs.
type says struct {
	final uint64
	fork  byte
	logs  []byte
	twice bool // gives each log two times
	fails bool
	slow  chan struct{} // answers when it is closed
}

var (
	pool  = common.Address{1}
	topic = common.Hash{2}
)

func (s says) answer(ctx context.Context, method string, params []json.RawMessage) string {
	if s.slow != nil {
		select {
		case <-s.slow:
		case <-ctx.Done():
			return ""
		}
	}
	switch {
	case s.fails:
		return ""
	case method == "eth_chainId":
		return `"0x1"`
	case method == "eth_getBlockByNumber":
		return s.block(string(params[0]))
	}
	return s.list()
}

func hashOf(n uint64, fork byte) common.Hash { return common.Hash{byte(n), fork} }

func (s says) block(which string) string {
	n := s.final
	if which != `"finalized"` {
		n, _ = strconv.ParseUint(which[3:len(which)-1], 16, 64)
	}
	return fmt.Sprintf(`{"number":"0x%x","hash":"%s","timestamp":"0x%x"}`, n, hashOf(n, s.fork), 1000+n)
}

func (s says) list() string {
	list := []string{}
	for i, data := range s.logs {
		list = append(list, fmt.Sprintf(`{"address":"%s","topics":["%s"],"data":"0x%02x","blockNumber":"0x5","blockHash":"%s","transactionHash":"%s","transactionIndex":"0x0","logIndex":"0x%x"}`,
			pool, topic, data, hashOf(5, 0), common.Hash{3}, i))
	}
	if s.twice {
		list = append(list, list...)
	}
	out := "["
	for i, l := range list {
		if i > 0 {
			out += ","
		}
		out += l
	}
	return out + "]"
}

func voters(t *testing.T, k int, all ...says) vote.Voters {
	t.Helper()
	v := vote.Voters{K: k}
	for _, s := range all {
		server := httptest.NewServer(fake.RPC(s.answer))
		t.Cleanup(func() {
			server.CloseClientConnections()
			server.Close()
		})
		u, err := upstream.Parse(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		n, err := node.New(node.Options{Chain: 1, URL: u, MaxBlockAge: -1, Timeout: 20 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(n.Close)
		v.Peers = append(v.Peers, peer.New(n))
	}
	return v
}

// The tag is the highest block that two endpoints reach.
func TestTag(t *testing.T) {
	for name, c := range map[string]struct {
		all  []says
		want uint64 // zero: no answer
	}{
		"all the same":           {[]says{{final: 7}, {final: 7}, {final: 7}}, 7},
		"one ahead":              {[]says{{final: 9}, {final: 7}, {final: 7}}, 7},
		"one far ahead":          {[]says{{final: 7}, {final: 90}, {final: 6}}, 7},
		"one behind":             {[]says{{final: 1}, {final: 8}, {final: 7}}, 7},
		"one fails":              {[]says{{fails: true}, {final: 8}, {final: 7}}, 7},
		"two fail":               {[]says{{fails: true}, {final: 8}, {fails: true}}, 0},
		"one is on a fork":       {[]says{{final: 7, fork: 1}, {final: 7}, {final: 7}}, 7},
		"all are on forks":       {[]says{{final: 7, fork: 1}, {final: 7, fork: 2}, {final: 7, fork: 3}}, 0},
		"the second on a fork":   {[]says{{final: 9}, {final: 8, fork: 1}, {final: 2}}, 2},
		"final on a fork by one": {[]says{{final: 8}, {final: 8, fork: 1}, {final: 5}}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			got, by, err := voters(t, 2, c.all...).Tag(t.Context(), peer.Final, 1<<60)
			if got.Number != c.want || (err == nil) != (c.want > 0) {
				t.Errorf("Tag = %+v, %v; want block %d", got, err, c.want)
			}
			if err == nil && (got.Hash != order.Hash(hashOf(c.want, 0)) || got.Time.Unix() != int64(1000+c.want)) {
				t.Errorf("Tag = %+v, want hash and time that two endpoints have", got)
			}
			if err == nil && len(by) < 2 {
				t.Errorf("%d endpoints call it so, want two", len(by))
			}
		})
	}
}

// A log counts when two endpoints give it, however often one repeats it, and is
// denied when so many do not have it that two never will.
func TestLogs(t *testing.T) {
	place := vote.Place{Tx: order.Hash{3}, Log: 0}
	for name, c := range map[string]struct {
		all    []says
		k      int
		agreed bool
		denied bool
		fails  bool
	}{
		"two have it":             {all: []says{{logs: []byte{1}}, {logs: []byte{1}}, {}}, k: 2, agreed: true},
		"the last two have it":    {all: []says{{}, {logs: []byte{1}}, {logs: []byte{1}}}, k: 2, agreed: true},
		"one has it":              {all: []says{{logs: []byte{1}}, {}, {}}, k: 2, denied: true},
		"one repeats it":          {all: []says{{logs: []byte{1}, twice: true}, {}, {}}, k: 2, denied: true},
		"each has another":        {all: []says{{logs: []byte{1}}, {logs: []byte{2}}, {logs: []byte{3}}}, k: 2},
		"one of two that answer":  {all: []says{{logs: []byte{1}}, {}, {fails: true}}, k: 2},
		"one answers":             {all: []says{{logs: []byte{1}}, {fails: true}, {fails: true}}, k: 2, fails: true},
		"the only one is trusted": {all: []says{{logs: []byte{1}}}, k: 1, agreed: true},
		"the only one denies":     {all: []says{{}}, k: 1, denied: true},
	} {
		t.Run(name, func(t *testing.T) {
			block := peer.Block{Number: 5, Hash: order.Hash(hashOf(5, 0))}
			got, err := voters(t, c.k, c.all...).Logs(t.Context(), peer.Filter{Addresses: []common.Address{pool}, Topics: []common.Hash{topic}}, block, []vote.Place{place})
			if (err != nil) != c.fails || (len(got.Logs) == 1) != c.agreed || got.Denied[place] != c.denied {
				t.Errorf("Logs = %d logs, denied %v, %v; want agreed %v, denied %v", len(got.Logs), got.Denied, err, c.agreed, c.denied)
			}
		})
	}
}

// An endpoint that never answers does not hold up the others.
func TestSilentEndpointIsNotWaitedFor(t *testing.T) {
	silent := make(chan struct{})
	defer close(silent)
	v := voters(t, 2, says{slow: silent}, says{final: 7}, says{final: 7})
	if got, _, err := v.Block(t.Context(), 7); err != nil || got.Number != 7 {
		t.Errorf("Block = %+v, %v; want block 7", got, err)
	}
	v = voters(t, 2, says{fails: true}, says{fails: true}, says{})
	if _, _, err := v.Block(t.Context(), 7); !errors.Is(err, vote.ErrSplit) {
		t.Errorf("Block: %v, want %v", err, vote.ErrSplit)
	}
}
