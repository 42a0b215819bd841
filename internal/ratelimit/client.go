package ratelimit

import (
	"encoding/binary"
	"net/netip"
)

// A Client is the unit that requests are counted for: one IPv4 address, or one
// IPv6 /64, because a host with one address of a /64 usually has all of them.
//
// It is eight bytes, so that a million of them need little memory. The first half
// of an IPv6 address fills all eight; IPv4 addresses use the space of IPv6
// multicast, from which no request can come.
type Client struct {
	bits uint64
}

const (
	ipv4    = 0xff00_0000_0000_0000 // and the address in the low half
	invalid = 0xff01_0000_0000_0000
)

// ClientOf returns the client that requests from addr are counted for. An
// IPv4-mapped address is the IPv4 address in it, and a zone is ignored. All
// addresses that cannot be a source, such as the zero Addr, are one client.
func ClientOf(addr netip.Addr) Client {
	addr = addr.Unmap()
	switch {
	case addr.Is4():
		b := addr.As4()
		return Client{ipv4 | uint64(binary.BigEndian.Uint32(b[:]))}
	case !addr.IsValid(), addr.IsMulticast():
		return Client{invalid}
	}
	b := addr.As16()
	return Client{binary.BigEndian.Uint64(b[:8])}
}

// Addr returns an IPv4 address, or the first of an IPv6 /64. It is not valid for
// the client of addresses that cannot be a source.
func (c Client) Addr() netip.Addr {
	switch {
	case c.bits == invalid:
		return netip.Addr{}
	case c.bits>>32 == ipv4>>32:
		var a [4]byte
		binary.BigEndian.PutUint32(a[:], uint32(c.bits))
		return netip.AddrFrom4(a)
	}
	var a [16]byte
	binary.BigEndian.PutUint64(a[:], c.bits)
	return netip.AddrFrom16(a)
}

// String returns an IPv4 address, or an IPv6 prefix of 64 bits. Different clients
// have different strings. The strings are keys in Redis, so they must not change.
func (c Client) String() string { return string(c.appendTo(nil)) }

func (c Client) appendTo(b []byte) []byte {
	switch a := c.Addr(); {
	case !a.IsValid():
		return append(b, "nobody"...)
	case a.Is4():
		return a.AppendTo(b)
	default:
		return netip.PrefixFrom(a, 64).AppendTo(b)
	}
}
