package main

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
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
type endpoints struct{ list []chainEndpoint }

type chainEndpoint struct {
	chain swap.ChainID
	url   upstream.URL
	from  origin
}

// An origin is where a setting came from; a larger one wins.
type origin int

const (
	fromNowhere origin = iota
	fromFile
	fromFlag
)

func (e *endpoints) String() string { return "" }

// Set reads one chain=URL of the command line.
func (e *endpoints) Set(s string) error {
	id, url, _ := strings.Cut(s, "=")
	return e.add(id, url, fromFlag)
}

func (e *endpoints) add(id, url string, from origin) error {
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
	e.list = append(e.list, chainEndpoint{swap.ChainID(chain), parsed, from})
	return nil
}

// from says where the endpoints of a chain came from.
func (e *endpoints) from(id swap.ChainID) (o origin) {
	for _, c := range e.list {
		if c.chain == id {
			o = max(o, c.from)
		}
	}
	return o
}

// replace sets the endpoints of one chain.
func (e *endpoints) replace(id swap.ChainID, urls []string) error {
	e.list = slices.DeleteFunc(e.list, func(c chainEndpoint) bool { return c.chain == id })
	for _, url := range urls {
		if err := e.add(fmt.Sprint(id), url, fromFlag); err != nil {
			return err
		}
	}
	return nil
}

// of returns the URLs of one chain.
func (e *endpoints) of(id swap.ChainID) (urls []upstream.URL) {
	for _, c := range e.list {
		if c.chain == id {
			urls = append(urls, c.url)
		}
	}
	return urls
}
