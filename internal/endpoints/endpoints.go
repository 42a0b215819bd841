// Package endpoints reads the JSON-RPC servers of chains as settings: a flag
// --rpc chain=URL that may be repeated, a variable for each chain, and a table of
// lists in a file, chain by chain in that order of precedence.
//
// An error names the chain, never the URL: it may hold a key.
package endpoints

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"strings"

	"hubquote/internal/flags"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// A List is the servers of each chain, in the order they are asked.
type List map[swap.ChainID][]upstream.URL

// A Setting is the servers that an operator names.
type Setting struct {
	// Program is in the names of the variables: HUBQUOTE unless set.
	Program string

	// Reads says what is read there, in the help: what the quote service reads
	// unless set.
	Reads string

	given, file List // on the command line, and in the file
}

const reads = "Registries and pools are read\nthere, and the issuer's least fee where burns start."

// Define declares the flag.
func (s *Setting) Define(f *flags.Set) {
	s.given, s.file = List{}, List{}
	f.Secret(s.given, "rpc", "JSON-RPC endpoint of a chain as `chain=URL`, such as\n369=https://host/key; repeat it for more. "+cmp.Or(s.Reads, reads)+" With three or more\nfor one chain, two must agree. In the environment each chain has a variable\nof its own, such as "+s.variable(369)+", with URLs separated by spaces")
	f.ReadsEnv("rpc", s.variable("<chain>"))
}

func (s *Setting) variable(chain any) string { return fmt.Sprintf("%s_%v", s.prefix(), chain) }

func (s *Setting) prefix() string { return cmp.Or(s.Program, "HUBQUOTE") + "_RPC" }

// Tables reads the setting from a file.
func (s *Setting) Tables() flags.Tables { return flags.Tables{"rpc": s.addTable} }

var errTable = errors.New(`write a table of lists, such as 369 = ["https://host/key"]`)

// addTable adds the servers in a file for chains that the command line does not
// name.
func (s *Setting) addTable(value any) error {
	table, ok := value.(map[string]any)
	if !ok {
		return errTable
	}
	for id, value := range table {
		list, ok := value.([]any)
		if !ok {
			return errTable
		}
		if chain, err := swap.ParsePlaceID(id); err == nil && s.given[swap.ChainID(chain)] != nil {
			continue
		}
		for _, url := range list {
			if err := s.file.add(id, fmt.Sprint(url)); err != nil {
				return err
			}
		}
	}
	return nil
}

// List returns the servers, with those that the environment names for one of the
// chains.
func (s *Setting) List(chains []swap.ChainID, env func(string) (string, bool)) (List, error) {
	if _, ok := env(s.prefix()); ok {
		return nil, fmt.Errorf("%s in the environment: each chain has a variable of its own, such as %s", s.prefix(), s.variable(369))
	}
	all := maps.Clone(s.file)
	for _, id := range chains {
		value, ok := env(s.variable(id))
		if !ok || s.given[id] != nil {
			continue
		}
		delete(all, id)
		for url := range strings.FieldsSeq(value) {
			if err := all.add(fmt.Sprint(id), url); err != nil {
				return nil, fmt.Errorf("%s in the environment: %w", s.variable(id), err)
			}
		}
	}
	maps.Copy(all, s.given)
	return all, nil
}

func (l List) String() string { return "" }

// Set reads one chain=URL.
func (l List) Set(s string) error {
	id, url, _ := strings.Cut(s, "=")
	return l.add(id, url)
}

func (l List) add(id, url string) error {
	chain, err := swap.ParsePlaceID(id)
	if err != nil {
		return errors.New("not chain=URL, such as 369=https://host/key")
	}
	parsed, err := upstream.Parse(url)
	if err != nil {
		return err
	}
	if !parsed.IsHTTP() {
		return fmt.Errorf("chain %d: not an http or https URL", chain)
	}
	l[swap.ChainID(chain)] = append(l[swap.ChainID(chain)], parsed)
	return nil
}
