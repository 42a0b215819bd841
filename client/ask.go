package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// maxAnswer is many times the size of the largest honest answer.
const maxAnswer = 64 << 10

// askPatiently sends a request again for as long as the server says when to,
// and patience lasts. Nothing else is retried.
func (c *Client) askPatiently(ctx context.Context, address string) ([]byte, error) {
	left := c.settings.patience
	for {
		answer, pause, err := c.ask(ctx, address)
		if err == nil || pause == 0 || pause > left {
			return answer, err
		}
		left -= pause
		if err := wait(ctx, pause); err != nil {
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

// ask sends a request once. It returns the body of an answer with status 200, or
// an error and how long the server wants to be left alone.
func (c *Client) ask(ctx context.Context, address string) ([]byte, time.Duration, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, 0, fmt.Errorf("asking for a quote: %w", err)
	}
	req.Header.Set("Accept", "application/json, application/problem+json")
	resp, err := c.settings.http.Do(req)
	if err != nil {
		return nil, 0, fmt.Errorf("asking for a quote: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if resp.StatusCode != http.StatusOK {
		return nil, retryAfter(resp), refusalOf(resp, body)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("reading a quote: %w", err)
	}
	return body, 0, nil
}

// retryAfter is how long a server asks to wait, or zero if it does not say so in
// seconds.
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
