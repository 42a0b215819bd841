package contract

import (
	"bytes"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

// The ways in which code on chain is not the contract's.
var (
	ErrNoCode    = errors.New("there is no contract")
	ErrOtherCode = errors.New("it is another contract's code")
	ErrOtherWord = errors.New("it was made with other values")
)

// CheckCode compares code on chain with the contract's. Where the compiler left
// room for immutables, the code must have one of the words; the contract's
// getters say which is which.
func (c *Compiled) CheckCode(code []byte, words []common.Hash) error {
	want := c.load()
	if len(code) == 0 {
		return ErrNoCode
	}
	if len(code) != len(want.runtime) {
		return ErrOtherCode
	}
	masked := bytes.Clone(code)
	var found []common.Hash
	for _, span := range want.immutables {
		room := masked[span[0] : span[0]+span[1]]
		found = append(found, common.BytesToHash(room))
		clear(room)
	}
	if !bytes.Equal(masked, want.runtime) {
		return ErrOtherCode
	}
	for _, word := range found {
		if !slices.Contains(words, word) {
			return ErrOtherWord
		}
	}
	return nil
}
