package node

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/rpc"
)

// A Revert is the answer about a call that the contract refused. It is reported
// as [Refused], without the bytes.
type Revert struct {
	Data []byte // what the contract returned; empty when it gave no reason
}

func (r *Revert) Error() string { return Refused.Error() }

// Unwrap makes a Revert a kind of [Refused].
func (r *Revert) Unwrap() error { return Refused }

// reverted is the code that most nodes give to a revert. Some use a general code
// and put the bytes in its data, some only say so in words.
const reverted = 3

// refusal returns what an error of the endpoint means.
func refusal(answer rpc.Error) error {
	var data []byte
	if with, ok := answer.(rpc.DataError); ok {
		data = revertData(with.ErrorData())
	}
	if answer.ErrorCode() == reverted || data != nil || strings.HasPrefix(strings.ToLower(answer.Error()), "execution reverted") {
		return &Revert{data}
	}
	if outOfGas(answer.Error()) {
		return ErrGas
	}
	return Refused
}

// ErrGas is the answer about a call that needs more gas than it may use. It is
// reported as [Refused].
var ErrGas = fmt.Errorf("the call needs more gas than its limit: %w", Refused)

// outOfGas knows the words of the common nodes, which have no code for it.
func outOfGas(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "gas required exceeds allowance") || strings.Contains(text, "out of gas")
}

// revertData reads bytes behind 0x, or behind the word that some nodes put
// before them. Anything else is no data.
func revertData(v any) []byte {
	text, _ := v.(string)
	digits, ok := strings.CutPrefix(strings.TrimPrefix(text, "Reverted "), "0x")
	if !ok {
		return nil
	}
	data, err := hex.DecodeString(digits)
	if err != nil {
		return nil
	}
	return data
}
