package ratelimit_test

import (
	"net/netip"
	"testing"
	"unsafe"

	"hubquote/internal/ratelimit"

	"pgregory.net/rapid"
)

func TestClientOf(t *testing.T) {
	tests := []struct {
		name string
		addr netip.Addr
		want string
	}{
		{"IPv4 counts by address", netip.MustParseAddr("192.0.2.7"), "192.0.2.7"},
		{"IPv4-mapped is IPv4", netip.MustParseAddr("::ffff:192.0.2.7"), "192.0.2.7"},
		{"IPv6 counts by /64", netip.MustParseAddr("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64"},
		{"a zone is ignored", netip.MustParseAddr("fe80::1%eth0"), "fe80::/64"},
		{"loopback", netip.MustParseAddr("::1"), "::/64"},
		{"the smallest IPv4 address", netip.MustParseAddr("0.0.0.0"), "0.0.0.0"},
		{"the largest IPv4 address", netip.MustParseAddr("255.255.255.255"), "255.255.255.255"},
		{"a multicast address cannot be a source", netip.MustParseAddr("ff00::c000:207"), "nobody"},
		{"a multicast address with the bits of a stored IPv4 address", netip.MustParseAddr("ff00:0:c000:207::"), "nobody"},
		{"no address", netip.Addr{}, "nobody"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ratelimit.ClientOf(tt.addr).String(); got != tt.want {
				t.Errorf("ClientOf(%v) = %s, want %s", tt.addr, got, tt.want)
			}
		})
	}
}

func TestClientIsSmall(t *testing.T) {
	if size := unsafe.Sizeof(ratelimit.Client{}); size != 8 {
		t.Errorf("a Client takes %d bytes, want 8", size)
	}
}

// The key in memory is the Client and the key in Redis is its string, so both
// must separate the same clients.
func TestClientsAreEqualWhenTheirStringsAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := ratelimit.ClientOf(anyAddr.Draw(t, "a")), ratelimit.ClientOf(anyAddr.Draw(t, "b"))
		if (a == b) != (a.String() == b.String()) {
			t.Errorf("%v == %v is %v, want %v", a, b, a == b, a.String() == b.String())
		}
	})
}

// anyAddr draws addresses that are often close to each other.
var anyAddr = rapid.Custom(func(t *rapid.T) netip.Addr {
	few := rapid.SampledFrom([]byte{0, 0, 0, 1, 10, 0xff})
	bytes := rapid.SliceOfN(few, 16, 16).Draw(t, "bytes")
	addr := netip.AddrFrom16([16]byte(bytes))
	switch rapid.SampledFrom([]string{"IPv4", "mapped", "IPv6", "zone"}).Draw(t, "kind") {
	case "IPv4":
		return netip.AddrFrom4([4]byte(bytes))
	case "mapped":
		return netip.AddrFrom16(netip.AddrFrom4([4]byte(bytes)).As16())
	case "zone":
		return addr.WithZone("eth0")
	}
	return addr
})
