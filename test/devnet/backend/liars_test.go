package backend_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/deployment/third"
	"hubquote/internal/settle/sign"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/attest"
	"hubquote/test/devnet/backend"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/fake"
	"hubquote/test/fake/endpoint"
)

// lies are the ways in which one endpoint of three fails, by name.
var lies = []struct {
	name  string
	fault endpoint.Fault
}{
	{"missing logs", endpoint.LeaveOut()},
	{"invented logs", endpoint.Forge(func(l endpoint.Log) { l["logIndex"], l["data"] = "0x1f4", forged(l["data"]) })},
	{"altered logs", endpoint.Alter(func(l endpoint.Log) { l["data"] = forged(l["data"]) })},
	{"old blocks", endpoint.Behind(40)},
	{"blocks that are not there", endpoint.Ahead(1000)},
	{"wrong receipts", endpoint.FailedReceipts()},
	{"zeros for state", endpoint.Zeros()},
	{"null", endpoint.Null("eth_getBlockByNumber", "eth_getTransactionReceipt", "eth_getLogs", "eth_call", "eth_getTransactionCount")},
	{"another chain", endpoint.OtherChain(5)},
	{"refused", endpoint.Refuse("eth_getLogs", "eth_estimateGas", "eth_sendRawTransaction")},
	{"slow", endpoint.Slow(300 * time.Millisecond)},
	{"dropped", endpoint.DropEvery(3)},
	{"down", endpoint.Down},
	{"the truth", func(ctx context.Context, r endpoint.Request, next endpoint.Next) endpoint.Answer { return next(ctx, r) }},
}

// forged changes a digit in the middle of a log's data.
func forged(data any) any {
	text, _ := data.(string)
	b := []byte(text)
	if len(b) > 2 {
		at := 2 + (len(b)-2)/2
		b[at] = map[bool]byte{true: '1', false: '0'}[b[at] == '0']
	}
	return string(b)
}

// lie has one endpoint lie in one way after the other until ctx ends, and tell
// the truth then.
func lie(ctx context.Context, e *endpoint.Endpoint, c *counts) {
	for ctx.Err() == nil {
		l := lies[dice.n(len(lies))]
		e.Set(endpoint.Counted(l.fault, func() { c.add("lies of nodes: " + l.name) }))
		fake.Sleep(ctx, 300*time.Millisecond+time.Duration(dice.n(1500))*time.Millisecond)
	}
	e.Set()
}

// An issuerFront stands before the attester and fails on command.
type issuerFront struct {
	attester http.Handler
	count    *counts
	hook     func(kind string, answered bool)

	mu   sync.Mutex
	mood string
}

// newIssuer starts an attester behind a front. A fast burn's signature is good for
// so many blocks.
func newIssuer(t *testing.T, n *devnet.Net, lifetime uint64, c *counts) (*issuerFront, string) {
	t.Helper()
	a, err := attest.New(attest.Options{
		Chains: n.Domains(), Transmitter: third.Transmitter, Account: devnet.Account(devnet.Attester),
		Rates: n.Rates(), Confirmations: depth, Lifetime: lifetime,
	})
	if err != nil {
		t.Fatal(err)
	}
	f := &issuerFront{attester: a, count: c, hook: func(string, bool) {}}
	return f, devnettest.Serve(t, f)
}

// moods are the ways in which the issuer fails. The words of a delay are its own.
var moods = []string{
	"", "", "down", "slow", "429", "pending", "v1 mixed in", "reversed",
	"delayed: insufficient_fee", "delayed: amount_above_max", "delayed: insufficient_allowance_available", "delayed: a new word",
}

// blocked is for how many minutes no settler asks after a 429, which is longer than
// a short storm has.
const blocked = 5

func (f *issuerFront) set(mood string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.mood = mood
}

func (f *issuerFront) change(ctx context.Context) {
	for ctx.Err() == nil {
		mood := moods[dice.n(len(moods))]
		if mood == "429" && *minutes < 2*blocked {
			mood = "pending"
		}
		f.set(mood)
		fake.Sleep(ctx, 300*time.Millisecond+time.Duration(dice.n(1200))*time.Millisecond)
	}
	f.set("")
}

