// Package front is the devnet over HTTP, below /devnet/ of the quote service: its
// configuration, a proxy to every chain's node, a contract wallet, and the progress
// of an order.
//
// It has the origin of the page, so that the page needs no other host.
// It only reads, but for the nodes, which hold the test accounts' keys and sign
// for every client: it must be served on the loopback interface and nowhere else.
package front

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/attest"
	"hubquote/test/devnet/batch"
)

// Options configure a [Front].
type Options struct {
	// Net is the devnet. Required.
	Net *devnet.Net

	// Issuer is the base URL of the issuer's attestation service. Required.
	Issuer string
}

// A Front is the handler of everything below /devnet/.
type Front struct {
	net    *devnet.Net
	issuer attest.Client
	mux    *http.ServeMux
}

const issuerTimeout = 5 * time.Second

// New returns a Front.
func New(opts Options) (*Front, error) {
	if opts.Net == nil || opts.Issuer == "" {
		return nil, errors.New("front: Options.Net and Options.Issuer are required")
	}
	f := &Front{net: opts.Net, mux: http.NewServeMux()}
	f.issuer = attest.Client{URL: opts.Issuer, HTTP: &http.Client{Transport: &http.Transport{}, Timeout: issuerTimeout}}
	f.mux.HandleFunc("GET /devnet/config.json", f.config)
	f.mux.HandleFunc("GET /devnet/orders/{tx}", f.order)
	for id, chain := range f.net.Chains {
		node, err := url.Parse(chain.URL)
		if err != nil {
			return nil, err
		}
		f.mux.Handle("POST "+RPCPath(id), toNode(node))
		f.mux.Handle("POST "+WalletPath(id), batch.StandIn(chain, toNode(node)))
	}
	return f, nil
}

// RPCPath is the path of a chain's node.
func RPCPath(id swap.ChainID) string { return fmt.Sprintf("/devnet/rpc/%d", id) }

// WalletPath is the path of the contract wallet on a chain.
func WalletPath(id swap.ChainID) string { return fmt.Sprintf("/devnet/wallet/%d", id) }

func (f *Front) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.mux.ServeHTTP(w, r) }

// Close ends all connections.
func (f *Front) Close() { f.issuer.HTTP.CloseIdleConnections() }

const maxRequest = 1 << 20

// toNode passes a request on to a node. The headers that a browser adds are for
// the service and stay behind.
//
// The body is read first. While it is passed on, net/http closes it as soon as the
// answer begins, and a proxy that was about to see its end drops the long answer.
func toNode(node *url.URL) http.Handler {
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host, r.Out.URL.Path = node.Scheme, node.Host, "/"
		r.Out.Header = http.Header{"Content-Type": {"application/json"}}
	}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
		if err != nil {
			answer(w, http.StatusBadRequest, problem{"the request cannot be read: " + err.Error()})
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	})
}

func (f *Front) order(w http.ResponseWriter, r *http.Request) {
	tx, err := parseHash(r.PathValue("tx"))
	if err != nil {
		answer(w, http.StatusBadRequest, problem{err.Error()})
		return
	}
	o, err := f.track(r.Context(), tx)
	if err != nil {
		answer(w, http.StatusInternalServerError, problem{err.Error()})
		return
	}
	answer(w, http.StatusOK, o)
}

func parseHash(s string) (common.Hash, error) {
	var h common.Hash
	if err := h.UnmarshalText([]byte(s)); err != nil {
		return h, errors.New("not a transaction's hash: write 0x and 64 hexadecimal digits")
	}
	return h, nil
}

type problem struct {
	Error string `json:"error"`
}

func answer(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(text)
}
