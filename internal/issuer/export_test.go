package issuer

import "hubquote/swap"

// Read is what a fetched answer goes through.
func Read(answer []byte, b *swap.Burn) (swap.IssuerRate, error) {
	rows, err := parseAnswer(answer)
	if err != nil {
		return 0, err
	}
	return fastRate(rows, b)
}
