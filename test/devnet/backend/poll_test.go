package backend_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"hubquote/internal/wire/tracking"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/fake"
)

// A poller asks where every order is, all the time.
type poller struct {
	net    *devnet.Net
	count  *counts
	listen []string // of the settlers
	known  map[*order]known
}

type known struct {
	mark  swap.Mark
	stage swap.Stage // once it is final
}

// poll asks until ctx ends. A settler that is dead does not answer, which is no
// mistake.
func (p *poller) poll(ctx context.Context, t *testing.T, orders []*order) {
	p.known = map[*order]known{}
	client := &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for ctx.Err() == nil {
		for i, o := range orders {
			if tx := o.tx.Load(); tx != nil && ctx.Err() == nil {
				at := p.listen[i%len(p.listen)]
				if s := p.ask(ctx, client, "http://"+at+"/v1/status?tx="+tx.Hex()); s != nil {
					p.check(ctx, t, o, s)
				}
			}
		}
		fake.Sleep(ctx, 100*time.Millisecond)
	}
}

func (p *poller) ask(ctx context.Context, client *http.Client, url string) *swap.Tracking {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil
	}
	resp, err := client.Do(req)
	if err != nil {
		fake.Sleep(ctx, 20*time.Millisecond)
		return nil
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		return nil
	}
	s, err := tracking.Parse(body)
	if err != nil {
		p.count.add("status answers that cannot be read")
		return nil
	}
	return s
}

// check compares an answer with those before, and the end of an order with the
// money on the chains.
func (p *poller) check(ctx context.Context, t *testing.T, o *order, s *swap.Tracking) {
	p.count.add("status answers")
	was := p.known[o]
	if s.Mark().Before(was.mark) {
		p.count.add("status that fell")
		t.Errorf("the status of %v fell from %v to %v: %s", o.tx.Load(), was.mark, s.Mark(), stages(s))
	}
	now := known{mark: s.Mark(), stage: was.stage}
	switch {
	case was.stage != "" && !(s.Final() && s.Orders[0].Stage == was.stage):
		p.contradicts(t, "%v was %s and is %s", o.tx.Load(), was.stage, stages(s))
	case was.stage == "" && s.Final():
		now.stage = s.Orders[0].Stage
		want := map[swap.Stage]outcome{swap.StageDone: arrived, swap.StageRefunded: stayed}[now.stage]
		if got, err := o.outcome(ctx, p.net); ctx.Err() == nil && (err != nil || got != want) {
			p.contradicts(t, "%v is %s, and on the chain it is %q, %v", o.tx.Load(), now.stage, got, err)
		}
	}
	p.known[o] = now
}

func (p *poller) contradicts(t *testing.T, format string, args ...any) {
	p.count.add("final status that the chain contradicts")
	t.Errorf(format, args...)
}

func stages(s *swap.Tracking) (list []string) {
	for _, o := range s.Orders {
		list = append(list, fmt.Sprintf("%s %v", o.Stage, o.Mark))
	}
	return list
}
