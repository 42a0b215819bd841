package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"hubquote/test/fake"
)

// Down ends every connection without an answer.
func Down(context.Context, Request, Next) Answer { return Answer{Drop: true} }

// DropEvery ends every n-th connection without an answer, after the request was
// passed on.
func DropEvery(n int64) Fault {
	var count atomic.Int64
	return func(ctx context.Context, r Request, next Next) Answer {
		a := next(ctx, r)
		a.Drop = a.Drop || count.Add(1)%n == 0
		return a
	}
}

// Slow delays every answer.
func Slow(d time.Duration) Fault {
	return func(ctx context.Context, r Request, next Next) Answer {
		if !fake.Sleep(ctx, d) {
			return Answer{Drop: true}
		}
		return next(ctx, r)
	}
}

// on makes a fault that concerns some methods only.
func on(f Fault, methods ...string) Fault {
	return func(ctx context.Context, r Request, next Next) Answer {
		if slices.Contains(methods, r.Method) {
			return f(ctx, r, next)
		}
		return next(ctx, r)
	}
}

// Null answers these methods with null.
func Null(methods ...string) Fault {
	return on(func(context.Context, Request, Next) Answer { return Answer{Result: json.RawMessage("null")} }, methods...)
}

// Refuse answers these methods with an error.
func Refuse(methods ...string) Fault {
	return on(func(context.Context, Request, Next) Answer { return refusal("the method is not served here") }, methods...)
}

func refusal(text string) Answer {
	return Answer{Error: json.RawMessage(fmt.Sprintf(`{"code":-32000,"message":%q}`, text))}
}

// OtherChain is an endpoint of another chain.
func OtherChain(id uint64) Fault {
	return on(func(context.Context, Request, Next) Answer { return Answer{Result: quote(id)} }, "eth_chainId")
}

// Names lies about a tag: "latest", "safe" or "finalized" is always this block.
func Names(tag string, number uint64) Fault {
	return on(func(ctx context.Context, r Request, next Next) Answer {
		if len(r.Params) > 0 && string(r.Params[0]) == strconv.Quote(tag) {
			r.Params = append([]json.RawMessage{quote(number)}, r.Params[1:]...)
		}
		return next(ctx, r)
	}, "eth_getBlockByNumber")
}

// FailedReceipts calls every transaction failed, in another block.
func FailedReceipts() Fault {
	return on(func(ctx context.Context, r Request, next Next) Answer {
		a := next(ctx, r)
		var receipt map[string]json.RawMessage
		if json.Unmarshal(a.Result, &receipt) == nil && receipt != nil {
			receipt["status"], receipt["blockHash"], receipt["logs"] = quote(0), json.RawMessage(`"0x`+strings.Repeat("13", 32)+`"`), json.RawMessage("[]")
			a.Result, _ = json.Marshal(receipt)
		}
		return a
	}, "eth_getTransactionReceipt")
}

// Zeros answers every call of a contract with zeros, as long as the truth is.
func Zeros() Fault {
	return on(func(ctx context.Context, r Request, next Next) Answer {
		a := next(ctx, r)
		if n := len(a.Result) - len(`"0x"`); a.Error == nil && n > 0 {
			a.Result = json.RawMessage(`"0x` + strings.Repeat("0", n) + `"`)
		}
		return a
	}, "eth_call")
}

// Counted tells of every answer that is not what the chain says.
func Counted(f Fault, told func()) Fault {
	return func(ctx context.Context, r Request, next Next) Answer {
		var truth Answer
		a := f(ctx, r, func(ctx context.Context, asked Request) Answer {
			answer := next(ctx, asked)
			if asked.Method == r.Method {
				truth = answer
			}
			return answer
		})
		if a.Drop != truth.Drop || !bytes.Equal(a.Result, truth.Result) || !bytes.Equal(a.Error, truth.Error) {
			told()
		}
		return a
	}
}

// CapRange refuses logs of more than n blocks at once.
func CapRange(n uint64) Fault {
	return onLogs(func(ctx context.Context, r Request, q query, next Next) Answer {
		if from, to, ranged := q.blocks(); ranged && to-from >= n {
			return refusal("the range is too long")
		}
		return next(ctx, r)
	})
}

// ByRangeOnly refuses to give logs by the hash of a block.
func ByRangeOnly() Fault {
	return onLogs(func(ctx context.Context, r Request, q query, next Next) Answer {
		if _, _, ranged := q.blocks(); !ranged {
			return refusal("give a range of blocks")
		}
		return next(ctx, r)
	})
}

// Prune has neither blocks nor logs that are more than n below the head.
func Prune(n uint64) Fault {
	logs := onLogs(func(ctx context.Context, r Request, q query, next Next) Answer {
		head, err := Head(ctx, next)
		if from, _, ranged := q.blocks(); err != nil || ranged && from+n < head {
			return refusal("the logs are pruned")
		}
		return next(ctx, r)
	})
	return func(ctx context.Context, r Request, next Next) Answer {
		head, err := Head(ctx, next)
		if number, is := numbered(r); err == nil && is && number+n < head {
			return Answer{Result: json.RawMessage("null")}
		}
		return logs(ctx, r, next)
	}
}

// Behind is so many blocks behind the head, and answers about the rest as if
// there was nothing.
func Behind(n uint64) Fault {
	return func(ctx context.Context, r Request, next Next) Answer {
		head, err := Head(ctx, next)
		if err != nil {
			return Answer{Drop: true}
		}
		own := head - min(n, head)
		number, is := numbered(r)
		switch q, logs := parse(r); {
		case r.Method == "eth_blockNumber":
			return Answer{Result: quote(own)}
		case r.Method == "eth_getBlockByNumber" && string(r.Params[0]) == `"latest"`:
			r.Params = append([]json.RawMessage{quote(own)}, r.Params[1:]...)
		case is && number > own:
			return Answer{Result: json.RawMessage("null")}
		case logs:
			if from, to, ranged := q.blocks(); ranged && from > own {
				return Answer{Result: json.RawMessage("[]")}
			} else if ranged && to > own {
				q["toBlock"] = quote(own)
				r.Params[0] = q.json()
			}
		}
		return next(ctx, r)
	}
}

// Ahead names a head that is so many blocks too high, and has no such block.
func Ahead(n uint64) Fault {
	return on(func(ctx context.Context, r Request, next Next) Answer {
		a := next(ctx, r)
		var block map[string]json.RawMessage
		if string(r.Params[0]) != `"latest"` || json.Unmarshal(a.Result, &block) != nil {
			return a
		}
		if own, is := number(block["number"]); is {
			block["number"] = quote(own + n)
			a.Result, _ = json.Marshal(block)
		}
		return a
	}, "eth_getBlockByNumber")
}

// numbered returns the number of the block that is asked for.
func numbered(r Request) (uint64, bool) {
	if r.Method != "eth_getBlockByNumber" || len(r.Params) == 0 {
		return 0, false
	}
	return number(r.Params[0])
}

func number(text json.RawMessage) (uint64, bool) {
	digits, is := strings.CutPrefix(strings.Trim(string(text), `"`), "0x")
	n, err := strconv.ParseUint(digits, 16, 64)
	return n, is && err == nil
}
