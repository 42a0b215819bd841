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
	outcome func(context.Context, *order) (outcome, error) // of the money on the chains
	count   *counts
	listen  []string // of the settlers
	known   map[*order]known
}

func newPoller(n *devnet.Net, count *counts, listen ...string) *poller {
	money := func(ctx context.Context, o *order) (is outcome, err error) {
		for range 10 { // a chain that is just reorganised does not answer
			if is, err = o.outcome(ctx, n); err == nil || !fake.Sleep(ctx, 50*time.Millisecond) {
				break
			}
		}
		return is, err
	}
	return &poller{outcome: money, count: count, listen: listen, known: map[*order]known{}}
}

type known struct {
	mark  swap.Mark
	stage swap.Stage // once it is final
}

// poll asks until ctx ends. A settler that is dead does not answer, which is no
// mistake.
func (p *poller) poll(ctx context.Context, t *testing.T, orders []*order) {
	client := &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for ctx.Err() == nil {
		for i, o := range orders {
			if tx := o.tx.Load(); tx != nil && ctx.Err() == nil {
				at := p.listen[i%len(p.listen)]
				if s := p.ask(ctx, client, "http://"+at+"/v1/status?tx="+tx.Hex()); s != nil {
					for _, wrong := range p.check(ctx, o, s) {
						t.Error(wrong)
					}
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
// money on the chains. It returns what is wrong.
func (p *poller) check(ctx context.Context, o *order, s *swap.Tracking) (wrong []string) {
	p.count.add("status answers")
	was := p.known[o]
	if s.Mark().Before(was.mark) {
		p.count.add("status that fell")
		wrong = append(wrong, fmt.Sprintf("the status of %v fell from %v to %v: %s", o.tx.Load(), was.mark, s.Mark(), stages(s)))
	}
	now := known{mark: s.Mark(), stage: was.stage}
	contradiction := ""
	switch {
	case was.stage != "" && !(s.Final() && s.Orders[0].Stage == was.stage):
		contradiction = fmt.Sprintf("%v was %s and is %s", o.tx.Load(), was.stage, stages(s))
	case was.stage == "" && s.Final():
		now.stage = s.Orders[0].Stage
		want := map[swap.Stage]outcome{swap.StageDone: arrived, swap.StageRefunded: stayed}[now.stage]
		got, err := p.outcome(ctx, o)
		if ctx.Err() == nil && (err != nil || got != want) {
			contradiction = fmt.Sprintf("%v is %s, and on the chain it is %q, %v", o.tx.Load(), now.stage, got, err)
		}
		p.count.add("final status compared with the chain")
	}
	if contradiction != "" {
		p.count.add("final status that the chain contradicts")
		wrong = append(wrong, contradiction)
	}
	p.known[o] = now
	return wrong
}

func stages(s *swap.Tracking) (list []string) {
	for _, o := range s.Orders {
		list = append(list, fmt.Sprintf("%s %v", o.Stage, o.Mark))
	}
	return list
}

// The client of the storms notices what it is there for.
func TestPollerNotices(t *testing.T) {
	at := func(stage swap.Stage, revision, step uint64) *swap.Tracking {
		return &swap.Tracking{Orders: []swap.Status{{Stage: stage, Mark: swap.Mark{Revision: revision, Step: step}}}}
	}
	for _, tt := range []struct {
		name    string
		money   outcome
		answers []*swap.Tracking
		wrong   int
	}{
		{"a life", arrived, []*swap.Tracking{at(swap.StageConfirming, 0, 2), at(swap.StagePaid, 0, 4), at(swap.StageDone, 0, 8), at(swap.StageDone, 0, 8)}, 0},
		{"a reorganisation", stayed, []*swap.Tracking{at(swap.StagePaid, 0, 4), at(swap.StageConfirming, 1, 2), at(swap.StageRefunded, 1, 8)}, 0},
		{"a step that falls", arrived, []*swap.Tracking{at(swap.StagePaid, 0, 4), at(swap.StagePaying, 0, 3)}, 1},
		{"a revision that falls", arrived, []*swap.Tracking{at(swap.StagePaid, 1, 4), at(swap.StagePaid, 0, 4)}, 1},
		{"an order that is forgotten", arrived, []*swap.Tracking{at(swap.StagePaid, 0, 4), {}}, 1},
		{"an end that is none", arrived, []*swap.Tracking{at(swap.StageDone, 0, 8), at(swap.StagePaying, 1, 3)}, 1},
		{"another end", arrived, []*swap.Tracking{at(swap.StageDone, 0, 8), at(swap.StageRefunded, 0, 8)}, 1},
		{"done, and the money is back", stayed, []*swap.Tracking{at(swap.StageDone, 0, 8)}, 1},
		{"refunded, and the money is paid", arrived, []*swap.Tracking{at(swap.StageRefunded, 0, 8)}, 1},
		{"done, and the money is under way", "", []*swap.Tracking{at(swap.StageDone, 0, 8)}, 1},
	} {
		p := newPoller(nil, newCounts())
		p.outcome = func(context.Context, *order) (outcome, error) { return tt.money, nil }
		var wrong []string
		for o := new(order); len(tt.answers) > 0; tt.answers = tt.answers[1:] {
			wrong = append(wrong, p.check(t.Context(), o, tt.answers[0])...)
		}
		if len(wrong) != tt.wrong {
			t.Errorf("%s: %q is wrong, want %d complaints", tt.name, wrong, tt.wrong)
		}
	}
}
