// Package contracts holds the reference contracts, compiled. What it embeds is
// what the Solidity beside it compiles to, to the byte: a test builds it again
// and fails on a difference.
package contracts

import (
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// A Name names a contract that can be deployed.
type Name string

// What an operator deploys.
const (
	Pool               Name = "Pool"        // takes and pays a token, or the native coin, at a public place
	ShieldPool         Name = "ShieldPool"  // the same at a privacy pool
	GatewayPool        Name = "GatewayPool" // a Pool that also pays by burning onward
	Receiver           Name = "Receiver"    // makes orders of burns
	IntegratorRegistry Name = "IntegratorRegistry"
)

// What runs inside an eth_call and is never deployed: the creation code of
// LensCall, followed by one encoded call of Lens, returns a zero byte and that
// call's answer.
const (
	Lens     Name = "Lens"
	LensCall Name = "LensCall"
)

// What tests put where other people's contracts are. The runtime code of each
// can be placed at any address: it has no immutables, and is told what it must
// know by its init function.
const (
	MintableToken      Name = "standins/MintableToken"
	BlacklistToken     Name = "standins/BlacklistToken"
	FeeOnTransferToken Name = "standins/FeeOnTransferToken"
	TetherToken        Name = "standins/TetherToken"
	WrappedEther       Name = "standins/WrappedEther"
	TokenMessenger     Name = "standins/TokenMessenger"
	MessageTransmitter Name = "standins/MessageTransmitter"
	TokenMinter        Name = "standins/TokenMinter"
	PrivacyPool        Name = "standins/PrivacyPool"
	BatchWallet        Name = "standins/BatchWallet"
	LibraryHarness     Name = "standins/LibraryHarness" // the pure libraries, callable
)

// An Artifact is a compiled contract.
type Artifact struct {
	ABI        json.RawMessage
	Creation   Code              // what a deployment sends, followed by the encoded constructor arguments
	Runtime    Code              // what is then on chain, but for its immutables
	Immutables map[string][]Span // by name
}

// A Span is where Runtime has zeros in place of an immutable's value: offset
// and length, in bytes.
type Span [2]int

// Code is EVM bytecode.
type Code []byte

// UnmarshalText reads hexadecimal digits after 0x.
func (c *Code) UnmarshalText(text []byte) (err error) {
	digits, ok := strings.CutPrefix(string(text), "0x")
	if !ok {
		return fmt.Errorf("bytecode does not begin with 0x")
	}
	*c, err = hex.DecodeString(digits)
	return err
}

//go:embed out/*.json out/standins/*.json
var out embed.FS

// Load returns the contract of that name.
func Load(name Name) (*Artifact, error) {
	text, err := out.ReadFile("out/" + string(name) + ".json")
	if err != nil {
		return nil, fmt.Errorf("contract %s: %w", name, err)
	}
	var a Artifact
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, fmt.Errorf("contract %s: %w", name, err)
	}
	return &a, nil
}
