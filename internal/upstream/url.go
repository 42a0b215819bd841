// Package upstream is shared by all clients of outside services. It has a URL
// type that prints without its secrets, an HTTP client with limits, the kinds of
// failure, and a circuit breaker. The URL of an upstream may carry a key in any of
// its parts, so no text or error of this package contains any part but the scheme;
// only [URL.Reveal] returns the whole.
package upstream

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// A URL is the address of an upstream. It prints as its scheme and stars. The
// zero value is no URL.
type URL struct {
	// Package fmt does not call the methods of a value in an unexported field.
	// It prints the fields, for some verbs through pointers. It cannot print
	// what a function returns.
	parsed func() *url.URL
}

// errURL repeats no input; the errors of net/url do.
var errURL = errors.New("not a URL: write scheme, host and path, such as https://host/path")

var errAddress = errors.New("not an address: write all four numbers in decimal, such as https://192.0.2.1/path")

// Parse reads an absolute URL with a host, or one of a Unix socket with a path. The
// caller checks the scheme.
func Parse(text string) (URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Hostname() == "" && (u.Scheme != "unix" || u.Path == "") {
		return URL{}, errURL
	}
	if isOddAddress(u.Hostname()) {
		return URL{}, errAddress
	}
	if _, err := strconv.ParseUint(cmp.Or(u.Port(), "0"), 10, 16); err != nil {
		return URL{}, errURL
	}
	return conceal(u), nil
}

// isOddAddress reports whether name is an address that only some resolvers
// understand, such as 10.1 or 0x0a000001: no domain ends in a number.
func isOddAddress(name string) bool {
	if _, err := netip.ParseAddr(name); err == nil {
		return false
	}
	name = strings.TrimSuffix(name, ".")
	last := name[strings.LastIndexByte(name, '.')+1:]
	_, err := strconv.ParseUint(last, 0, 64)
	return err == nil || last != "" && strings.Trim(last, "0123456789") == ""
}

func conceal(u *url.URL) URL { return URL{func() *url.URL { return u }} }

// IsZero reports whether there is no URL.
func (u URL) IsZero() bool { return u.parsed == nil }

// Reveal returns the whole URL. Only the package that connects to it calls
// Reveal.
func (u URL) Reveal() string {
	if u.IsZero() {
		return ""
	}
	return u.parsed().String()
}

// Scheme returns the part before the colon, in lower case.
func (u URL) Scheme() string {
	if u.IsZero() {
		return ""
	}
	return u.parsed().Scheme
}

// IsHTTP reports whether u can be called with a [Client].
func (u URL) IsHTTP() bool { return u.Scheme() == "http" || u.Scheme() == "https" }

// SameHost reports whether two URLs lead to one host, so that their answers are not
// independent. Ports tell apart what listens on this machine only: there they are
// often tunnels to different providers.
func (u URL) SameHost(v URL) bool { return !u.IsZero() && !v.IsZero() && u.host() == v.host() }

// Join returns u with elements appended to its path; the query stays.
func (u URL) Join(elements ...string) URL {
	if u.IsZero() {
		return u
	}
	return conceal(u.parsed().JoinPath(elements...))
}

// host returns the host in one spelling, with the port if it is this machine.
func (u URL) host() string {
	parsed := u.parsed()
	name := strings.TrimSuffix(strings.ToLower(parsed.Hostname()), ".")
	ip, err := netip.ParseAddr(name)
	switch ip = ip.Unmap(); {
	case err == nil && !ip.IsLoopback() && !ip.IsUnspecified():
		return ip.String()
	case err != nil && name != "localhost" && !strings.HasSuffix(name, ".localhost"):
		return name
	}
	port := parsed.Port()
	switch {
	case port != "":
	case parsed.Scheme == "https":
		port = "443"
	case parsed.Scheme == "http":
		port = "80"
	}
	return net.JoinHostPort("localhost", port)
}

// String returns the scheme and stars, or nothing when there is no URL.
func (u URL) String() string {
	if u.IsZero() {
		return ""
	}
	return u.parsed().Scheme + "://***"
}

// Format writes [URL.String] for every verb.
func (u URL) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, u.String()) }

// GoString returns [URL.String].
func (u URL) GoString() string { return u.String() }

// LogValue is [URL.String].
func (u URL) LogValue() slog.Value { return slog.StringValue(u.String()) }

// MarshalText writes [URL.String], so that a configuration can be shown; it
// cannot be read back.
func (u URL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalText parses text with [Parse]; empty text gives the zero value.
func (u *URL) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*u = URL{}
		return nil
	}
	*u, err = Parse(string(text))
	return err
}
