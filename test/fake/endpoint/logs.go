package endpoint

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// A query is the argument of eth_getLogs.
type query map[string]json.RawMessage

func parse(r Request) (q query, is bool) {
	if r.Method != "eth_getLogs" || len(r.Params) == 0 || json.Unmarshal(r.Params[0], &q) != nil {
		return nil, false
	}
	return q, true
}

func (q query) json() json.RawMessage {
	text, _ := json.Marshal(q)
	return text
}

// blocks returns the range that is asked for; there is none when it is asked by
// hash.
func (q query) blocks() (from, to uint64, ranged bool) {
	from, ok := number(q["fromBlock"])
	to, also := number(q["toBlock"])
	return from, to, ok && also
}

func onLogs(f func(context.Context, Request, query, Next) Answer) Fault {
	return func(ctx context.Context, r Request, next Next) Answer {
		if q, is := parse(r); is {
			return f(ctx, r, q, next)
		}
		return next(ctx, r)
	}
}

// A Log is a log on the wire.
type Log map[string]any

// edit changes the logs of every answer, of receipts too.
func edit(change func([]Log) []Log) Fault {
	return func(ctx context.Context, r Request, next Next) Answer {
		a := next(ctx, r)
		switch r.Method {
		case "eth_getLogs":
			var logs []Log
			if json.Unmarshal(a.Result, &logs) == nil {
				a.Result, _ = json.Marshal(change(logs))
			}
		case "eth_getTransactionReceipt":
			var receipt map[string]json.RawMessage
			var logs []Log
			if json.Unmarshal(a.Result, &receipt) == nil && json.Unmarshal(receipt["logs"], &logs) == nil {
				receipt["logs"], _ = json.Marshal(change(logs))
				a.Result, _ = json.Marshal(receipt)
			}
		}
		return a
	}
}

// LeaveOut answers without the logs whose first topic is one of these; without
// any, without logs.
func LeaveOut(topics ...string) Fault {
	return edit(func(logs []Log) []Log {
		return slices.DeleteFunc(append([]Log{}, logs...), func(l Log) bool {
			list, _ := l["topics"].([]any)
			return len(topics) == 0 || len(list) > 0 && slices.Contains(topics, list[0].(string))
		})
	})
}

// Alter changes every log.
func Alter(change func(Log)) Fault {
	return edit(func(logs []Log) []Log {
		for _, l := range logs {
			change(l)
		}
		return logs
	})
}

// Forge adds an altered copy of each log to every answer.
func Forge(change func(Log)) Fault {
	return edit(func(logs []Log) []Log {
		for _, l := range slices.Clone(logs) {
			forged := maps.Clone(l)
			change(forged)
			logs = append(logs, forged)
		}
		return logs
	})
}

// Invent adds logs to the answers about their blocks. They need a blockNumber and
// a blockHash.
func Invent(logs ...Log) Fault {
	return onLogs(func(ctx context.Context, r Request, q query, next Next) Answer {
		a := next(ctx, r)
		var all []Log
		if json.Unmarshal(a.Result, &all) != nil {
			return a
		}
		from, to, ranged := q.blocks()
		for _, l := range logs {
			at, _ := number(json.RawMessage(l["blockNumber"].(string)))
			same := strings.Trim(string(q["blockHash"]), `"`) == l["blockHash"]
			if ranged && from <= at && at <= to || !ranged && same {
				all = append(all, l)
			}
		}
		a.Result, _ = json.Marshal(all)
		return a
	})
}

// WrongReceipts answers about every transaction with the receipt of this one.
func WrongReceipts(hash string) Fault {
	return on(func(ctx context.Context, r Request, next Next) Answer {
		text, _ := json.Marshal(hash)
		return next(ctx, Request{r.Method, []json.RawMessage{text}})
	}, "eth_getTransactionReceipt")
}

// Keep remembers the last blocks with their logs, and goes on telling them after
// the chain was reorganised.
func (e *Endpoint) Keep(ctx context.Context, depth uint64) (Fault, error) {
	head, err := Head(ctx, e.forward)
	if err != nil {
		return nil, err
	}
	first := head - min(depth, head)
	blocks := map[uint64]json.RawMessage{}
	for n := first; n <= head; n++ {
		blocks[n] = e.forward(ctx, Request{"eth_getBlockByNumber", []json.RawMessage{quote(n), json.RawMessage("false")}}).Result
	}
	var kept []Log
	all, _ := json.Marshal(map[string]any{"fromBlock": quote(first), "toBlock": quote(head)})
	if err := json.Unmarshal(e.forward(ctx, Request{"eth_getLogs", []json.RawMessage{all}}).Result, &kept); err != nil {
		return nil, err
	}
	return func(ctx context.Context, r Request, next Next) Answer {
		n, is := numbered(r)
		switch q, logs := parse(r); {
		case r.Method == "eth_getBlockByNumber" && string(r.Params[0]) == `"latest"`:
			return Answer{Result: blocks[head]}
		case is && blocks[n] != nil:
			return Answer{Result: blocks[n]}
		case logs:
			return Answer{Result: q.pick(kept)}
		}
		return next(ctx, r)
	}, nil
}

// pick returns the logs that a query asks for.
func (q query) pick(logs []Log) json.RawMessage {
	var want struct {
		Address   []string
		Topics    [][]string
		BlockHash string
	}
	_ = json.Unmarshal(q.json(), &want)
	from, to, ranged := q.blocks()
	picked := []Log{}
	for _, l := range logs {
		at, _ := number(json.RawMessage(l["blockNumber"].(string)))
		topics, _ := l["topics"].([]any)
		there := ranged && from <= at && at <= to || !ranged && want.BlockHash == l["blockHash"]
		ours := len(topics) > 0 && len(want.Topics) > 0 && slices.Contains(want.Topics[0], topics[0].(string))
		if there && ours && slices.ContainsFunc(want.Address, func(a string) bool { return strings.EqualFold(a, l["address"].(string)) }) {
			picked = append(picked, l)
		}
	}
	text, _ := json.Marshal(picked)
	return text
}
