package front

import (
	"net/http"

	"hubquote/swap"
	"hubquote/test/devnet"
)

// A Config is the configuration of the page on a devnet.
type Config struct {
	Accounts []Account `json:"accounts"` // with money, and signed for by every node
	Private  string    `json:"private"`  // the 0zk address of a wallet whose keys are public
}

// An Account is one of the accounts that every node signs for.
type Account struct {
	Name    string       `json:"name"`
	Address swap.Address `json:"address"`
}

func (f *Front) config(w http.ResponseWriter, _ *http.Request) {
	c := Config{Private: devnet.PrivateWallet().Address}
	for _, p := range devnet.Accounts()[devnet.Alice : devnet.Carol+1] {
		c.Accounts = append(c.Accounts, Account{p.Label, p.Address})
	}
	answer(w, http.StatusOK, c)
}
