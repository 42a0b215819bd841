package send_test

import (
	"errors"
	"testing"

	"github.com/holiman/uint256"

	"hubquote/internal/settle/send"
)

const overLimit = `"error":{"code":-32000,"message":"gas required exceeds allowance (500000)"}`

// One node of three that lies about gas, fees or coins stops no lane, and makes
// it neither overpay nor offer too little.
func TestOneLiarDoesNotStopTheLane(t *testing.T) {
	const header = `{"number":"0x1","baseFeePerGas":`
	for _, tt := range []struct{ name, method, says string }{
		{"a call that needs more than its limit", "eth_estimateGas", `"result":"0xfffffff"`},
		{"a call that is out of gas", "eth_estimateGas", overLimit},
		{"a call that needs less than it does", "eth_estimateGas", `"result":"0x5208"`},
		{"a call that needs nothing", "eth_estimateGas", `"result":"0x0"`},
		{"no coins", "eth_getBalance", `"result":"0x0"`},
		{"a high tip", "eth_maxPriorityFeePerGas", `"result":"0xffffffffffff"`},
		{"a tip within the cap", "eth_maxPriorityFeePerGas", `"result":"0x3b9aca000"`},
		{"a high base fee", "eth_getBlockByNumber", `"result":` + header + `"0xffffffffffff"}`},
		{"no base fee", "eth_getBlockByNumber", `"result":` + header + `"0x0"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, nil)
			before, err := r.lane.Fees(t.Context())
			r.must(err)
			r.gates[0].set(func(m, _ string) (string, bool) { return tt.says, m == tt.method })
			r.start() // nothing is remembered from before the lie
			f, err := r.lane.Fees(t.Context())
			if err != nil || f != before {
				t.Errorf("Fees = %+v, %v; want %+v as the other two nodes name them", f, err, before)
			}
			if err := r.lane.Send(t.Context(), call(r.task())); err != nil {
				t.Errorf("Send = %v, want nil", err)
			}
			r.steps(2)
			r.wantDone(1)
		})
	}
}

// A node that calls everything possible does not make a lane burn gas on a call
// that reverts.
func TestOneLiarDoesNotSendWhatReverts(t *testing.T) {
	r := newRig(t, nil)
	r.gates[0].set(says("eth_estimateGas", `"0xc350"`))
	c := call(r.task())
	c.Data = refuse
	if _, refused := errors.AsType[*send.Refused](r.lane.Send(t.Context(), c)); !refused {
		t.Error("Send of a call that reverts at two of three nodes is not refused, want a Refused error")
	}
	r.wantNonces()
}

func TestTwoNodesDecideThatACallNeedsTooMuch(t *testing.T) {
	for name, answer := range map[string]string{"a figure": `"result":"0xfffffff"`, "an error": overLimit} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			for _, g := range r.gates[:2] {
				g.set(func(m, _ string) (string, bool) { return answer, m == "eth_estimateGas" })
			}
			if err := r.lane.Send(t.Context(), call(r.task())); !errors.Is(err, send.ErrGas) {
				t.Errorf("Send: %v, want ErrGas", err)
			}
		})
	}
}

// With one node down, fees are those of the lower of two: a liar may delay, and
// never overpay.
func TestALiarBesideADeadNodeDoesNotOverpay(t *testing.T) {
	r := newRig(t, nil)
	r.gates[0].set(says("eth_maxPriorityFeePerGas", `"0x3b9aca000"`))
	r.gates[1].set(func(m, _ string) (string, bool) { return "", m == "eth_maxPriorityFeePerGas" })
	r.start()
	f, err := r.lane.Fees(t.Context())
	r.must(err)
	if limit := uint256.NewInt(2e9); f.Tip.Gt(limit) {
		t.Errorf("the tip is %v, want that of the honest node", f.Tip.Dec())
	}
}

// Of two honest nodes that both say that a call reverts, one gives no data with its
// error, as some do. What the third says does not have it sent.
func TestRevertsInDifferentWords(t *testing.T) {
	r := newRig(t, nil)
	r.gates[0].set(says("eth_estimateGas", `"0x5209"`))
	r.gates[2].set(func(m, _ string) (string, bool) {
		return `"error":{"code":-32000,"message":"execution reverted"}`, m == "eth_estimateGas"
	})
	c := call(r.task())
	c.Data = refuse
	err := r.lane.Send(t.Context(), c)
	if _, refused := errors.AsType[*send.Refused](err); !refused {
		t.Errorf("Send: %v; want it refused, as two of three nodes say that it reverts", err)
	}
	r.wantNonces()
}

// One node alone that can do a call does not have it sent: if its gas were too little,
// the nonce could never be used, and all after it would wait.
func TestOneEstimateIsNotEnough(t *testing.T) {
	for name, gas := range map[string]string{"too little for any transaction": `"0x1"`, "a little": `"0x5209"`} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			r.gates[0].set(says("eth_estimateGas", gas))
			for _, g := range r.gates[1:] {
				g.set(func(m, _ string) (string, bool) { return "", m == "eth_estimateGas" })
			}
			if err := r.lane.Send(t.Context(), call(r.task())); err == nil {
				t.Error("Send with the gas of one node only = nil, want an error")
			}
			r.wantNonces()
		})
	}
}
