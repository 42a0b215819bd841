package attest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/swap"
)

// A Client asks the issuer's API.
type Client struct {
	URL  string // of the API's root
	HTTP *http.Client
}

// Attested is a message with the issuer's signature, ready to be delivered.
type Attested struct{ Message, Signature []byte }

// Attested returns one of the messages that a transaction sent, counted from
// zero. It returns nil while the issuer has not signed it.
func (c *Client) Attested(ctx context.Context, source swap.Domain, tx common.Hash, index int) (*Attested, error) {
	url := fmt.Sprintf("%s/v2/messages/%d?transactionHash=%s", c.URL, source, tx)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusNotFound:
		return nil, nil
	case http.StatusOK:
	default:
		return nil, fmt.Errorf("the issuer answered with status %d", resp.StatusCode)
	}
	var answer Messages
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return nil, fmt.Errorf("the issuer's answer: %w", err)
	}
	if index >= len(answer.Messages) {
		return nil, fmt.Errorf("the issuer has %d messages, want number %d", len(answer.Messages), index)
	}
	return answer.Messages[index].decode()
}

func (m *Message) decode() (*Attested, error) {
	if m.Status != Complete {
		return nil, nil
	}
	message, err := hexutil.Decode(m.Message)
	if err != nil {
		return nil, fmt.Errorf("the issuer's message: %w", err)
	}
	signature, err := hexutil.Decode(m.Attestation)
	if err != nil {
		return nil, fmt.Errorf("the issuer's attestation: %w", err)
	}
	return &Attested{message, signature}, nil
}