func (f *issuerFront) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.hook("issuer", false)
	defer f.hook("issuer", true)
	f.mu.Lock()
	mood := f.mood
	f.mu.Unlock()
	if mood != "" {
		f.count.add("faults of the issuer: " + mood)
	}
	switch mood {
	case "down":
		panic(http.ErrAbortHandler)
	case "slow":
		fake.Sleep(r.Context(), time.Second)
	case "429":
		http.Error(w, "{}", http.StatusTooManyRequests)
		return
	}
	answer := httptest.NewRecorder()
	f.attester.ServeHTTP(answer, r)
	body := answer.Body.Bytes()
	if answer.Code == http.StatusOK {
		body = edited(body, mood)
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(body)
}

// edited is an answer in which the issuer has a mood.
func edited(body []byte, mood string) []byte {
	var m attest.Messages
	if json.Unmarshal(body, &m) != nil || m.Messages == nil {
		return body
	}
	list := []map[string]any{}
	for _, e := range m.Messages {
		one := map[string]any{"message": e.Message, "attestation": e.Attestation, "eventNonce": e.EventNonce, "cctpVersion": 2, "status": e.Status}
		if reason, late := bytes.CutPrefix([]byte(mood), []byte("delayed: ")); late || mood == "pending" {
			one = map[string]any{"message": "0x", "attestation": "PENDING", "cctpVersion": 2, "status": attest.Pending}
			if late {
				one["delayReason"] = string(reason)
			}
		}
		list = append(list, one)
	}
	switch mood {
	case "v1 mixed in":
		first := map[string]any{"message": "0x00", "attestation": "0x01", "eventNonce": "1", "cctpVersion": 1, "status": attest.Complete}
		list = append([]map[string]any{first}, append(list, first)...)
	case "reversed":
		for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
			list[i], list[j] = list[j], list[i]
		}
	}
	out, _ := json.Marshal(map[string]any{"messages": list, "sourceTxHash": m.SourceTxHash})
	return out
}

// An oddSigner keeps the key, refuses now and then, and at times signs something
// else than it was asked to.
type oddSigner struct {
	count *counts
	hook  func(kind string, answered bool)
	calm  func() bool // signs what it is asked to
}

func (s *oddSigner) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.hook("signer", false)
	defer s.hook("signer", true)
	body, err := io.ReadAll(r.Body)
	tx := new(types.Transaction)
	if err != nil || tx.UnmarshalBinary(body) != nil {
		http.Error(w, "not a transaction", http.StatusBadRequest)
		return
	}
	account := devnet.Account(devnet.Relayer)
	switch n := dice.n(12); {
	case s.calm() || n > 4:
	case n == 0:
		s.count.add("faults of the signer: refused")
		http.Error(w, "no", http.StatusForbidden)
		return
	case n == 1:
		s.count.add("faults of the signer: another key")
		account = devnet.Account(devnet.Alice)
	default:
		s.count.add("faults of the signer: altered")
		tx = altered(tx, n)
	}
	raw, err := backend.Key(account).Sign(r.Context(), tx)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(raw)
}

// altered is a transaction to another contract, with another nonce, or with value.
func altered(tx *types.Transaction, how int) *types.Transaction {
	to := *tx.To()
	d := &types.DynamicFeeTx{
		ChainID: tx.ChainId(), Nonce: tx.Nonce(), To: &to, Data: tx.Data(), Gas: tx.Gas(),
		GasTipCap: tx.GasTipCap(), GasFeeCap: tx.GasFeeCap(), Value: new(big.Int),
	}
	switch how {
	case 2:
		d.To = &common.Address{1}
	case 3:
		d.Nonce++
	default:
		d.Value = big.NewInt(1)
	}
	return types.NewTx(d)
}

// asked is a key that the signer at a URL keeps.
type asked struct {
	address swap.Address
	url     string
}

var _ sign.Key = asked{}

func (k asked) Address() swap.Address { return k.address }

func (k asked) Sign(ctx context.Context, tx *types.Transaction) ([]byte, error) {
	unsigned, err := tx.MarshalBinary()
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, k.url, bytes.NewReader(unsigned))
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusOK {
		err = errors.Join(err, fmt.Errorf("the signer answers with status %d", resp.StatusCode))
	}
	return raw, errors.Join(err, resp.Body.Close())
}
