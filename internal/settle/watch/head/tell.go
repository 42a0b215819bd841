package head

import (
	"context"
	"errors"

	"hubquote/internal/settle/watch/peer"
	"hubquote/internal/settle/watch/vote"
)

// tell returns the endpoint that tells the head, and the head. It is the one of
// last time, unless that fails, is behind, or has not moved for long.
func (h *Head) tell(ctx context.Context) (best *peer.Peer, head uint64, err error) {
	var errs []error
	peers := h.opts.Voters.Peers
	for range peers {
		p := peers[h.teller%len(peers)]
		b, err := p.Block(ctx, peer.Latest)
		if err != nil {
			errs = append(errs, err)
		} else if best == nil || b.Number > head {
			best, head = p, b.Number
			h.named = vote.Hint{From: p, Block: b}
		}
		if err == nil && b.Number+slack >= h.common {
			break
		}
		h.Change()
	}
	if best == nil {
		return nil, 0, errors.Join(errs...)
	}
	h.count(head)
	if head > h.common+Jump {
		there, err := h.there(ctx, head)
		if err != nil || there+Jump < head {
			h.Change()
		}
		return best, min(head, there), err
	}
	return best, head, nil
}

// count changes the endpoint when it has named no higher head for many looks.
func (h *Head) count(head uint64) {
	h.quiet++
	if head > h.top {
		h.quiet, h.top = 0, head
	}
	if h.quiet >= unmoved {
		h.Change()
	}
}

// Change lets another endpoint tell the head.
func (h *Head) Change() { h.teller, h.quiet, h.top = h.teller+1, 0, 0 }

// there returns a block that K endpoints have, at a number or as high as they do.
func (h *Head) there(ctx context.Context, number uint64) (uint64, error) {
	if number <= h.common {
		return h.common, nil
	}
	head, err := h.opts.Voters.Reach(ctx, peer.Latest, number, h.named)
	if err != nil {
		return 0, err
	}
	h.Share(head)
	return head, nil
}

// Share sets the head that K endpoints have. Blocks that one of them told far
// above it do not count as read.
func (h *Head) Share(head uint64) {
	h.common = head
	if head+Jump < h.read {
		h.read = head
	}
	if head+Jump < h.Passed() {
		h.passed.Store(head)
	}
}
