package node_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"hubquote/internal/quorum/node"
	"hubquote/test/fake"
)

// refusing answers every call of a contract with an error.
func refusing(answer string) *fake.Node {
	fn := newFake()
	fn.Handle = func(w http.ResponseWriter, _ *http.Request, method string) bool {
		if method != "eth_call" {
			return false
		}
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"error":`+answer+`}`)
		return true
	}
	return fn
}

// That a call needs too much gas is told apart by the words of the common nodes.
func TestOutOfGas(t *testing.T) {
	for _, tt := range []struct {
		name, message string
		want          bool
	}{
		{"as geth says it", "gas required exceeds allowance (500000)", true},
		{"as anvil says it", "Out of gas: gas required exceeds allowance: 500000", true},
		{"another error", "header not found", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var result any
			err := open(t, "http://node", fake.Network{"node": refusing(`{"code":-32000,"message":"` + tt.message + `"}`)}).Call(t.Context(), &result, "eth_call")
			if errors.Is(err, node.ErrGas) != tt.want || !errors.Is(err, node.Refused) || strings.Contains(err.Error(), "500000") {
				t.Errorf("Call: %v, want a refusal without the node's text, for want of gas: %t", err, tt.want)
			}
		})
	}
}

func TestRevert(t *testing.T) {
	for _, tt := range []struct {
		name, answer string
		reverted     bool
		data         string
	}{
		{"the usual code, with bytes", `{"code":3,"message":"execution reverted: ` + canary + `","data":"0x01020304ff"}`, true, "\x01\x02\x03\x04\xff"},
		{"the usual code, without bytes", `{"code":3,"message":"reverted"}`, true, ""},
		{"the usual code, empty bytes", `{"code":3,"message":"reverted","data":"0x"}`, true, ""},
		{"a general code, with bytes", `{"code":-32000,"message":"VM error","data":"0x0102"}`, true, "\x01\x02"},
		{"a general code, bytes behind a word", `{"code":-32015,"message":"VM error","data":"Reverted 0x0102"}`, true, "\x01\x02"},
		{"only words, the first in capitals", `{"code":-32000,"message":"Execution reverted"}`, true, ""},
		{"only words", `{"code":-32000,"message":"execution reverted"}`, true, ""},
		{"another error", `{"code":-32000,"message":"header not found ` + canary + `"}`, false, ""},
		{"another error, with other data", `{"code":-32000,"message":"busy","data":"` + canary + `"}`, false, ""},
		{"data that is no hexadecimal", `{"code":-32000,"message":"busy","data":"0xzz"}`, false, ""},
		{"data that is no text", `{"code":-32000,"message":"busy","data":{"a":1}}`, false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var result any
			err := open(t, "http://node", fake.Network{"node": refusing(tt.answer)}).Call(t.Context(), &result, "eth_call")
			revert, reverted := errors.AsType[*node.Revert](err)
			if reverted != tt.reverted || !errors.Is(err, node.Refused) {
				t.Fatalf("Call: %v, want a refusal that is a revert: %t", err, tt.reverted)
			}
			if reverted && string(revert.Data) != tt.data {
				t.Errorf("Data = %x, want %x", revert.Data, tt.data)
			}
			if text := fmt.Sprintf("%v %+v", err, err); strings.Contains(text, canary) {
				t.Errorf("the error is %q, want one without the node's text", text)
			}
		})
	}
}

// A revert is an answer, so it is worth nothing from a node of another chain.
func TestRevertOfAnotherChain(t *testing.T) {
	fn := refusing(`{"code":3,"message":"execution reverted","data":"0x01020304"}`)
	fn.Chain = 1
	var result any
	if err := open(t, "http://node", fake.Network{"node": fn}).Call(t.Context(), &result, "eth_call"); err != node.WrongChain {
		t.Errorf("Call: %v, want %v", err, node.WrongChain)
	}
}
