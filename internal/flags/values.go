package flags

import (
	"errors"
	"fmt"
	"net/netip"
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
