package contract

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/contracts"
)

// The ways in which code on chain is not the contract's.
var (
	ErrNoCode    = errors.New("no contract")
	ErrOtherCode = errors.New("another contract's code")
	ErrOtherWord = errors.New("code that was made with another value")
)

// CheckCode compares code on chain with the contract's. Wherever the compiler left
// room for an immutable, the code must have the word of that name.
func (c *Compiled) CheckCode(code []byte, words map[string]common.Hash) error {
	want := c.load()
	if len(code) == 0 {
		return ErrNoCode
	}
	if len(code) != len(want.runtime) {
		return ErrOtherCode
	}
	masked := bytes.Clone(code)
	for _, span := range c.spans() {
		clear(masked[span[0] : span[0]+span[1]])
	}
	if !bytes.Equal(masked, want.runtime) {
		return ErrOtherCode
	}
	for name, spans := range want.immutables {
		word, known := words[name]
		for _, span := range spans {
			if !known || word != common.BytesToHash(code[span[0]:span[0]+span[1]]) {
				return fmt.Errorf("%w: %s", ErrOtherWord, name)
			}
		}
	}
	return nil
}

// spans are the places of all immutables.
func (c *Compiled) spans() (list []contracts.Span) {
	for _, spans := range c.load().immutables {
		list = append(list, spans...)
	}
	return list
}
