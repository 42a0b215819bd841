package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// maxAnswer is many times the size of the largest honest answer.
const maxAnswer = 64 << 10

// askPatiently asks again for as long as the server says when to and patience
// lasts. Nothing but that is tried twice: another answer to the same request
// would be the same, or would be a server that cannot make up its mind.
func (c *Client) askPatiently(ctx context.Context, address string) ([]byte, error) {
	left := c.patience
	for {
		answer, err := c.ask(ctx, address)
		refusal, ok := errors.AsType[*Refusal](err)
		if !ok || refusal.RetryAfter == 0 || refusal.RetryAfter > left {
			return answer, err
		}
		left -= refusal.RetryAfter
		if err := wait(ctx, refusal.RetryAfter); err != nil {
			return nil, err
		}
	}
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Client) ask(ctx context.Context, address string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("asking for a quote: %w", err)
	}
	req.Header.Set("Accept", "application/json, application/problem+json")
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("asking for a quote: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading a quote: %w", err)
	case len(body) > maxAnswer:
		return nil, errors.New("reading a quote: the answer is larger than any honest one")
	case resp.StatusCode != http.StatusOK:
		return nil, newRefusal(resp, body)
	}
	return body, nil
}

// retryAfter is how long a server wants to be left alone, or zero if it does
// not say so in seconds.
func retryAfter(resp *http.Response) time.Duration {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
		return 0
	}
	seconds, err := strconv.ParseUint(resp.Header.Get("Retry-After"), 10, 31)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
