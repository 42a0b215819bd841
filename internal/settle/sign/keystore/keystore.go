// Package keystore is a key in an encrypted file. The key exists in the memory
// of this process only, inside a function, so that no value that can be printed
// holds it.
package keystore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/settle/sign"
	"hubquote/swap"
)

type key struct {
	address swap.Address
	signer  func(*types.Transaction) (*types.Transaction, error)
}

var (
	errKeystore = errors.New("not an encrypted keystore file: make one with geth account new")
	errPassword = errors.New("the password does not open the keystore file")
	errEmpty    = errors.New("the password file is empty")
)

// Open opens an encrypted keystore file with the password in another file,
// less its final line break. Neither may be readable by every user.
func Open(path, passwordPath string) (sign.Key, error) {
	file, err := secret(path)
	if err != nil {
		return nil, fmt.Errorf("keystore: %w", err)
	}
	password, err := secret(passwordPath)
	if err != nil {
		return nil, fmt.Errorf("keystore password: %w", err)
	}
	text := strings.TrimSuffix(strings.TrimSuffix(string(password), "\n"), "\r")
	if text == "" {
		return nil, errEmpty
	}
	return decrypt(file, text)
}

// secret reads a file that other users cannot.
func secret(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o007 != 0 {
		return nil, fmt.Errorf("%s is open to every user: chmod o-rwx it", path)
	}
	return os.ReadFile(path)
}

// decrypt keeps the library's errors to itself, since they may repeat what they
// read, and its panics too: it takes parts of the file for granted.
func decrypt(file []byte, password string) (k sign.Key, err error) {
	defer func() {
		if recover() != nil {
			k, err = nil, errKeystore
		}
	}()
	found, err := keystore.DecryptKey(file, password)
	switch {
	case errors.Is(err, keystore.ErrDecrypt):
		return nil, errPassword
	case err != nil:
		return nil, errKeystore
	}
	return &key{swap.Address(found.Address), func(tx *types.Transaction) (*types.Transaction, error) {
		return types.SignTx(tx, types.LatestSignerForChainID(tx.ChainId()), found.PrivateKey)
	}}, nil
}

// Address implements [sign.Key].
func (k *key) Address() swap.Address { return k.address }

// Sign implements [sign.Key].
func (k *key) Sign(_ context.Context, tx *types.Transaction) ([]byte, error) {
	signed, err := k.signer(tx)
	if err != nil {
		return nil, errors.New("the key cannot sign this")
	}
	return signed.MarshalBinary()
}
