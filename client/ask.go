package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"hubquote/internal/problem"
	"hubquote/swap"
)

// A question is a request to the server: its address, what it is for, and the
// longest answer that is read.
type question struct {
	address, noun string
	most          int64
}

// askPatiently sends a request again for as long as the server says when to,
// and patience lasts. Nothing else is retried.
func (c *Client) askPatiently(ctx context.Context, q question) ([]byte, error) {
	left := c.settings.patience
	for {
		answer, pause, err := c.ask(ctx, &q)
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
func (c *Client) ask(ctx context.Context, q *question) ([]byte, time.Duration, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, q.address, nil)
	if err != nil {
		return nil, 0, fmt.Errorf("asking for %s: %w", q.noun, transportError(err))
	}
	req.Header.Set("Accept", "application/json, application/problem+json")
	resp, err := c.settings.http.Do(req)
	if err != nil {
		return nil, 0, fmt.Errorf("asking for %s: %w", q.noun, transportError(err))
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, q.most+1))
	if resp.StatusCode != http.StatusOK {
		return nil, retryAfter(resp), refusalOf(resp, body)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("reading %s: %w", q.noun, transportError(err))
	}
	return body, 0, nil
}

// transportError makes an error of net/http safe to print: it quotes what the
// server sent, and names the request's address, which has the recipient.
func transportError(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		address, _, _ := strings.Cut(u.URL, "?")
		return &url.Error{Op: u.Op, URL: address, Err: printableError{u.Err}}
	}
	return printableError{err}
}

type printableError struct{ error }

func (e printableError) Error() string { return Printable(e.error.Error()) }

func (e printableError) Unwrap() error { return e.error }

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

// A Refusal is a server's answer that it has no quote to give. It wraps a
// [swap.Errors] with what the server said, so that [swap.CodeOf] and errors.As
// find the codes and limits. All text in it is safe to print.
type Refusal struct {
	Status     int
	RetryAfter time.Duration // zero if the server did not say
	RequestID  string        // to be named when asking the server's operator
	Err        error
}

func (r *Refusal) Error() string { return fmt.Sprintf("the server answers %d: %v", r.Status, r.Err) }

func (r *Refusal) Unwrap() error { return r.Err }

// maxFaults is how many faults of one request are kept.
const maxFaults = 16

// refusalOf reads an answer whose status is not 200: a [*Refusal] if it has a
// problem document (RFC 9457), and a [*Mismatch] if not.
func refusalOf(resp *http.Response, body []byte) error {
	var p problem.Document
	if resp.StatusCode < 400 || !readProblem(body, &p) {
		return &Mismatch{Code: AnswerStatus, Want: "200", Got: strconv.Itoa(resp.StatusCode)}
	}
	if len(p.Errors) == 0 {
		p.Errors = []problem.Fault{{Code: p.Code, Param: p.Param, Detail: p.Detail, Limits: p.Limits}}
	}
	var errs swap.Errors
	for _, f := range p.Errors[:min(len(p.Errors), maxFaults)] {
		errs = append(errs, faultOf(&f))
	}
	return &Refusal{
		Status: resp.StatusCode, RetryAfter: retryAfter(resp),
		RequestID: Printable(resp.Header.Get("X-Request-Id")), Err: errs,
	}
}

// readProblem reports whether body is a problem with a code. Members of the
// wrong type are left out: what can be read of a refusal is shown.
func readProblem(body []byte, p *problem.Document) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		return false
	}
	for name, into := range map[string]any{"code": &p.Code, "param": &p.Param, "detail": &p.Detail, "limits": &p.Limits, "errors": &p.Errors} {
		if text, ok := members[name]; ok && json.Unmarshal(text, into) != nil && name == "errors" {
			p.Errors = nil
		}
	}
	return p.Code != ""
}

func faultOf(f *problem.Fault) *swap.Error {
	e := &swap.Error{Code: swap.Code(Printable(string(f.Code))), Param: Printable(f.Param), Message: Printable(f.Detail)}
	if l := f.Limits; l != nil {
		low, err1 := swap.ParseAmount(l.Min)
		high, err2 := swap.ParseAmount(l.Max)
		if err1 == nil && err2 == nil {
			e.Limits = &swap.Limits{Min: low, Max: high}
			e.Token = &swap.Token{Symbol: Printable(l.Token), Decimals: l.Decimals}
		}
	}
	return e
}
