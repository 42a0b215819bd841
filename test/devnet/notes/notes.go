// Package notes reads the notes that privacy pools make.
package notes

import (
	"bytes"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
)

// A Note is money in a privacy pool.
type Note struct {
	Token common.Address
	Value *big.Int // after the privacy pool's fee
	Bytes []byte   // as in a recipient of type 2 (D19)
}

// shielded is the event of one shield, with the names of the ABI.
type shielded struct {
	TreeNumber    *big.Int
	StartPosition *big.Int
	Commitments   []struct {
		Npk   [32]byte
		Token struct {
			TokenType    uint8
			TokenAddress common.Address
			TokenSubID   *big.Int
		}
		Value *big.Int
	}
	ShieldCiphertext []struct {
		EncryptedBundle [3][32]byte
		ShieldKey       [32]byte
	}
	Fees []*big.Int
}

// Read returns the notes in the logs of privacy pools; other logs are ignored.
func Read(logs []*types.Log) (list []Note, err error) {
	for _, log := range logs {
		if log.Topics[0] != contract.PrivacyPool.ABI().Events["Shield"].ID {
			continue
		}
		var s shielded
		if err := contract.PrivacyPool.Event(&s, "Shield", log); err != nil {
			return nil, err
		}
		if len(s.Commitments) != len(s.ShieldCiphertext) {
			return nil, fmt.Errorf("%d notes with %d ciphertexts", len(s.Commitments), len(s.ShieldCiphertext))
		}
		for i, c := range s.Commitments {
			bundle, key := s.ShieldCiphertext[i].EncryptedBundle, s.ShieldCiphertext[i].ShieldKey
			list = append(list, Note{c.Token.TokenAddress, c.Value,
				bytes.Join([][]byte{c.Npk[:], bundle[0][:], bundle[1][:], bundle[2][:], key[:]}, nil)})
		}
	}
	return list, nil
}
