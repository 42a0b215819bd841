package attest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"hubquote/internal/upstream"
)

// Free returns from when on a request may be sent.
func (c *Client) Free() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.free()
}

func (c *Client) free() time.Time {
	at := c.recent[c.next].Add(time.Second)
	if c.resume.After(at) {
		return c.resume
	}
	return at
}

// Left returns how many requests may be sent now.
func (c *Client) Left() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	for _, at := range c.recent {
		if !now.Before(at.Add(time.Second)) && !now.Before(c.resume) {
			n++
		}
	}
	return n
}

// take uses up one request of the budget, if one is left.
func (c *Client) take(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Before(c.free()) {
		return false
	}
	c.recent[c.next] = now
	c.next = (c.next + 1) % len(c.recent)
	c.health.Asked++
	return true
}

// do sends one request and returns the answer's body. Errors of net/http contain
// the URL, so that only their fault is returned.
func (c *Client) do(ctx context.Context, method, url string) ([]byte, error) {
	if !c.take(time.Now()) {
		return nil, ErrBusy
	}
	body, err := c.send(ctx, method, url)
	f := upstream.FaultOf(err)
	if f == upstream.Canceled {
		return nil, f
	}
	c.note(f)
	if err != nil {
		return nil, f
	}
	return body, nil
}

func (c *Client) send(ctx context.Context, method, url string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	resp, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	return body, errors.Join(err, resp.Body.Close())
}

// note remembers how a request ended. A message that is not found is an answer.
func (c *Client) note(f upstream.Fault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if f == upstream.NotFound {
		f = ""
	}
	if f == upstream.RateLimited {
		c.resume = now.Add(blocked)
	}
	c.health.Fault, c.health.Blocked = f, c.resume
	switch {
	case f == "":
		c.health.Since, c.health.Blocked = time.Time{}, time.Time{}
	case c.health.Since.IsZero():
		c.health.Since = now
	}
}
