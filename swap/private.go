package swap

import "encoding/binary"

const payloadLen = 73

// A PrivateAddress is a 0zk address that passed every check of
// [ParsePrivateAddress]. The zero value is not one, and cannot be paid.
//
// Its text holds, without padding between the fields:
//
//	offset  size  field
//	     0     1  version, always 1
//	     1    32  master public key, which commits to the spender; a field element, big-endian
//	    33     8  network, each byte but the last xored with one of "railgun"
//	    41    32  viewing public key, to decrypt with; a compressed ed25519 point
//
// The unmasked network is all ones for every chain, or else one byte of chain
// type (0 is EVM) and seven of chain ID, big-endian.
type PrivateAddress struct {
	text    string // in lower case
	payload [payloadLen]byte
	viewing [32]byte // the x of the viewing key
}

const (
	privateVersion = 1
	networkMask    = "railgun\x00"
	allNetworks    = 1<<64 - 1
	evm            = 0
)

// ParsePrivateAddress reads a 0zk address. It is stricter than the wallets' own
// reader, which accepts keys that no wallet has, and keys for which any reader of the
// chain can decrypt the note. Whether the two keys belong to one wallet cannot be known.
func ParsePrivateAddress(s string) (PrivateAddress, error) {
	text, err := fold(s)
	if err != nil {
		return PrivateAddress{}, err
	}
	payload, err := decodePrivate(text)
	if err != nil {
		return PrivateAddress{}, err
	}
	a := PrivateAddress{text: text, payload: payload}
	if a.payload[0] != privateVersion {
		return PrivateAddress{}, refusePrivate(ZKVersion, "this version of 0zk address is not known: use one of version 1")
	}
	if master := a.MasterKey(); master == [32]byte{} || !inField(master) {
		return PrivateAddress{}, refusePrivate(ZKMasterKey, "the master key in this address is out of range, so the money could never be spent: use the address that the wallet itself shows")
	}
	a.viewing, err = checkViewingKey(a.ViewingKey())
	if err != nil {
		return PrivateAddress{}, err
	}
	return a, nil
}

// String returns the address in lower case.
func (a PrivateAddress) String() string { return a.text }

// IsZero reports whether a did not come from [ParsePrivateAddress].
func (a PrivateAddress) IsZero() bool { return a.payload[0] == 0 }

// MasterKey is the public key that a note for the address commits to.
func (a PrivateAddress) MasterKey() [32]byte { return [32]byte(a.payload[1:33]) }

// ViewingKey is the public key that a note for the address is encrypted to.
func (a PrivateAddress) ViewingKey() [32]byte { return [32]byte(a.payload[41:73]) }

// ViewingX is the x of the viewing key, whose encoding has only its sign: to find it
// again would take a square root.
func (a PrivateAddress) ViewingX() [32]byte { return a.viewing }

// CheckChain refuses an address that names a network other than the one the
// money goes to. Its keys are the same everywhere, but the user meant another
// place.
func (a PrivateAddress) CheckChain(network ChainID) error {
	masked := binary.BigEndian.Uint64(a.payload[33:41])
	bound := masked ^ binary.BigEndian.Uint64([]byte(networkMask))
	kind, id := bound>>56, bound&(1<<56-1)
	if bound == allNetworks || kind == evm && id == uint64(network) {
		return nil
	}
	return refusePrivate(ZKChain, "this address is for another network: use the wallet's address for all networks, or for the one the money goes to")
}

func refusePrivate(code Code, message string) *Error {
	return &Error{Code: code, Param: "recipient", Message: message}
}
