package integrator

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/rpc"

	"hubquote/internal/upstream"
)

// How an endpoint can fail besides the ways any upstream can.
const (
	Refused     upstream.Fault = "rpc_error"    // it answered with an error
	WrongChain  upstream.Fault = "wrong_chain"  // it serves another chain than configured
	NoContract  upstream.Fault = "no_contract"  // nothing is deployed at the registry's address
	BadEntry    upstream.Fault = "bad_entry"    // no entry that a registry has, or a rate that is not believed
	StaleBlock  upstream.Fault = "stale_block"  // its block is too far from our clock
	OutOfStep   upstream.Fault = "out_of_step"  // it is not where the others are on the chain
	Disagrees   upstream.Fault = "disagrees"    // no second endpoint gave its answer, or two gave another
	BreakerOpen upstream.Fault = "breaker_open" // it was not asked, because it failed too often
)

// An endpoint is one server that answers for a chain.
type endpoint struct {
	chain   *chain
	number  int // counted from one, in the order of the configuration
	http    *http.Client
	rpc     *rpc.Client
	trace   *httptrace.ClientTrace
	breaker breaker

	// proved is set once the endpoint has named the right chain, and unset by
	// each new connection, because something else may be at its other end.
	proved atomic.Bool
}

func newEndpoint(url upstream.URL, number int, c *chain) (*endpoint, error) {
	e := &endpoint{chain: c, number: number, http: upstream.Client(c.opts.Transport)}
	e.trace = &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if !info.Reused {
			e.proved.Store(false)
		}
	}}
	// The empty header is not sent. It tells net/http that the calls only ask,
	// so one that finds its idle connection closed may go out on a new one.
	repeatable := http.Header{"Idempotency-Key": {}}
	var err error
	e.rpc, err = rpc.DialOptions(c.life, url.Reveal(), rpc.WithHTTPClient(e.http), rpc.WithHeaders(repeatable))
	if err != nil {
		return nil, errors.New("not a URL of a JSON-RPC server")
	}
	return e, nil
}

func (e *endpoint) close() {
	e.rpc.Close()
	e.http.CloseIdleConnections()
}

// ask calls a method and accepts its answer only from an endpoint that is known
// to serve the chain.
func (e *endpoint) ask(ctx context.Context, result any, method string, args ...any) error {
	if err := e.call(ctx, result, method, args...); err != nil {
		return err
	}
	if e.proved.Load() {
		return nil
	}
	return e.prove(ctx)
}

func (e *endpoint) prove(ctx context.Context) error {
	var answer string
	if err := e.call(ctx, &answer, "eth_chainId"); err != nil {
		return err
	}
	id, err := parseQuantity(answer)
	if err != nil {
		return err
	}
	if id != uint64(e.chain.ID) {
		return WrongChain
	}
	e.proved.Store(true)
	return nil
}

// call is the one place where the upstream's errors come in. They name its URL
// and repeat its words, so only their kind goes on.
func (e *endpoint) call(ctx context.Context, result any, method string, args ...any) error {
	ctx, cancel := context.WithTimeout(ctx, e.chain.opts.CallTimeout)
	defer cancel()
	err := e.rpc.CallContext(httptrace.WithClientTrace(ctx, e.trace), result, method, args...)
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[rpc.Error](err); ok {
		return Refused
	}
	return upstream.FaultOf(err)
}
