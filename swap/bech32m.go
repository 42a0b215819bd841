package swap

import "strings"

// A private address in text is bech32m (BIP-350) of one fixed shape: the
// prefix, the separator, the payload in words of five bits, and six words of
// checksum.
const (
	privatePrefix = "0zk"
	separator     = '1'
	dataStart     = len(privatePrefix) + 1
	payloadEnd    = dataStart + (payloadLen*8+4)/5
	privateLen    = payloadEnd + 6
	alphabet      = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
	checksumOne   = 0x2bc830a3 // in the older bech32 this is 1
)

// decodePrivate returns the payload of an address in lower case, which [fold]
// returned. No two texts have the same payload.
func decodePrivate(s string) (payload [payloadLen]byte, err error) {
	if s[len(privatePrefix)] != separator {
		return payload, refusePrivate(ZKBech32, "a 0zk address has a 1 as its fourth character: copy the address from the wallet again")
	}
	if s[:len(privatePrefix)] != privatePrefix {
		return payload, refusePrivate(ZKPrefix, "a private recipient begins with 0zk1: copy the address from the wallet again")
	}
	var words [privateLen - dataStart]byte
	for i := range words {
		w := strings.IndexByte(alphabet, s[dataStart+i])
		if w < 0 {
			return payload, refusePrivate(ZKCharset, "this address has a character that no 0zk address has: look for a typo, or copy it from the wallet again")
		}
		words[i] = byte(w)
	}
	if checksum(words[:]) != checksumOne {
		return payload, refusePrivate(ZKChecksum, "the checksum of this address does not match, so some character is wrong: copy it from the wallet again")
	}
	return pack(words[:payloadEnd-dataStart])
}

// fold returns s in lower case, if its characters could be an address at all.
func fold(s string) (string, error) {
	var lower, upper bool
	for i := range len(s) {
		if s[i] >= 0x80 {
			return "", refusePrivate(ZKNotASCII, "a 0zk address has plain letters and digits only: copy it from the wallet again")
		}
		lower = lower || 'a' <= s[i] && s[i] <= 'z'
		upper = upper || 'A' <= s[i] && s[i] <= 'Z'
	}
	if len(s) != privateLen {
		return "", refusePrivate(ZKLength, "a 0zk address has exactly 127 characters: copy the whole of it, without spaces, from the wallet")
	}
	if lower && upper {
		return "", refusePrivate(ZKMixedCase, "a 0zk address is all in lower case or all in upper case: copy it from the wallet again")
	}
	return strings.ToLower(s), nil
}

// pack joins words of five bits to bytes. The last word has one bit to spare,
// which must be zero, or an address would have two spellings.
func pack(words []byte) (payload [payloadLen]byte, err error) {
	var bits, n uint
	out := payload[:0]
	for _, w := range words {
		bits, n = bits<<5|uint(w), n+5
		if n >= 8 {
			n -= 8
			out = append(out, byte(bits>>n))
		}
	}
	if bits&(1<<n-1) != 0 {
		return payload, refusePrivate(ZKPadding, "this address is not in its one valid form: use the address that the wallet itself shows")
	}
	return payload, nil
}

// checksum is the BCH code of BIP-173 over the prefix and words.
func checksum(words []byte) uint32 {
	sum := uint32(1)
	for i := range len(privatePrefix) {
		sum = step(sum, privatePrefix[i]>>5)
	}
	sum = step(sum, 0)
	for i := range len(privatePrefix) {
		sum = step(sum, privatePrefix[i]&31)
	}
	for _, w := range words {
		sum = step(sum, w)
	}
	return sum
}

func step(sum uint32, word byte) uint32 {
	top := sum >> 25
	sum = sum&(1<<25-1)<<5 ^ uint32(word)
	for i, g := range [5]uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
		sum ^= g * (top >> i & 1)
	}
	return sum
}
