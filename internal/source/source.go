// Package source finds the address that a request came from, behind any number of
// trusted proxies. A client cannot choose the result.
package source

import (
	"net/netip"
	"slices"
	"strings"
)

const (
	// maxHops is how many trusted proxies in a row are followed, so that a long
	// header costs no more than a short one.
	maxHops = 16

	// maxEntry is more than the longest address with zone, brackets, port and
	// the spaces around it that a proxy writes.
	maxEntry = 128
)

// Of returns the address a request came from. It is peer, the other end of the
// socket, unless peer is one of the trusted proxies: then it is the rightmost
// address in forwarded, all lines of X-Forwarded-For in their order, that is not
// itself trusted.
//
// Each proxy appends the address it was called from, so everything to the left
// of that entry was written by the client and is never read. If the header has
// no such address (an entry is not an address, all are trusted, more than
// sixteen are, there is none) the source is peer: clients may then share an
// address, but none can choose one.
func Of(peer netip.Addr, forwarded []string, trusted []netip.Prefix) netip.Addr {
	peer = plain(peer)
	if !isTrusted(peer, trusted) {
		return peer
	}
	hops := 0
	for _, line := range slices.Backward(forwarded) {
		for more := true; more; hops++ {
			var entry string
			line, entry, more = cutLast(line)
			addr, ok := parseEntry(entry)
			switch {
			case !ok || hops == maxHops:
				return peer
			case !isTrusted(addr, trusted):
				return addr
			}
		}
	}
	return peer
}

// cutLast splits the last entry off line and reports whether there are more. It
// reads no further than the longest entry reaches.
func cutLast(line string) (rest, entry string, more bool) {
	start := max(0, len(line)-maxEntry)
	comma := strings.LastIndexByte(line[start:], ',')
	if comma < 0 {
		return "", line, false
	}
	return line[:start+comma], line[start+comma+1:], true
}

// parseEntry reads an address with or without a port, brackets and a zone.
func parseEntry(s string) (netip.Addr, bool) {
	if len(s) > maxEntry {
		return netip.Addr{}, false
	}
	s = strings.Trim(s, " \t")
	if addr, err := netip.ParseAddr(s); err == nil {
		return plain(addr), true
	}
	if withPort, err := netip.ParseAddrPort(s); err == nil {
		return plain(withPort.Addr()), true
	}
	inner, isOpen := strings.CutPrefix(s, "[")
	inner, isClosed := strings.CutSuffix(inner, "]")
	addr, err := netip.ParseAddr(inner)
	if err != nil || !isOpen || !isClosed || !addr.Is6() {
		return netip.Addr{}, false
	}
	return plain(addr), true
}

// plain returns the one form of addr that prefixes are compared with.
func plain(addr netip.Addr) netip.Addr { return addr.Unmap().WithZone("") }

func isTrusted(addr netip.Addr, trusted []netip.Prefix) bool {
	return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(addr) })
}
