package send_test

import (
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gethkeystore "github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/sqlite"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/lane"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/send"
	"hubquote/internal/settle/sign"
	"hubquote/internal/settle/sign/keystore"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/audit"
	"hubquote/test/devnet/anvil"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/fake/endpoint"
	"hubquote/test/fake/mempool"
)

const chainID = 369

// target counts the calls that it gets in its first slot, and reverts with its
// calldata when that begins with ff.
var (
	target     = swap.MustAddress("0x00000000000000000000000000000000000000c0")
	targetCode = "0x60003560f81c60ff14601657600054600101600055005b366000600037366000fd"
	refusing   = "0x60006000fd"
	count      = []byte{1, 2, 3, 4}
	refuse     = []byte{0xff, 2, 3, 4, 5}
	gwei       = big.NewInt(1e9)
)

// A rig is a lane on a real chain behind a real node's pool.
type rig struct {
	testing.TB
	pool    *mempool.Pool
	chain   *rpc.Client
	gates   []gate
	secret  *ecdsa.PrivateKey
	key     sign.Key
	journal journal.Journal
	writer  journal.Writer
	opts    send.Options
	lane    *send.Lane
	final   uint64
	orders  int
	others  map[common.Hash]bool // transactions of the key that are not the lane's
	before  *journal.Image
	caps    map[order.Pool]swap.Amount
}

// newRig starts a chain with three nodes of which two must agree. Change may
// alter the options.
func newRig(t *testing.T, change func(*send.Options)) *rig {
	t.Helper()
	t.Parallel()
	return newRigNow(t, change)
}

func newRigNow(t *testing.T, change func(*send.Options)) *rig {
	t.Helper()
	r := &rig{TB: t, others: map[common.Hash]bool{}}
	chain, err := anvil.Start(t.Context(), devnettest.Anvil(t, "../../.."), chainID)
	r.must(err)
	t.Cleanup(chain.Stop)
	r.pool, err = mempool.New(t.Context(), chain.URL)
	r.must(err)
	t.Cleanup(r.pool.Close)
	r.chain, err = rpc.DialContext(t.Context(), chain.URL)
	r.must(err)
	t.Cleanup(r.chain.Close)
	r.secret, r.key = newKey(t)
	r.do("anvil_setCode", target, targetCode)
	r.do("anvil_setBalance", r.key.Address(), "0xde0b6b3a7640000")
	r.mine(1)
	r.open()
	r.opts = send.Options{
		Chain: chainID, Nodes: r.nodes(3), K: 2, Signer: r.signer(r.key),
		Limits: lane.Limits{After: 2, Cap: *uint256.NewInt(20e9)}, InFlight: 4, Mempool: true, Gas: 100_000,
		Resend: time.Hour, Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Final: func(context.Context) (uint64, error) { return r.final, nil },
	}
	if change != nil {
		change(&r.opts)
	}
	r.start()
	t.Cleanup(func() {
		r.check()
		_ = r.journal.Close()
	})
	return r
}

// open makes an empty journal.
func (r *rig) open() {
	r.Helper()
	j, err := sqlite.Open(r.Context(), filepath.Join(r.TempDir(), "journal"))
	r.must(err)
	if r.journal != nil {
		r.must(r.journal.Close())
	}
	w, err := j.Acquire(r.Context(), "test")
	r.must(err)
	r.journal, r.writer, r.before = j, w, nil
}

// start makes a new lane on the journal, as a start or takeover does.
func (r *rig) start() {
	r.Helper()
	o := r.opts
	o.Journal = r.journal
	if o.Write == nil {
		o.Write = r.writer.Write
	}
	if o.Renew == nil {
		o.Renew = r.writer.Renew
	}
	l, err := send.New(o)
	r.must(err)
	r.Cleanup(l.Close)
	r.lane = l
	r.must(l.Reconcile(r.Context()))
}

// check holds the journal against its invariants, and what the nodes were sent
// against the journal.
func (r *rig) check() {
	r.lane.Close()
	img := r.image()
	for _, err := range audit.Check(img, audit.Rules{Caps: r.caps, RefundAfter: time.Hour}) {
		r.Error(err)
	}
	var sent []order.Hash
	for _, h := range r.pool.Sent() {
		if !r.others[h] {
			sent = append(sent, order.Hash(h))
		}
	}
	for _, err := range audit.Sent(img, sent) {
		r.Error(err)
	}
}

func (r *rig) image() *journal.Image {
	r.Helper()
	img, err := r.journal.All(context.Background())
	r.must(err)
	if r.before != nil {
		for _, err := range audit.Step(r.before, img) {
			r.Error(err)
		}
	}
	r.before = img
	return img
}

func (r *rig) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

