// Package tables reads the four TOML files of a catalog as they are written. It
// refuses an unknown file or key and an address without its checksum; it does not compare the facts with each other.
package tables

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"hubquote/swap"
)

// Tables are the four files.
type Tables struct {
	Chains     Chains
	Deployment Deployment
	Pairs      Pairs
	Policy     Policy

	// Digest identifies the text of the files.
	Digest string
}

// names are the files of a catalog; there may be no others.
var names = []string{"chains.toml", "deployment.toml", "pairs.toml", "policy.toml"}

// Read reads the files in dir.
func Read(dir fs.FS) (*Tables, error) {
	if err := checkNames(dir); err != nil {
		return nil, err
	}
	t := new(Tables)
	digest := sha256.New()
	for i, into := range []any{&t.Chains, &t.Deployment, &t.Pairs, &t.Policy} {
		text, err := fs.ReadFile(dir, names[i])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(digest, "%s %d\n%s", names[i], len(text), text)
		if err := decode(text, into); err != nil {
			return nil, fmt.Errorf("%s: %w", names[i], err)
		}
	}
	t.Digest = "sha256:" + hex.EncodeToString(digest.Sum(nil))
	return t, nil
}

func checkNames(dir fs.FS) error {
	found, err := fs.Glob(dir, "*.toml")
	if err != nil {
		return err
	}
	for _, name := range found {
		if !slices.Contains(names, name) {
			return fmt.Errorf("unknown file %s; a catalog is %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

// decode reads one file and refuses unknown keys: a misspelt one would otherwise
// be a fact silently left out.
func decode(text []byte, into any) error {
	meta, err := toml.NewDecoder(bytes.NewReader(text)).Decode(into)
	if err != nil {
		return err
	}
	var unknown []string
	for _, key := range meta.Undecoded() {
		unknown = append(unknown, key.String())
	}
	if unknown != nil {
		return fmt.Errorf("unknown key %s", strings.Join(unknown, ", "))
	}
	return checkAddresses(text)
}

var address = regexp.MustCompile(`0x[0-9a-fA-F]{40}`)

// checkAddresses refuses an address that is written without its checksum, which
// [swap.Address] accepts from clients: the checksum is what notices a typing error.
func checkAddresses(text []byte) error {
	for _, found := range address.FindAllString(string(text), -1) {
		if a, err := swap.ParseAddress(found); err != nil || a.String() != found {
			return fmt.Errorf("address %s: write it with its checksum, %s", found, a)
		}
	}
	return nil
}
