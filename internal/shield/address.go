package shield

import (
	"encoding/binary"

	"filippo.io/edwards25519"

	"hubquote/swap"
)

const payloadLen = 73

// An Address is a private recipient that passed every check of [Parse]. The
// zero value is not one, and cannot be paid.
//
// The text of an address holds, without padding between the fields:
//
//	offset  size  field
//	     0     1  version, always 1
//	     1    32  master public key: who may spend; a field element, big-endian
//	    33     8  network, each byte but the last xored with one of "railgun"
//	    41    32  viewing public key: who may look; a compressed ed25519 point
//
// The unmasked network is all ones for every chain, or else one byte of chain
// type (0 is EVM) and seven of chain ID, big-endian.
type Address struct {
	payload [payloadLen]byte
	viewing edwards25519.Point // the viewing public key, decompressed
}

func (a *Address) masterKey() [32]byte  { return [32]byte(a.payload[1:33]) }
func (a *Address) viewingKey() [32]byte { return [32]byte(a.payload[41:73]) }
func (a *Address) isZero() bool         { return a.payload[0] == 0 }

const (
	version   = 1
	mask      = "railgun\x00"
	allChains = 1<<64 - 1
	evm       = 0
)

// Parse reads an address. It is stricter than the wallets' own reader, which
// takes keys that nobody holds, and keys that would let everybody read along.
// That master and viewing key belong together, or to anybody, cannot be known.
func Parse(s string) (Address, error) {
	payload, err := decode(s)
	if err != nil {
		return Address{}, err
	}
	a := Address{payload: payload}
	if a.payload[0] != version {
		return Address{}, refuse(swap.ZKVersion, "this version of 0zk address is not known: use one of version 1")
	}
	if master := a.masterKey(); master == [32]byte{} || !inField(master[:]) {
		return Address{}, refuse(swap.ZKMasterKey, "the master key in this address is out of range, so nobody could spend the money: use the address that the wallet itself shows")
	}
	if a.viewing, err = viewingPoint(a.viewingKey()); err != nil {
		return Address{}, err
	}
	return a, nil
}

// CheckChain refuses an address that names a network other than the one the
// money goes to. Its keys are the same everywhere, but the user meant another
// place.
func (a Address) CheckChain(network swap.ChainID) error {
	masked := binary.BigEndian.Uint64(a.payload[33:41])
	bound := masked ^ binary.BigEndian.Uint64([]byte(mask))
	kind, id := bound>>56, bound&(1<<56-1)
	if bound == allChains || kind == evm && id == uint64(network) {
		return nil
	}
	return refuse(swap.ZKChain, "this address is for another network: use the wallet's address for all networks, or for the one the money goes to")
}

func refuse(code swap.Code, message string) *swap.Error {
	return &swap.Error{Code: code, Param: "recipient", Message: message}
}
