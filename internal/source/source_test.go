package source_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"hubquote/internal/source"

	"pgregory.net/rapid"
)

var proxies = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"),
	netip.MustParsePrefix("2001:db8:ffff::/48"),
}

func TestSource(t *testing.T) {
	tests := []struct {
		name      string
		peer      string
		forwarded []string
		want      string
	}{
		{"the peer, without a header", "192.0.2.1", nil, "192.0.2.1"},
		{"the peer, if it is not trusted", "192.0.2.1", []string{"198.51.100.9"}, "192.0.2.1"},
		{"the peer is shown without mapping", "::ffff:192.0.2.1", nil, "192.0.2.1"},
		{"the peer is shown without zone", "fe80::1%eth0", nil, "fe80::1"},
		{"a trusted peer without a header", "10.0.0.1", nil, "10.0.0.1"},
		{"the entry of a trusted peer", "10.0.0.1", []string{"192.0.2.1"}, "192.0.2.1"},
		{"a mapped peer is trusted as IPv4", "::ffff:10.0.0.1", []string{"192.0.2.1"}, "192.0.2.1"},
		{"a peer with a zone is trusted", "2001:db8:ffff::1%eth0", []string{"192.0.2.1"}, "192.0.2.1"},
		{"the rightmost entry, not the first", "10.0.0.1", []string{"198.51.100.9, 192.0.2.1"}, "192.0.2.1"},
		{"trusted entries are passed over", "10.0.0.1", []string{"198.51.100.9, 192.0.2.1, 10.0.0.3, 2001:db8:ffff::2"}, "192.0.2.1"},
		{"a mapped entry is passed over as IPv4", "10.0.0.1", []string{"192.0.2.1, ::ffff:10.0.0.3"}, "192.0.2.1"},
		{"several lines are one list", "10.0.0.1", []string{"198.51.100.9", "192.0.2.1", "10.0.0.3"}, "192.0.2.1"},
		{"IPv4 with port", "10.0.0.1", []string{"192.0.2.1:55"}, "192.0.2.1"},
		{"IPv6 with port", "10.0.0.1", []string{"[2001:db8::1]:80"}, "2001:db8::1"},
		{"IPv6 in brackets", "10.0.0.1", []string{"[2001:db8::1]"}, "2001:db8::1"},
		{"IPv6 bare", "10.0.0.1", []string{"2001:db8::1"}, "2001:db8::1"},
		{"IPv6 with zone", "10.0.0.1", []string{"fe80::1%eth0"}, "fe80::1"},
		{"spaces and tabs", "10.0.0.1", []string{"198.51.100.9 ,\t 192.0.2.1 \t"}, "192.0.2.1"},
		{"all trusted", "10.0.0.1", []string{"10.0.0.2, 10.0.0.3"}, "10.0.0.1"},
		{"an unknown hop ends the walk", "10.0.0.1", []string{"192.0.2.1, unknown, 10.0.0.3"}, "10.0.0.1"},
		{"an empty entry ends the walk", "10.0.0.1", []string{"192.0.2.1,,10.0.0.3"}, "10.0.0.1"},
		{"an empty line ends the walk", "10.0.0.1", []string{"192.0.2.1", ""}, "10.0.0.1"},
		{"nothing before the first comma", "10.0.0.1", []string{", 192.0.2.1"}, "192.0.2.1"},
		{"nothing after the last comma", "10.0.0.1", []string{"192.0.2.1,"}, "10.0.0.1"},
		{"IPv4 in brackets is not an address", "10.0.0.1", []string{"[192.0.2.1]"}, "10.0.0.1"},
		{"half a bracket is not an address", "10.0.0.1", []string{"[2001:db8::1"}, "10.0.0.1"},
		{"a port too high is not an address", "10.0.0.1", []string{"192.0.2.1:65536"}, "10.0.0.1"},
		{"octal is not an address", "10.0.0.1", []string{"0300.0.2.1"}, "10.0.0.1"},
		{"an entry too long is not an address", "10.0.0.1", []string{strings.Repeat(" ", 200) + "192.0.2.1"}, "10.0.0.1"},
		{"as many proxies as are allowed", "10.0.0.1", []string{"192.0.2.1" + strings.Repeat(", 10.0.0.3", source.MaxHops-1)}, "192.0.2.1"},
		{"one proxy too many", "10.0.0.1", []string{"192.0.2.1" + strings.Repeat(", 10.0.0.3", source.MaxHops)}, "10.0.0.1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := source.Of(netip.MustParseAddr(tt.peer), tt.forwarded, proxies)
			if got.String() != tt.want {
				t.Errorf("Of(%s, %q) = %v, want %s", tt.peer, tt.forwarded, got, tt.want)
			}
		})
	}
}

