// Package node calls one JSON-RPC endpoint of a chain. It accepts results only
// after the endpoint has named the right chain, on the present connection and not
// long ago, and blocks only when they are near our clock. No error contains the URL
// or text that the endpoint sent.
package node

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/rpc"

	"hubquote/internal/upstream"
	"hubquote/swap"
)

// The faults of a node besides those of any upstream.
const (
	Refused    upstream.Fault = "rpc_error"   // it answered with an error
	WrongChain upstream.Fault = "wrong_chain" // it serves another chain
	StaleBlock upstream.Fault = "stale_block" // its block is too far from our clock
	OutOfStep  upstream.Fault = "out_of_step" // it does not have the block, or is far from the other nodes
)

// Options configure a [Node]. All but ProofAge, Lasting and Transport are required.
type Options struct {
	Chain swap.ChainID
	URL   upstream.URL

	// MaxBlockAge is how far from our clock a block may be. Negative means any
	// age.
	MaxBlockAge time.Duration

	// Timeout bounds one call.
	Timeout time.Duration

	// ProofAge is how long the chain ID of an endpoint stays valid on one
	// connection. Zero means ten seconds. Longer costs fewer calls, where
	// another chain would show in some other way.
	ProofAge time.Duration

	// Lasting keeps the chain ID valid on a new connection too, until ProofAge is
	// over.
	Lasting bool

	// Transport carries the calls. Nil means its own connections.
	Transport http.RoundTripper
}

// A Node is one endpoint.
type Node struct {
	opts  Options
	http  *http.Client
	rpc   *rpc.Client
	trace *httptrace.ClientTrace

	// proved is when the endpoint last named the right chain, in nanoseconds since
	// 1970. Each new connection clears it, because it may lead to another server,
	// unless it is lasting;
	// behind a load balancer the server may change under a connection too.
	proved atomic.Int64
}

const defaultProofAge = 10 * time.Second

// New returns a node that connects with its first call.
func New(opts Options) (*Node, error) {
	if !opts.URL.IsHTTP() {
		return nil, errors.New("only http and https are supported")
	}
	opts.ProofAge = cmp.Or(opts.ProofAge, defaultProofAge)
	n := &Node{opts: opts, http: upstream.Client(opts.Transport)}
	n.trace = &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if !info.Reused && !opts.Lasting {
			n.proved.Store(0)
		}
	}}
	// The empty header is not sent. It tells net/http that the calls have no
	// effect, so that it may repeat one whose idle connection was closed.
	repeatable := http.Header{"Idempotency-Key": {}}
	var err error
	n.rpc, err = rpc.DialOptions(context.Background(), opts.URL.Reveal(), rpc.WithHTTPClient(n.http), rpc.WithHeaders(repeatable))
	if err != nil {
		return nil, errors.New("not a URL of a JSON-RPC server")
	}
	return n, nil
}

// Close ends all connections.
func (n *Node) Close() {
	n.rpc.Close()
	n.http.CloseIdleConnections()
}

// Call calls a method. Its error is an [upstream.Fault], or a [*Revert], which is
// [Refused] with the bytes of the contract.
func (n *Node) Call(ctx context.Context, result any, method string, args ...any) error {
	err := n.call(ctx, result, method, args...)
	if _, answered := errors.AsType[*Revert](err); err != nil && !answered || n.isProved() {
		return err
	}
	if wrong := n.prove(ctx); wrong != nil {
		return wrong
	}
	return err
}

// isProved reports whether the endpoint has named the right chain recently.
func (n *Node) isProved() bool {
	age := time.Now().UnixNano() - n.proved.Load()
	return 0 <= age && age < int64(n.opts.ProofAge)
}

func (n *Node) prove(ctx context.Context) error {
	var answer string
	if err := n.call(ctx, &answer, "eth_chainId"); err != nil {
		return err
	}
	id, err := parseQuantity(answer)
	if err != nil {
		return err
	}
	if id != uint64(n.opts.Chain) {
		return WrongChain
	}
	n.proved.Store(time.Now().UnixNano())
	return nil
}

// call is the only function that sees errors of the endpoint. They contain its URL
// and its text, so only their kind is returned.
func (n *Node) call(ctx context.Context, result any, method string, args ...any) error {
	ctx, cancel := context.WithTimeout(ctx, n.opts.Timeout)
	defer cancel()
	err := n.rpc.CallContext(httptrace.WithClientTrace(ctx, n.trace), result, method, args...)
	if err == nil {
		return nil
	}
	if answer, ok := errors.AsType[rpc.Error](err); ok {
		return refusal(answer)
	}
	return upstream.FaultOf(err)
}
