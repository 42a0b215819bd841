package track_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"hubquote/internal/catalog"
	"hubquote/internal/record"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/postgres"
	"hubquote/internal/settle/journal/sqlite"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/track"
	"hubquote/internal/wire/tracking"
	"hubquote/swap"
	server "hubquote/test/fake/postgres"
	"hubquote/test/reference"
)

var shared struct {
	once   sync.Once
	server *server.Server
	err    error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.server != nil {
		if err := shared.server.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	os.Exit(code)
}

func open(t testing.TB, kind string) journal.Journal {
	t.Helper()
	if kind == "sqlite" {
		j, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "journal"))
		return opened(t, j, err)
	}
	shared.once.Do(func() { shared.server, shared.err = server.Start(context.Background()) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	url, err := shared.server.Empty(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	j, err := postgres.Open(t.Context(), postgres.Options{URL: url})
	return opened(t, j, err)
}

func opened(t testing.TB, j journal.Journal, err error) journal.Journal {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

var began = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// An arrangement is a journal, its writer and the interface over it.
type arrangement struct {
	j journal.Journal
	w journal.Writer
	h *track.Handler
	s *httptest.Server
}

func each(t *testing.T, test func(*testing.T, *arrangement)) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) { test(t, arrange(t, kind)) })
	}
}

func arrange(t testing.TB, kind string) *arrangement {
	t.Helper()
	c := reference.Catalog(t)
	a := &arrangement{j: open(t, kind)}
	var err error
	if a.w, err = a.j.Acquire(t.Context(), "test"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.w.Release(context.Background()) })
	a.h, err = track.New(track.Options{Journal: a.j, Catalogs: []*catalog.Catalog{c}, Look: func(_ context.Context, chain swap.ChainID, _ swap.Hash) string {
		return map[swap.ChainID]string{10: swap.WhyReverted}[chain]
	}})
	if err != nil {
		t.Fatal(err)
	}
	a.s = httptest.NewServer(a.h)
	t.Cleanup(a.s.Close)
	return a
}

