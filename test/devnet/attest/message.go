package attest

import (
	"encoding/binary"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/swap"
)

// Where the fields of a message are. Those marked * are the attester's to fill.
//
//	offset  size  field
//	     0     4  header version
//	     4     4  source domain
//	     8     4  destination domain
//	    12    32  nonce *
//	    44    32  sender, the messenger on the source chain
//	    76    32  recipient, the messenger on the destination chain
//	   108    32  destination caller
//	   140     4  minimum finality threshold
//	   144     4  finality threshold executed *
//	   148     4  body version
//	   152    32  burn token
//	   184    32  mint recipient
//	   216    32  amount
//	   248    32  message sender, the account that burned
//	   280    32  maximum fee
//	   312    32  fee executed *
//	   344    32  expiration block *
//	   376     n  hook data
const (
	offSource      = 4
	offDestination = 8
	offNonce       = 12
	offCaller      = 108
	offFinality    = 140
	offExecuted    = 144
	offAmount      = 216
	offMaxFee      = 280
	offFee         = 312
	offExpiration  = 344
	minLength      = 376
)

// IsBurn reports whether a message is long enough to be about a burn.
func IsBurn(message []byte) bool { return len(message) >= minLength }

// Source is the domain that a message was sent from.
func Source(message []byte) swap.Domain {
	return swap.Domain(binary.BigEndian.Uint32(message[offSource:]))
}

// Destination is the domain that a message is for.
func Destination(message []byte) swap.Domain {
	return swap.Domain(binary.BigEndian.Uint32(message[offDestination:]))
}

// Nonce identifies a message on its destination; zero before it is attested.
func Nonce(message []byte) []byte { return word(message, offNonce) }

// Caller is the only account that may deliver a message; zero when any may.
func Caller(message []byte) common.Address { return common.BytesToAddress(word(message, offCaller)) }

// Hook is the burner's instruction for the minted money.
func Hook(message []byte) []byte { return message[minLength:] }

func word(message []byte, at int) []byte { return message[at : at+32] }

func number(message []byte, at int) *big.Int { return new(big.Int).SetBytes(word(message, at)) }