func TestSourceOfNoPeer(t *testing.T) {
	if got := source.Of(netip.Addr{}, []string{"192.0.2.1"}, proxies); got.IsValid() {
		t.Errorf("Of an unknown peer = %v, want none", got)
	}
}

func TestHeaderOfAnUntrustedPeerIsIgnored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		peer := anyAddr.Filter(untrusted).Draw(t, "peer")
		forwarded := rapid.SliceOf(anyLine).Draw(t, "forwarded")
		got, want := source.Of(peer, forwarded, proxies), source.Of(peer, nil, nil)
		if got != want {
			t.Errorf("Of(%v, %q) = %v, want %v", peer, forwarded, got, want)
		}
	})
}

// A client can send a header of its own, but the entries that proxies append
// decide the source.
func TestEntriesLeftOfTheClientAreIgnored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		peer := netip.MustParseAddr("10.0.0.1")
		caller := anyAddr.Filter(untrusted).Draw(t, "caller")
		appended := caller.String() + strings.Repeat(", 10.0.0.3", rapid.IntRange(0, 3).Draw(t, "proxies"))
		want := source.Of(peer, []string{appended}, proxies)

		sent := rapid.SliceOf(anyLine).Draw(t, "sent")
		glued := slices.Clone(sent)
		if len(glued) > 0 {
			glued[len(glued)-1] += "," + appended
		} else {
			glued = []string{appended}
		}
		for _, forwarded := range [][]string{append(sent, appended), glued} {
			if got := source.Of(peer, forwarded, proxies); got != want {
				t.Errorf("Of(%v, %q) = %v, want %v", peer, forwarded, got, want)
			}
		}
	})
}

func untrusted(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	return !slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// anyLine draws header lines from whole entries and from text that is hard to
// parse.
var anyLine = rapid.Custom(func(t *rapid.T) string {
	parts := rapid.SampledFrom([]string{
		"10.0.0.2", "192.0.2.1", "[2001:db8::1]:80", "2001:db8:ffff::2", "unknown",
		",", ", ", " ", "\t", "%", "]", "[", ":", "\x00", "é", strings.Repeat("9", 300),
	})
	return strings.Join(rapid.SliceOf(parts).Draw(t, "parts"), "")
})

// FuzzSource checks for every header that the result is the peer or an address
// that is no proxy's, without zone and mapping.
func FuzzSource(f *testing.F) {
	f.Add("10.0.0.1", "192.0.2.1, 10.0.0.3", "198.51.100.9")
	f.Add("10.0.0.1", "[2001:db8::1]:80", "::ffff:10.0.0.3")
	f.Add("192.0.2.1", ",,", "fe80::1%eth0")
	f.Fuzz(func(t *testing.T, peerText, first, second string) {
		peer, err := netip.ParseAddr(peerText)
		if err != nil {
			return
		}
		plain := source.Of(peer, nil, nil)
		got := source.Of(peer, []string{first, second}, proxies)
		switch {
		case got.Zone() != "" || got.Is4In6():
			t.Errorf("Of = %v, want an address without zone and mapping", got)
		case got == plain:
		case untrusted(peer):
			t.Errorf("Of = %v, want the untrusted peer %v", got, plain)
		case !untrusted(got):
			t.Errorf("Of = %v, a proxy; want the peer %v or a client", got, plain)
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

func BenchmarkOf(b *testing.B) {
	peer, forwarded := netip.MustParseAddr("10.0.0.1"), []string{"198.51.100.9, 192.0.2.1, 10.0.0.3"}
	b.ReportAllocs()
	for b.Loop() {
		source.Of(peer, forwarded, proxies)
	}
}
