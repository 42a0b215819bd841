package send_test

import (
	"testing"

	"go.uber.org/goleak"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSentMinedFinal(t *testing.T) {
	r := newRig(t, nil)
	id := r.send()
	r.wantTask(id, order.Sent)
	r.wantNonces(journal.NonceSent)
	r.steps(1)
	r.wantDone(1)
	r.wantNonces(journal.NonceMined)
	r.wantTask(id, order.Sent)
	r.final = 100
	r.steps(1)
	r.wantNonces(journal.NonceMined)
	r.end(id, order.Done)
	r.steps(1)
	r.wantNonces(journal.NonceFinal)
}