func (a *arrangement) write(t testing.TB, steps ...func(context.Context, journal.Tx) error) {
	t.Helper()
	err := a.w.Write(t.Context(), func(tx journal.Tx) error {
		for _, s := range steps {
			if err := s(t.Context(), tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// deposit is order number n, opened by transaction {1, n}.
func deposit(n int) journal.Order {
	body := &swap.Order{
		SrcPlace: *uint256.NewInt(369), SrcPool: swap.Address{1}, RefundTo: swap.Address{2}, Nonce: *uint256.NewInt(uint64(n)),
		DstPlace: *uint256.NewInt(8453), DstPool: swap.Address{3}, Recipient: make([]byte, 20), Deadline: uint64(began.Add(72 * time.Hour).Unix()),
	}
	return journal.Order{
		Order: order.Order{
			ID: order.ID(record.ID(body)), Running: uint64(n), Src: order.Pool{Chain: 369, Address: body.SrcPool}, Dst: order.Pool{Chain: 8453, Address: body.DstPool},
			Amount: *uint256.NewInt(100), Pays: *uint256.NewInt(99), Deadline: began.Add(72 * time.Hour), Body: record.Encode(body),
		},
		SrcTx: hash(1, n), Proof: order.Agreed, State: order.Seen, Reason: order.Finality, Since: began,
	}
}

func hash(kind byte, n int) order.Hash { return order.Hash{kind, byte(n >> 16), byte(n >> 8), byte(n)} }

func put(o journal.Order) func(context.Context, journal.Tx) error {
	return func(ctx context.Context, tx journal.Tx) error {
		opened := journal.Fact{Order: o.ID, Event: order.EventOpened, Fact: order.Fact{Chain: o.Src.Chain, Tx: o.SrcTx, Block: 5, Hash: order.Hash{5}, Time: began, Proof: o.Proof}}
		return errors.Join(tx.PutOrder(ctx, o), tx.PutFact(ctx, opened))
	}
}

func decide(o journal.Order, s order.State, e order.Event, p order.Proof) func(context.Context, journal.Tx) error {
	return func(ctx context.Context, tx journal.Tx) error {
		f := journal.Fact{Order: o.ID, Event: e, Fact: order.Fact{Chain: o.Dst.Chain, Tx: hash(2, int(o.Running)), Block: 6, Hash: order.Hash{6}, Time: began, Proof: p}}
		return errors.Join(tx.PutFact(ctx, f), tx.SetState(ctx, o.ID, journal.Decision{State: s, At: began}))
	}
}

func (a *arrangement) get(t testing.TB, path string) (int, []byte) {
	t.Helper()
	resp, err := http.Get(a.s.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, body
}

func (a *arrangement) track(t testing.TB, query string) *swap.Tracking {
	t.Helper()
	code, body := a.get(t, "/v1/status?"+query)
	got, err := tracking.Parse(body)
	if code != http.StatusOK || err != nil {
		t.Fatalf("%s: %d %s: %v, want an answer", query, code, body, err)
	}
	return got
}

// TestOrdersAreFoundByEachHash finds orders and burns by each hash that is theirs.
func TestOrdersAreFoundByEachHash(t *testing.T) {
	each(t, func(t *testing.T, a *arrangement) {
		one, two := deposit(1), deposit(2)
		two.SrcTx = one.SrcTx
		closed := deposit(3)
		closed.State = order.Paid // an order that counts for nothing below
		pending := journal.Burn{Key: hash(7, 1), Domain: 2, Tx: hash(3, 1), Way: "in", Sent: []byte{1}, Agreed: true, Status: "asking"}
		became := journal.Burn{Key: hash(7, 2), Domain: 2, Tx: hash(3, 2), Way: "in", Sent: []byte{1}, Agreed: true, Status: "delivered", Order: one.ID, MintTx: hash(4, 2)}
		beside := journal.Burn{Key: hash(7, 4), Domain: 2, Tx: hash(1, 3), Way: "in", Sent: []byte{1}, Agreed: true, Status: "asking"}
		relayed := journal.Burn{Key: hash(7, 3), Domain: 2, Tx: hash(3, 3), Way: "in", Sent: []byte{1}, Agreed: true, Status: "delivered", Order: hash(1, 99), MintTx: hash(4, 3)}
		forged := journal.Burn{Key: hash(7, 6), Domain: 2, Tx: hash(3, 1), Log: 9, Way: "in", Sent: []byte{2}, Status: "asking"}
		proved := journal.Burn{Key: hash(7, 5), Domain: 2, Tx: hash(3, 5), Way: "in", Sent: []byte{2}, Status: "asking", Nonce: []byte{1}}
		alone := journal.Burn{Key: hash(7, 7), Domain: 2, Tx: hash(3, 4), Way: "in", Sent: []byte{2}, Status: "asking"}
		a.write(t, put(one), put(two), decide(two, order.Paid, order.EventPaid, order.Agreed), func(ctx context.Context, tx journal.Tx) error {
			return errors.Join(tx.PutBurn(ctx, pending), tx.PutBurn(ctx, became), tx.PutBurn(ctx, relayed), tx.PutBurn(ctx, beside), tx.PutBurn(ctx, forged), tx.PutBurn(ctx, alone), tx.PutBurn(ctx, proved), put(closed)(ctx, tx),
				tx.SetCursor(ctx, journal.Cursor{Chain: 369, Pass: "head", Number: 12}), tx.SetCursor(ctx, journal.Cursor{Chain: 369, Pass: "final", Number: 10}))
		})
		for _, tt := range []struct {
			name, query string
			stages      []swap.Stage
			reason      string
		}{
			{"both orders of one deposit transaction", "tx=" + one.SrcTx.String(), []swap.Stage{swap.StageConfirming, swap.StagePaid}, ""},
			{"a deposit and a burn of one transaction", "tx=" + closed.SrcTx.String(), []swap.Stage{swap.StagePaid, swap.StageAttesting}, ""},
			{"by the payment", "tx=" + hash(2, 2).String(), []swap.Stage{swap.StagePaid}, ""},
			{"by a burn that is no order yet, and one that an endpoint made up", "tx=" + hash(3, 1).String(), []swap.Stage{swap.StageAttesting}, ""},
			{"by a burn that became an order", "tx=" + hash(3, 2).String(), []swap.Stage{swap.StageConfirming}, ""},
			{"by a burn that was relayed, whose order is not seen yet", "tx=" + hash(3, 3).String(), []swap.Stage{swap.StageAttesting}, ""},
			{"by a burn that only one endpoint gave", "tx=" + hash(3, 4).String(), nil, swap.WhyNotFound},
			{"by a burn that only one endpoint gave, and the issuer signed", "tx=" + hash(3, 5).String(), []swap.Stage{swap.StageAttesting}, ""},
			{"by the mint of a burn", "tx=" + hash(4, 2).String(), []swap.Stage{swap.StageConfirming}, ""},
			{"unknown", "tx=" + hash(9, 9).String(), nil, swap.WhyNotFound},
			{"unknown, and its chain is asked", "tx=" + hash(9, 9).String() + "&chain=10", nil, swap.WhyReverted},
		} {
			got := a.track(t, tt.query)
			if len(got.Orders) != len(tt.stages) || got.Reason != tt.reason {
				t.Errorf("%s: %d orders, reason %q, want %d, %q", tt.name, len(got.Orders), got.Reason, len(tt.stages), tt.reason)
				continue
			}
			for i, want := range tt.stages {
				if got.Orders[i].Stage != want {
					t.Errorf("%s: status of order %d = %s, want %s", tt.name, i, got.Orders[i].Stage, want)
				}
			}
			if len(got.Looked) != 1 || got.Looked[0] != (swap.Looked{Chain: 369, Head: 12, Final: 10}) {
				t.Errorf("%s: looked = %v, want chain 369 from 10 to 12", tt.name, got.Looked)
			}
		}
		if code, body := a.get(t, "/v1/orders/"+two.ID.String()); code != http.StatusOK || !json.Valid(body) {
			t.Errorf("an order by its ID: %d %s, want 200", code, body)
		}
		if code, body := a.get(t, "/v1/pools"); code != http.StatusOK || string(body) != `{"asOf":[{"chainId":369,"head":12,"final":10}],"pools":[{"chain":8453,"pool":"0x0300000000000000000000000000000000000000","pending":1,"amount":"99","oldest":"2026-01-02T03:04:05Z","sources":[{"chain":369,"pool":"0x0100000000000000000000000000000000000000","amount":"99"}]}]}` {
			t.Errorf("/v1/pools = %d %s, want the one order that is not paid", code, body)
		}
		if code, body := a.get(t, "/v1/health"); code != http.StatusOK || string(body) != `{"role":"standby","epoch":0,"chains":[{"id":369,"head":12,"final":10,"stalled":false,"endpoints":0}]}` {
			t.Errorf("/v1/health = %d %s, want the cursors", code, body)
		}
	})
}

// TestManyOrdersAreCounted asks about transactions with more orders than an answer
// lists.
func TestManyOrdersAreCounted(t *testing.T) {
	each(t, func(t *testing.T, a *arrangement) {
		const many = 130
		steps := []func(context.Context, journal.Tx) error{}
		for n := range many {
			o := deposit(n)
			o.SrcTx = hash(1, 1)
			paid := journal.Fact{Order: o.ID, Event: order.EventPaid, Log: uint64(n), Fact: order.Fact{Chain: 8453, Tx: hash(2, 1), Block: 6, Hash: order.Hash{6}, Time: began, Proof: order.Agreed}}
			burn := journal.Burn{Key: hash(7, n), Domain: 2, Tx: hash(3, 1), Log: uint64(n), Way: "in", Sent: []byte{1}, Agreed: true, Status: "asking"}
			steps = append(steps, put(o), func(ctx context.Context, tx journal.Tx) error {
				return errors.Join(tx.PutFact(ctx, paid), tx.PutBurn(ctx, burn))
			})
		}
		a.write(t, steps...)
		for name, tx := range map[string]order.Hash{"deposits": hash(1, 1), "payments": hash(2, 1), "burns": hash(3, 1)} {
			got := a.track(t, "tx="+tx.String())
			if len(got.Orders) != 100 || got.Omitted != many-100 {
				t.Errorf("%d %s in one transaction: %d are listed and %d more counted, want 100 and %d", many, name, len(got.Orders), got.Omitted, many-100)
			}
		}
		if got := a.track(t, "tx="+hash(9, 9).String()); got.Omitted != 0 {
			t.Errorf("an unknown transaction: %d orders are omitted, want 0", got.Omitted)
		}
	})
}

func TestRefused(t *testing.T) {
	a := arrange(t, "sqlite")
	tx := hash(9, 9).String()
	for _, tt := range []struct {
		path string
		want int
	}{
		{"/v1/status", 400}, {"/v1/status?tx=0x12", 400}, {"/v1/status?tx=" + tx + "&chain=x", 400}, {"/v1/status?tx=" + tx + "&wait=1s", 400},
		{"/v1/status?tx=" + tx + "&wait=1s&after=1", 400}, {"/v1/orders/0x12", 400}, {"/v1/orders/" + tx, 404}, {"/v1/orders", 404}, {"/v1/orders/", 404}, {"/", 404},
	} {
		if code, body := a.get(t, tt.path); code != tt.want {
			t.Errorf("%s = %d %s, want %d", tt.path, code, body, tt.want)
		}
	}
}

// TestRequestWaitsForNews asks for news and gets it when it comes.
func TestRequestWaitsForNews(t *testing.T) {
	each(t, func(t *testing.T, a *arrangement) {
		o := deposit(1)
		query := "tx=" + o.SrcTx.String() + "&wait=25s&after="
		news := make(chan *swap.Tracking, 1)
		go func() { news <- a.track(t, query+"0.0") }()
		a.write(t, put(o))
		got := <-news
		if len(got.Orders) != 1 || got.Orders[0].Stage != swap.StageConfirming {
			t.Fatalf("a new deposit: %+v, want it confirming", got)
		}
		go func() { news <- a.track(t, query+got.Mark().String()) }()
		a.write(t, decide(o, order.Settled, order.EventPaid, order.Final))
		if next := <-news; !got.Mark().Before(next.Mark()) || !next.Final() {
			t.Errorf("after the payment: %s at %s, want done and more than %s", next.Orders[0].Stage, next.Mark(), got.Mark())
		}
		if at := a.track(t, query+"9.9"); !at.Final() {
			t.Errorf("waiting behind the end: %+v, want the end at once", at)
		}
	})
}

func TestDrainAnswersWaitingRequests(t *testing.T) {
	a := arrange(t, "sqlite")
	o := deposit(1)
	a.write(t, put(o))
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		a.track(t, "tx="+o.SrcTx.String()+"&wait=25s&after=9.9")
	}()
	a.h.Drain()
	a.h.Drain()
	<-answered
}

func TestJournalThatFails(t *testing.T) {
	a := arrange(t, "sqlite")
	_ = a.w.Release(t.Context())
	if err := a.j.Close(); err != nil {
		t.Fatal(err)
	}
	if code, body := a.get(t, "/v1/status?tx="+hash(1, 1).String()); code != http.StatusServiceUnavailable || string(body) != "the journal does not answer\n" {
		t.Errorf("a closed journal: %d %s, want 503 without the database's error", code, body)
	}
}

// BenchmarkStatus answers about known orders of a journal with many.
func BenchmarkStatus(b *testing.B) {
	const orders = 100_000
	for _, kind := range []string{"sqlite", "postgres"} {
		b.Run(kind, func(b *testing.B) {
			a := arrange(b, kind)
			for from := 0; from < orders; from += 5000 {
				var steps []func(context.Context, journal.Tx) error
				for n := from; n < from+5000; n++ {
					o := deposit(n)
					steps = append(steps, put(o), decide(o, order.Settled, order.EventPaid, order.Final))
				}
				a.write(b, steps...)
			}
			n := 0
			for b.Loop() {
				n = (n + 7919) % orders
				r := httptest.NewRequest(http.MethodGet, "/v1/status?tx="+hash(1, n).String(), nil)
				w := httptest.NewRecorder()
				a.h.ServeHTTP(w, r)
				if w.Code != http.StatusOK {
					b.Fatalf("%d %s, want 200", w.Code, w.Body)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "answers/s")
		})
	}
}
