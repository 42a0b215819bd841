// Package attest stands in for the stablecoin issuer's attestation service: it has
// the fee of a burn, and signs burns that are final.
//
// It keeps no state. An attestation is computed from the chain when it is asked
// for, and the same burn always gets the same nonce, so that a burn can be
// minted once and no restart can change that.
package attest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/swap"
	"hubquote/test/devnet/evm"
)

// Options configure an [Attester].
type Options struct {
	// Chains are those the issuer burns and mints on, by domain. Required.
	Chains map[swap.Domain]*evm.Chain

	// Transmitter is the contract that emits messages, on every chain.
	// Required.
	Transmitter swap.Address

	// Account signs. Required.
	Account evm.Account

	// Rates are the fees of fast burns, by source. A source that has none, or
	// zero, has no fast tier.
	Rates map[swap.Domain]swap.IssuerRate

	// Confirmations is how many blocks must be on top of a burn's.
	Confirmations uint64

	// Lifetime is for how many blocks of the destination a fast burn can be
	// minted; zero means a day's worth. It counts from the question.
	Lifetime uint64
}

// An Attester is the issuer's HTTP API.
type Attester struct {
	opts Options
	mux  *http.ServeMux
}

// New returns an Attester.
func New(opts Options) (*Attester, error) {
	if len(opts.Chains) == 0 || opts.Transmitter.IsZero() || opts.Account.Address.IsZero() {
		return nil, errors.New("attest: Options.Chains, Transmitter and Account are required")
	}
	if opts.Lifetime == 0 {
		opts.Lifetime = lifetime
	}
	a := &Attester{opts: opts, mux: http.NewServeMux()}
	a.mux.HandleFunc("POST /v2/reattest/{nonce}", a.reattest)
	a.mux.HandleFunc("GET /v2/messages/{domain}", a.messages)
	a.mux.HandleFunc("GET /v2/burn/USDC/fees/{source}/{destination}", a.fees)
	return a, nil
}

func (a *Attester) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.mux.ServeHTTP(w, r) }

// The states of a [Message].
const (
	Pending  = "pending_confirmations"
	Complete = "complete"
)

// A Message is a burn, as the API shows it.
type Message struct {
	Message     string `json:"message"`     // "0x" while pending
	Attestation string `json:"attestation"` // "PENDING" while pending
	EventNonce  string `json:"eventNonce"`
	CCTPVersion int    `json:"cctpVersion"`
	Status      string `json:"status"`
}

// Messages is the answer about one transaction.
type Messages struct {
	Messages     []Message `json:"messages"`
	SourceTxHash string    `json:"sourceTxHash"`
}

var errNotFound = errors.New("no such message")

func (a *Attester) messages(w http.ResponseWriter, r *http.Request) {
	domain, err := strconv.ParseUint(r.PathValue("domain"), 10, 32)
	tx := common.HexToHash(r.URL.Query().Get("transactionHash"))
	var found []Message
	if err == nil {
		found, err = a.attest(r.Context(), swap.Domain(domain), tx)
	}
	switch {
	case errors.Is(err, errNotFound):
		answer(w, http.StatusNotFound, map[string]string{"error": "Message not found for provided parameters"})
	case err != nil:
		answer(w, http.StatusInternalServerError, map[string]string{"error": err.Error()})
	default:
		answer(w, http.StatusOK, Messages{found, tx.Hex()})
	}
}

// reattest accepts everything: each answer about a message is signed anew.
func (a *Attester) reattest(w http.ResponseWriter, r *http.Request) {
	answer(w, http.StatusOK, map[string]string{"message": "Re-attestation request accepted", "nonce": r.PathValue("nonce")})
}

// attest returns the messages that a transaction sent.
func (a *Attester) attest(ctx context.Context, domain swap.Domain, tx common.Hash) ([]Message, error) {
	sent, final, err := a.sent(ctx, domain, tx)
	if err != nil {
		return nil, err
	}
	var list []Message
	for i, message := range sent {
		m := Message{Message: "0x", Attestation: "PENDING", CCTPVersion: 2, Status: Pending}
		if final {
			if m, err = a.complete(ctx, domain, tx, i, message); err != nil {
				return nil, err
			}
		}
		list = append(list, m)
	}
	return list, nil
}

// complete fills in the issuer's fields, and signs.
func (a *Attester) complete(ctx context.Context, domain swap.Domain, tx common.Hash, index int, message []byte) (Message, error) {
	m, err := a.fill(ctx, domain, nonce(domain, tx, index), message)
	if err != nil {
		return Message{}, err
	}
	signature, err := a.sign(m)
	if err != nil {
		return Message{}, err
	}
	return Message{
		Message: hexutil.Encode(m), Attestation: hexutil.Encode(signature),
		EventNonce: hexutil.Encode(Nonce(m)), CCTPVersion: 2, Status: Complete,
	}, nil
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}
