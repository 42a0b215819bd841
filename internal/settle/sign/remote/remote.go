// Package remote is a key that another program keeps, which signs by
// eth_signTransaction over mutual TLS. Nothing that it writes is repeated in an
// error but its code.
package remote

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/settle/sign"
	"hubquote/swap"
)

// Options name a signer that speaks eth_signTransaction over mutual TLS.
// All are required.
type Options struct {
	URL       string       // https
	Address   swap.Address // whose key it holds
	Cert, Key string       // files of the client certificate
	CA        string       // file of the signer's certificate authority
}

type key struct {
	address swap.Address
	url     string
	client  *http.Client
}

var errURL = errors.New("not a signer's address: write https://host:port without user name")

// New returns a key that is kept by another program.
func New(o Options) (sign.Key, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return nil, errURL
	}
	cert, err := tls.LoadX509KeyPair(o.Cert, o.Key)
	if err != nil {
		return nil, fmt.Errorf("the signer's client certificate: %w", err)
	}
	pem, err := os.ReadFile(o.CA)
	roots := x509.NewCertPool()
	if err != nil || !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("the signer's CA file %s has no certificate", o.CA)
	}
	client := &http.Client{
		Timeout:       10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{TLSClientConfig: &tls.Config{
			Certificates: []tls.Certificate{cert}, RootCAs: roots, MinVersion: tls.VersionTLS12,
		}},
	}
	return &key{o.Address, o.URL, client}, nil
}

// Address implements [sign.Key].
func (k *key) Address() swap.Address { return k.address }

// Sign implements [sign.Key].
func (k *key) Sign(ctx context.Context, tx *types.Transaction) ([]byte, error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "eth_signTransaction", "params": []any{k.arguments(tx)}})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, k.url, bytes.NewReader(body))
	if err != nil {
		return nil, errURL
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := k.client.Do(req)
	if failed := (*url.Error)(nil); errors.As(err, &failed) {
		err = failed.Err // without the URL, which may hold a token
	}
	if err != nil {
		return nil, fmt.Errorf("ask the signer: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	return read(res)
}

func (k *key) arguments(tx *types.Transaction) map[string]any {
	return map[string]any{
		"from": k.address, "to": tx.To(), "value": "0x0", "data": hexutil.Bytes(tx.Data()),
		"chainId": (*hexutil.Big)(tx.ChainId()), "nonce": hexutil.Uint64(tx.Nonce()), "gas": hexutil.Uint64(tx.Gas()),
		"maxFeePerGas": (*hexutil.Big)(tx.GasFeeCap()), "maxPriorityFeePerGas": (*hexutil.Big)(tx.GasTipCap()),
	}
}

var errAnswer = errors.New("the signer's answer is not used: it is not an answer to eth_signTransaction")

// read returns the signed bytes, which some signers wrap in an object.
func read(res *http.Response) ([]byte, error) {
	var answer struct {
		Result json.RawMessage
		Error  *struct{ Code int }
	}
	err := json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(&answer)
	switch {
	case err == nil && answer.Error != nil:
		return nil, fmt.Errorf("the signer refused, with code %d: see its log", answer.Error.Code)
	case res.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("the signer answered with status %d: see its log", res.StatusCode)
	case err != nil:
		return nil, errAnswer
	}
	var wrapped struct{ Raw hexutil.Bytes }
	var raw hexutil.Bytes
	if json.Unmarshal(answer.Result, &raw) == nil && len(raw) > 0 {
		return raw, nil
	}
	if json.Unmarshal(answer.Result, &wrapped) == nil && len(wrapped.Raw) > 0 {
		return wrapped.Raw, nil
	}
	return nil, errAnswer
}