func (r *rig) do(method string, args ...any) {
	r.Helper()
	r.must(r.chain.CallContext(r.Context(), nil, method, args...))
}

func newKey(t testing.TB) (*ecdsa.PrivateKey, sign.Key) {
	t.Helper()
	k, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	file, err := gethkeystore.EncryptKey(&gethkeystore.Key{Address: crypto.PubkeyToAddress(k.PublicKey), PrivateKey: k}, "secret", 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path, password := filepath.Join(dir, "key"), filepath.Join(dir, "password")
	if err := errors.Join(os.WriteFile(path, file, 0o600), os.WriteFile(password, []byte("secret"), 0o600)); err != nil {
		t.Fatal(err)
	}
	key, err := keystore.Open(path, password)
	if err != nil {
		t.Fatal(err)
	}
	return k, key
}

func (r *rig) signer(key sign.Key) *sign.Signer {
	return sign.New(key, sign.List{
		Calls: []sign.Call{
			{Chain: chainID, Contract: target, Selector: [4]byte(count)}, {Chain: chainID, Contract: target, Selector: [4]byte(refuse)},
		},
		Chains: map[swap.ChainID]sign.Limit{chainID: {Cap: *uint256.NewInt(100e9), Gas: 1_000_000}},
	})
}

// A gate is an endpoint. Its rule may answer a method in place of the pool, with
// a result or an error in JSON; an empty one ends the connection.
type gate struct{ *endpoint.Endpoint }

func (g gate) set(rule func(method, params string) (string, bool)) {
	if rule == nil {
		g.Set()
		return
	}
	g.Set(func(ctx context.Context, q endpoint.Request, next endpoint.Next) (a endpoint.Answer) {
		params, _ := json.Marshal(q.Params)
		text, ok := rule(q.Method, string(params))
		switch {
		case !ok:
			return next(ctx, q)
		case text == "" || json.Unmarshal([]byte("{"+text+"}"), &a) != nil:
			return endpoint.Answer{Drop: true}
		}
		return a
	})
}

// calls returns how many calls the nodes got, without the proof of the chain that
// each connection begins with.
func (r *rig) calls() (n int) {
	for _, g := range r.gates {
		n += g.Calls() - g.Calls("eth_chainId")
	}
	return n
}

func down(string, string) (string, bool) { return "", true }

// says answers one method with a result.
func says(method, result string) func(string, string) (string, bool) {
	return func(m, _ string) (string, bool) { return `"result":` + result, m == method }
}

func (r *rig) nodes(n int) (list []*node.Node) {
	r.Helper()
	pool := httptest.NewServer(r.pool)
	r.Cleanup(pool.Close)
	for _, e := range endpoint.New(r, pool.URL, n).Endpoints {
		url, err := upstream.Parse(e.URL)
		r.must(err)
		nd, err := node.New(node.Options{Chain: chainID, URL: url, MaxBlockAge: -1, Timeout: time.Hour})
		r.must(err)
		r.Cleanup(nd.Close)
		r.gates, list = append(r.gates, gate{e}), append(list, nd)
	}
	return list
}

// task records a final deposit and a payment that is ready, and returns its
// number.
func (r *rig) task() (id int64) {
	r.Helper()
	r.orders++
	o := journal.Order{
		Order: order.Order{
			ID: order.ID{byte(r.orders)}, Src: order.Pool{Chain: 1, Address: swap.Address{5}}, Dst: order.Pool{Chain: chainID, Address: target},
			Amount: *uint256.NewInt(400), Deadline: time.Now().Add(time.Hour), Body: []byte{1},
		},
		Proof: order.Final, State: order.Paying,
	}
	r.write(func(ctx context.Context, tx journal.Tx) (err error) {
		if err := tx.PutOrder(ctx, o); err != nil {
			return err
		}
		id, err = tx.AddTask(ctx, journal.Task{Subject: o.ID, Kind: order.Pay, Chain: chainID, Basis: string(step.FinalDeposit), Made: time.Now()})
		return err
	})
	return id
}

// early makes the deposit of the last task one that is not final.
func (r *rig) early() {
	r.Helper()
	r.write(func(ctx context.Context, tx journal.Tx) error {
		o, _, err := tx.Order(ctx, order.ID{byte(r.orders)})
		if err != nil {
			return err
		}
		o.Proof = order.Safe
		return tx.PutOrder(ctx, o)
	})
}

func (r *rig) write(fn func(context.Context, journal.Tx) error) {
	r.Helper()
	r.must(r.writer.Write(r.Context(), func(tx journal.Tx) error { return fn(r.Context(), tx) }))
}

func (r *rig) end(id int64, p order.Progress) {
	r.Helper()
	r.write(func(ctx context.Context, tx journal.Tx) error { return tx.EndTask(ctx, id, p) })
}

func call(tasks ...int64) send.Call {
	c := send.Call{To: target, Data: count, Gas: 200_000}
	for _, id := range tasks {
		c.Tasks = append(c.Tasks, journal.Reserved{Task: id})
	}
	return c
}

// send sends one call with a task of its own, and returns the task.
func (r *rig) send() int64 {
	r.Helper()
	id := r.task()
	r.must(r.lane.Send(r.Context(), call(id)))
	return id
}

func (r *rig) tend() {
	r.Helper()
	r.must(r.lane.Tend(r.Context()))
}

// arrived waits until every node has got all that was sent. A broadcast returns
// with the first answer, and a copy that comes late would be neither dropped nor
// lost.
func (r *rig) arrived() {
	r.Helper()
	want := 0
	for _, a := range r.image().Attempts {
		want += int(a.Sends) * len(r.gates)
	}
	for limit := time.Now().Add(10 * time.Second); len(r.pool.Sent()) < want; time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			r.Fatalf("%d copies arrived, want %d", len(r.pool.Sent()), want)
		}
	}
}

