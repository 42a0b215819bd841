package track

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"hubquote/internal/settle/order"
	"hubquote/internal/wire/tracking"
	"hubquote/swap"
)

// A question is a request for a status.
type question struct {
	tx    swap.Hash
	chain swap.ChainID
	wait  time.Duration
	after swap.Mark
}

func parse(values url.Values) (q question, ok bool) {
	var err [4]error
	q.tx, err[0] = swap.ParseHash(values.Get("tx"))
	if s := values.Get("chain"); s != "" {
		var id swap.PlaceID
		id, err[1] = swap.ParsePlaceID(s)
		q.chain = swap.ChainID(id)
	}
	if s := values.Get("wait"); s != "" {
		q.wait, err[2] = time.ParseDuration(s)
		q.after, err[3] = swap.ParseMark(values.Get("after"))
	}
	q.wait = min(q.wait, maxWait)
	return q, err == [4]error{}
}

func (h *Handler) status(w http.ResponseWriter, r *http.Request) {
	q, ok := parse(r.URL.Query())
	if !ok {
		http.Error(w, "write tx=0x and 64 digits, and optionally chain=N, wait=25s and after=REVISION.STEP", http.StatusBadRequest)
		return
	}
	t, err := h.answer(r.Context(), q)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	if t.Reason != "" && q.chain != 0 && h.opts.Look != nil {
		t.Reason = h.opts.Look(r.Context(), q.chain, q.tx)
	}
	write(w, http.StatusOK, tracking.New(t))
}

// answer returns at once when there is news, and else waits for it.
func (h *Handler) answer(ctx context.Context, q question) (*swap.Tracking, error) {
	t, err := h.read(ctx, q.tx)
	if err != nil || q.wait <= 0 || q.isNews(t) || !h.enter() {
		return t, err
	}
	defer func() { <-h.waiting }()
	end := time.NewTimer(q.wait)
	defer end.Stop()
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for err == nil && !q.isNews(t) {
		select {
		case <-tick.C:
			t, err = h.read(ctx, q.tx)
		case <-end.C:
			return t, nil
		case <-h.draining:
			return t, nil
		case <-ctx.Done():
			return t, ctx.Err()
		}
	}
	return t, err
}

// isNews reports whether an answer says more than the caller knows.
func (q *question) isNews(t *swap.Tracking) bool { return t.Final() || q.after.Before(t.Mark()) }

// enter takes a place among the waiting requests, if one is free.
func (h *Handler) enter() bool {
	select {
	case <-h.draining:
		return false
	default:
	}
	select {
	case h.waiting <- struct{}{}:
		return true
	default:
		return false
	}
}

func (h *Handler) order(w http.ResponseWriter, r *http.Request) {
	id, err := swap.ParseHash(r.PathValue("id"))
	if err != nil {
		http.Error(w, "write the order's ID as 0x and 64 digits", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	o, found, err := h.opts.Journal.Order(ctx, order.ID(id))
	switch {
	case err != nil:
		h.fail(w, r, err)
	case !found:
		http.Error(w, "no such order", http.StatusNotFound)
	default:
		s, err := h.statusOf(ctx, o)
		if err != nil {
			h.fail(w, r, err)
			return
		}
		write(w, http.StatusOK, tracking.NewStatus(&s))
	}
}

// Pending is what a pool still has to pay.
type pending struct {
	Chain   swap.ChainID  `json:"chain"`
	Pool    swap.Address  `json:"pool"`
	Orders  int           `json:"pending"`
	Amount  string        `json:"amount"`
	Oldest  time.Time     `json:"oldest"`
	Sources []pendingFrom `json:"sources"`
}

// A pendingFrom is the part of it that orders of one source are paid.
type pendingFrom struct {
	Chain  swap.ChainID `json:"chain"`
	Pool   swap.Address `json:"pool"`
	Amount string       `json:"amount"`
}

func (h *Handler) poolsPending(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	list, err := h.pools.get(readLimit, func() ([]pending, error) { return h.sumPools(ctx) })
	looked, err2 := h.looked(ctx)
	if err := errors.Join(err, err2); err != nil {
		h.fail(w, r, err)
		return
	}
	write(w, http.StatusOK, map[string]any{"asOf": chains(looked), "pools": list})
}

func (h *Handler) health(w http.ResponseWriter, r *http.Request) {
	if h.opts.Health != nil {
		write(w, http.StatusOK, h.opts.Health())
		return
	}
	looked, err := h.looked(r.Context())
	if err != nil {
		h.fail(w, r, err)
		return
	}
	out := Health{Role: "standby", Chains: []ChainHealth{}}
	for _, l := range looked {
		out.Chains = append(out.Chains, ChainHealth{ID: l.Chain, Head: l.Head, Final: l.Final})
	}
	write(w, http.StatusOK, out)
}

// fail answers without the text of the error, which may name the database.
func (h *Handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() == nil {
		h.opts.Log.Error("status", "path", r.Pattern, "err", err)
	}
	http.Error(w, "the journal does not answer", http.StatusServiceUnavailable)
}

func write(w http.ResponseWriter, code int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		http.Error(w, "cannot be shown", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(code)
	_, _ = w.Write(body)
}
