package contract_test

import (
	"bytes"
	"errors"
	"maps"
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
	words := map[string]common.Hash{
		"token": common.BytesToHash(common.Address{1}.Bytes()), "registry": common.BytesToHash(common.Address{2}.Bytes()),
		"place": common.BigToHash(big.NewInt(369)), "decimals": common.BigToHash(big.NewInt(6)),
	}
	deployed := deploy(a, words)
	altered, last := bytes.Clone(deployed), a.Immutables["place"][len(a.Immutables["place"])-1]
	altered[last[0]-1] ^= 1
	mixed := bytes.Clone(deployed)
	copy(mixed[last[0]:], words["token"].Bytes()) // a value that another immutable may have
	swapped := maps.Clone(words)
	swapped["place"], swapped["decimals"] = words["decimals"], words["place"]
	partial := maps.Clone(words)
	delete(partial, "registry")
	tests := []struct {
		name  string
		code  []byte
		words map[string]common.Hash
		want  error
	}{
		{"the contract's own", deployed, words, nil},
		{"no code", nil, words, contract.ErrNoCode},
		{"one bit changed outside the immutables", altered, words, contract.ErrOtherCode},
		{"one byte more", append(bytes.Clone(deployed), 0), words, contract.ErrOtherCode},
		{"two immutables changed places", deploy(a, swapped), words, contract.ErrOtherWord},
		{"one of several places of an immutable has another's value", mixed, words, contract.ErrOtherWord},
		{"an immutable that is not expected", deployed, partial, contract.ErrOtherWord},
		{"another contract's", contract.Lens.Runtime(), words, contract.ErrOtherCode},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := contract.Pool.CheckCode(tt.code, tt.words); !errors.Is(got, tt.want) {
				t.Errorf("CheckCode = %v, want %v", got, tt.want)
			}
		})
	}
}

// deploy puts a word into every place of each immutable.
func deploy(a *contracts.Artifact, words map[string]common.Hash) []byte {
	code := bytes.Clone(a.Runtime)
	for name, spans := range a.Immutables {
		for _, span := range spans {
			word := words[name]
			copy(code[span[0]:], word[:])
		}
	}
	return code
}
