package main

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"hubquote/internal/upstream"
	"hubquote/swap"
)

// urlFlag is a flag: the address of an upstream.
type urlFlag struct{ *upstream.URL }

func (u urlFlag) Set(s string) error { return u.UnmarshalText([]byte(s)) }

// prefixes is a flag: a comma-separated list of networks.
type prefixes []netip.Prefix

func (p *prefixes) String() string { return strings.Trim(fmt.Sprint([]netip.Prefix(*p)), "[]") }

func (p *prefixes) Set(s string) error {
	*p = nil
	for word := range strings.SplitSeq(s, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(word)
		if err != nil {
			return errors.New("not a network such as 10.0.0.0/8")
		}
		*p = append(*p, prefix.Masked())
	}
	return nil
}

// endpoints is a flag: JSON-RPC servers by chain.
type endpoints map[swap.ChainID][]upstream.URL

func (e endpoints) String() string { return "" }

// Set reads one chain=URL of the command line.
func (e endpoints) Set(s string) error {
	id, url, _ := strings.Cut(s, "=")
	return e.add(id, url)
}

func (e endpoints) add(id string, urls ...string) error {
	chain, err := swap.ParsePlaceID(id)
	if err != nil {
		return errors.New("not chain=URL, such as 369=https://host/key")
	}
	for _, url := range urls {
		parsed, err := upstream.Parse(url)
		if err != nil {
			return err
		}
		if !parsed.IsHTTP() {
			return fmt.Errorf("chain %d: not an http or https URL", chain)
		}
		e[swap.ChainID(chain)] = append(e[swap.ChainID(chain)], parsed)
	}
	return nil
}

var errRPCTable = errors.New(`write a table of lists, such as 369 = ["https://host/key"]`)

// addTable adds what a file says of chains that are not given already.
func (e endpoints) addTable(value any, given endpoints) error {
	table, ok := value.(map[string]any)
	if !ok {
		return errRPCTable
	}
	for id, value := range table {
		list, ok := value.([]any)
		if !ok {
			return errRPCTable
		}
		if chain, err := swap.ParsePlaceID(id); err == nil && given[swap.ChainID(chain)] != nil {
			continue
		}
		var urls []string
		for _, url := range list {
			urls = append(urls, fmt.Sprint(url))
		}
		if err := e.add(id, urls...); err != nil {
			return err
		}
	}
	return nil
}
