package contract

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
)

// Explain adds to an error of a node the name and the arguments of the contract's
// custom error in it.
func Explain(err error) error {
	var reverted rpc.DataError
	if !errors.As(err, &reverted) {
		return err
	}
	text, _ := reverted.ErrorData().(string)
	data, decodeErr := hexutil.Decode(text)
	if decodeErr != nil || len(data) < 4 {
		return err
	}
	if why := ErrorOf(data); why != "" {
		return fmt.Errorf("%w: %s", err, why)
	}
	return err
}

// ErrorOf returns a contract's word for why it refused, and that word's
// arguments, or nothing when it is not one of ours.
func ErrorOf(data []byte) string {
	if reason, err := abi.UnpackRevert(data); err == nil {
		return reason
	}
	for _, c := range []*Compiled{GatewayPool, ShieldPool, Receiver, Registry} {
		if e, ok := c.errorOf(data); ok {
			return e
		}
	}
	return ""
}

func (c *Compiled) errorOf(data []byte) (string, bool) {
	if len(data) < 4 {
		return "", false
	}
	e, err := c.ABI().ErrorByID([4]byte(data[:4]))
	if err != nil {
		return "", false
	}
	args, err := e.Unpack(data)
	if err != nil {
		return "", false
	}
	return fmt.Sprintf("%s%v", e.Name, args), true
}
