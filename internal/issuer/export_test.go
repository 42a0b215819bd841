package issuer

import "hubquote/swap"

// Read parses a fetched answer and returns the rate for b.
func Read(answer []byte, b *swap.Burn) (swap.IssuerRate, error) {
	rows, err := parseAnswer(answer)
	if err != nil {
		return 0, err
	}
	return burnRate(rows, b)
}
