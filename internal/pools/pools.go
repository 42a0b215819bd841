// Package pools watches the contracts that take and pay orders, and refuses quotes
// that they would not pay.
//
// It looks in the background, through the nodes that are configured, and keeps what
// it saw behind one pointer: a quote costs one atomic load, that of a burn two, and
// waits for nothing. What was not seen in the last minute is not known, and refuses
// nothing unless the operator requires it.
package pools

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment/operator"
	"hubquote/internal/fee"
	"hubquote/internal/pools/atlas"
	"hubquote/internal/pools/backlog"
	"hubquote/internal/pools/lens"
	"hubquote/internal/pools/level"
	"hubquote/internal/pools/messenger"
	"hubquote/internal/pools/proxy"
	"hubquote/internal/quorum"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// Options configure a [Watcher]. Catalog is required.
type Options struct {
	Catalog *catalog.Catalog

	// Endpoints are the nodes of each chain. Contracts on a chain without any
	// are not known.
	Endpoints map[swap.ChainID][]upstream.URL

	// MaxBlockAge is that of [quorum.Options].
	MaxBlockAge time.Duration

	// Settings are what the operator decided when the contracts were made. Nil
	// means that roles, caps and bounds are compared with nothing.
	Settings *operator.Settings

	// Require refuses quotes for routes whose contracts are not known.
	Require bool

	// Settler, if set, is asked what the pools owe already.
	Settler *backlog.Settler

	// Observe is called with every node's part in every look; see
	// [quorum.Options].
	Observe func(quorum.Report)

	// Transport carries the calls. Nil means connections of its own for each
	// node.
	Transport http.RoundTripper
}

const (
	// Every is the time from one look at a chain to the next.
	Every = 10 * time.Second

	// Known is how long a snapshot is used.
	Known = 60 * time.Second
)

// A Watcher is a [swap.Pools] and a [swap.MinFees].
type Watcher struct {
	opts    Options
	atlas   *atlas.Atlas
	chains  []*chain
	view    atomic.Pointer[View]
	stop    context.CancelFunc
	running sync.WaitGroup

	mu     sync.Mutex // guards what follows, and making views of it
	levels map[*atlas.Contract]*level.Level
	owed   owed
}

// owed is what the settler said last.
type owed struct {
	pools map[backlog.Pool]backlog.Debt
	at    time.Time // zero before the first
	fault error     // of the last question; nil when it went well
}

// A chain is one that is looked at.
type chain struct {
	id        swap.ChainID
	nodes     *quorum.Nodes
	lens      *lens.Chain      // nil where none of our contracts are
	messenger *messenger.Chain // nil where nothing is burned
	proxies   *proxy.Chain
	looking   sync.Mutex  // held during a look
	expire    *time.Timer // makes a view without what is too old
	known     known       // guarded by the watcher's lock
}

// known is the last results of looking at a chain.
type known struct {
	sight   *lens.Sight // nil before the first
	fee     *minFee     // nil before the first
	changes []proxy.Change
	fault   error // of the last look; nil when it went well
}

type minFee struct {
	rate swap.IssuerRate
	at   time.Time
}

// New returns a watcher that knows nothing until it is started.
func New(opts Options) (*Watcher, error) {
	if opts.Catalog == nil {
		return nil, errors.New("pools: Options.Catalog is required")
	}
	a, err := atlas.New(opts.Catalog, opts.Settings)
	if err != nil {
		return nil, fmt.Errorf("pools: %w", err)
	}
	w := &Watcher{opts: opts, atlas: a, stop: func() {}, levels: map[*atlas.Contract]*level.Level{}}
	for _, id := range Networks(opts.Catalog) {
		if err := w.add(id); err != nil {
			w.Close()
			return nil, fmt.Errorf("pools on chain %d: %w", id, err)
		}
	}
	w.publish()
	return w, nil
}

// Networks returns the chains that a watcher can look at: those of our contracts,
// and those that burns start from.
func Networks(cat *catalog.Catalog) []swap.ChainID {
	list := cat.RegistryChains()
	for _, r := range cat.Routes() {
		if r.Burn != nil {
			list = append(list, r.Src.Network)
		}
	}
	slices.Sort(list)
	return list
}

func (w *Watcher) add(id swap.ChainID) error {
	urls := w.opts.Endpoints[id]
	if len(urls) == 0 {
		return nil
	}
	nodes, err := quorum.New(quorum.Options{
		Chain: id, Endpoints: urls, MaxBlockAge: w.opts.MaxBlockAge, Patient: true, Observe: w.opts.Observe, Transport: w.opts.Transport,
	})
	if err != nil {
		return err
	}
	c := &chain{id: id, nodes: nodes, proxies: proxy.New(nodes, w.atlas.Foreign(id)), expire: time.AfterFunc(Known, w.publish)}
	if contracts := w.atlas.On(id); contracts != nil {
		c.lens = lens.New(nodes, contracts)
	}
	if _, burns := w.atlas.Issuer.Domains[id]; burns {
		c.messenger = messenger.New(nodes, w.atlas.Issuer.Messenger)
	}
	w.chains = append(w.chains, c)
	return nil
}

// Payable refuses a quote that would not be paid as things are.
func (w *Watcher) Payable(q *swap.Quote) error {
	v := w.view.Load().verdicts[q.Route]
	if w.opts.Require {
		if err := v.Unknown(); err != nil {
			return err
		}
	}
	return v.Check(q)
}

// State returns what is known of a route.
func (w *Watcher) State(r *swap.Route) swap.PoolState {
	v := w.view.Load().verdicts[r]
	s := swap.PoolState{AsOf: v.AsOf, Available: v.Available(), Reason: v.Reason(r)}
	if err := v.Unknown(); w.opts.Require && err != nil {
		s.Reason = swap.CodeOf(err)
	}
	if s.Reason == "" && r.Burn != nil && tooDear(r, w.MinFee(r.Src.Network)) {
		s.Reason = swap.IssuerFeeUnavailable
	}
	if s.Reason != "" && s.Available != nil {
		s.Available = new(swap.Amount)
	}
	return s
}

// tooDear reports whether the least fee of a burn is more than the protocol's fee
// bears. Both are shares of the amount, so the largest amount decides for all.
func tooDear(r *swap.Route, least swap.IssuerRate) bool {
	asked, borne := fee.MinBurnFee(&r.Limits.Max, least), fee.Of(r.Rate, &r.Limits.Max)
	return asked.Gt(&borne)
}

// MinFee returns the least fee that a source's messenger accepts.
func (w *Watcher) MinFee(source swap.ChainID) swap.IssuerRate { return w.view.Load().fees[source] }

// View returns what is known now.
func (w *Watcher) View() *View { return w.view.Load() }
