package contract_test

import (
	"bytes"
	"errors"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/contracts"
	"hubquote/internal/contract"
)

func TestCodeIsComparedButForItsImmutables(t *testing.T) {
	a, err := contracts.Load(contracts.Pool)
	if err != nil {
		t.Fatal(err)
	}
	token, place := common.BytesToHash(common.Address{1}.Bytes()), common.BigToHash(big.NewInt(369))
	deployed := bytes.Clone(a.Runtime)
	for i, span := range a.Immutables {
		word := token
		if i%2 == 1 {
			word = place
		}
		copy(deployed[span[0]:], word[:])
	}
	altered, first := bytes.Clone(deployed), a.Immutables[0]
	altered[first[0]-1] ^= 1
	tests := []struct {
		name  string
		code  []byte
		words []common.Hash
		want  error
	}{
		{"the contract's own", deployed, []common.Hash{token, place}, nil},
		{"no code", nil, []common.Hash{token, place}, contract.ErrNoCode},
		{"one bit changed outside the immutables", altered, []common.Hash{token, place}, contract.ErrOtherCode},
		{"one byte more", append(bytes.Clone(deployed), 0), []common.Hash{token, place}, contract.ErrOtherCode},
		{"an immutable with another value", deployed, []common.Hash{token}, contract.ErrOtherWord},
		{"another contract's", contract.Lens.Runtime(), []common.Hash{token, place}, contract.ErrOtherCode},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := contract.Pool.CheckCode(tt.code, tt.words); !errors.Is(got, tt.want) {
				t.Errorf("CheckCode = %v, want %v", got, tt.want)
			}
		})
	}
}
