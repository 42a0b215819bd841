package flags

import (
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// Networks is a flag: a comma-separated list of networks.
type Networks []netip.Prefix

func (n *Networks) String() string { return strings.Trim(fmt.Sprint([]netip.Prefix(*n)), "[]") }

// Set reads the list.
func (n *Networks) Set(s string) error {
	*n = nil
	for word := range strings.SplitSeq(s, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(word)
		if err != nil {
			return errors.New("not a network such as 10.0.0.0/8")
		}
		*n = append(*n, prefix.Masked())
	}
	return nil
}

// Contact is a flag: a URI by which people are reached. It has one line and is
// printed into a file as it is.
type Contact string

func (c *Contact) String() string { return string(*c) }

// Set reads the URI.
func (c *Contact) Set(s string) error {
	u, err := url.Parse(s)
	if err != nil || s != u.String() || u.Scheme != "mailto" && u.Scheme != "https" || u.Opaque+u.Host == "" {
		return errors.New("not a mailto: or https: address, such as mailto:security@example.org")
	}
	*c = Contact(s)
	return nil
}

// A hidden is a flag whose invalid value is refused after parsing.
type hidden struct {
	flag.Value
	name string
	set  *Set
}

func (h *hidden) Set(s string) error {
	if err := h.Value.Set(s); err != nil && h.set.wrong == nil {
		h.set.wrong = fmt.Errorf("%s: %s: %w", h.set.Name(), h.name, err)
	}
	return nil
}

// String is called by the flag package on a zero value too.
func (h *hidden) String() string {
	if h.Value == nil {
		return ""
	}
	return h.Value.String()
}