// mine makes blocks at a base fee of one gwei.
func (r *rig) mine(blocks int) {
	r.Helper()
	for range blocks {
		_, err := r.pool.Mine(r.Context(), gwei)
		r.must(err)
	}
}

// mineNothing makes a block that no transaction can pay for.
func (r *rig) mineNothing() {
	r.Helper()
	_, err := r.pool.Mine(r.Context(), big.NewInt(1000e9))
	r.must(err)
}

// steps makes blocks and tends the lane after each.
func (r *rig) steps(blocks int) {
	r.Helper()
	for range blocks {
		r.mine(1)
		r.tend()
	}
}

// done returns how often the target was called.
func (r *rig) done() uint64 {
	r.Helper()
	var word common.Hash
	r.must(r.chain.CallContext(r.Context(), &word, "eth_getStorageAt", target, "0x0", "latest"))
	return word.Big().Uint64()
}

func (r *rig) wantDone(want uint64) {
	r.Helper()
	if got := r.done(); got != want {
		r.Errorf("the contract was called %d times, want %d", got, want)
	}
}

// wantNonces compares the states of the journal's nonces, from the lowest.
func (r *rig) wantNonces(want ...journal.NonceState) {
	r.Helper()
	var got []journal.NonceState
	for _, n := range r.image().Nonces {
		got = append(got, n.State)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		r.Errorf("nonces are %v, want %v", got, want)
	}
}

func (r *rig) wantTask(id int64, want order.Progress) {
	r.Helper()
	for _, t := range r.image().Tasks {
		if t.ID == id && t.Progress != want {
			r.Errorf("task %d is %s, want %s", id, t.Progress, want)
		}
	}
}

// attempts returns the attempts for a nonce, the cheapest first.
func (r *rig) attempts(nonce uint64) []*types.Transaction {
	r.Helper()
	rows, err := r.journal.Attempts(r.Context(), chainID, r.key.Address(), nonce)
	r.must(err)
	var list []*types.Transaction
	for _, a := range rows {
		tx := new(types.Transaction)
		r.must(tx.UnmarshalBinary(a.Raw))
		list = append(list, tx)
	}
	return list
}

func (r *rig) wantAttempts(nonce uint64, want int) []*types.Transaction {
	r.Helper()
	got := r.attempts(nonce)
	if len(got) != want {
		r.Fatalf("nonce %d has %d attempts, want %d", nonce, len(got), want)
	}
	return got
}

// stranger sends a transaction with the lane's key past the lane, as a settler
// whose journal is lost did.
func (r *rig) stranger(nonce uint64, tip, fee int64) *types.Transaction {
	r.Helper()
	to := common.Address{0xdd}
	tx, err := types.SignNewTx(r.secret, types.LatestSignerForChainID(big.NewInt(chainID)), &types.DynamicFeeTx{
		ChainID: big.NewInt(chainID), Nonce: nonce, To: &to, Gas: 21_000, GasTipCap: big.NewInt(tip), GasFeeCap: big.NewInt(fee),
	})
	r.must(err)
	r.others[tx.Hash()] = true
	raw, err := tx.MarshalBinary()
	r.must(err)
	if answer := r.offer(hexutil.Encode(raw)); strings.Contains(answer, "error") {
		r.Fatalf("the pool refused: %s", answer)
	}
	return tx
}

// offer gives signed bytes to the pool, and returns its answer.
func (r *rig) offer(raw string) string {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":[%q]}`, raw)
	w := httptest.NewRecorder()
	r.pool.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body)))
	return w.Body.String()
}
