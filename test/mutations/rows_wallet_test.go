package mutations_test

import (
	"encoding/json"
	"os"

	"hubquote/test/zk"
)

// Requests to addresses of shield-invalid.json, with the code that each must be
// refused with; those without one are good for the swap.
var addressCodes = map[string]string{
	"OK": "", "CHAIN_MISMATCH": "ZK_CHAIN_MISMATCH", "EMPTY": "PARAM_MISSING", "LENGTH": "ZK_LENGTH", "MIXED_CASE": "ZK_MIXED_CASE",
	"NON_ASCII": "ZK_NON_ASCII", "BECH32": "ZK_BECH32", "CHECKSUM": "ZK_CHECKSUM", "VERSION": "ZK_VERSION", "MPK_RANGE": "ZK_MASTER_KEY_RANGE",
	"VPK_POINT": "ZK_VIEWING_KEY_POINT", "VPK_SMALL_ORDER": "ZK_VIEWING_KEY_SMALL_ORDER", "VPK_NONCANONICAL": "ZK_VIEWING_KEY_NONCANONICAL", "VPK_TORSION": "ZK_VIEWING_KEY_TORSION",
}

// addresses are all addresses of shield-invalid.json. The good ones are other
// spellings of the address that the vectors pay, so the honest answer is theirs.
func addresses() (rows []row) {
	var file struct {
		Vectors []struct{ ID, Address, Code string }
	}
	readVectors("shield-invalid.json", &file)
	for _, v := range file.Vectors {
		code, known := addressCodes[v.Code]
		if !known {
			panic("no code for " + v.Code)
		}
		r := row{name: "a request to the address " + v.ID, base: shield, request: map[string]string{"recipient": v.Address}, code: code}
		switch {
		case v.ID == "hrp-bc", v.ID == "kelvin-sign-uppercase": // does not begin with 0zk
			r.code = "RECIPIENT_INVALID"
		case v.ID == "ok-chain-56":
			r.base = shieldBSC
		}
		if r.code != "" {
			r.field = "recipient"
		}
		rows = append(rows, r)
	}
	return append(rows, row{name: "a request to an address for Ethereum on BNB Chain", base: shieldBSC,
		request: map[string]string{"recipient": zk.AliceOn1},
		code:    "ZK_CHAIN_MISMATCH", field: "recipient"})
}

const shieldBSC = "usdt-1-to-usdc-96969696"

// wallets are all notes of shield.json, which the wallet engine made, with their
// proofs: good where the address is for the network of the swap, or for all.
func wallets() (rows []row) {
	var file struct {
		Vectors []struct {
			Label, Address, Random, ShieldPrivateKey, Note string
			Chain                                          *struct{ Type, ID uint64 }
		}
	}
	readVectors("shield.json", &file)
	for _, v := range file.Vectors {
		r := row{name: "a note of the wallet engine: " + v.Label, base: shield, request: map[string]string{"recipient": v.Address}, change: also(
			bytes(call, poolRecipient, v.Note), set("proof", `{"random":"0x`+v.Random+`","shieldPrivateKey":"0x`+v.ShieldPrivateKey+`"}`))}
		switch {
		case v.Chain == nil || v.Chain.Type == 0 && v.Chain.ID == 1:
		case v.Chain.Type == 0 && v.Chain.ID == 56:
			r.base = shieldBSC
		default:
			r.code, r.field = "ZK_CHAIN_MISMATCH", "recipient"
		}
		rows = append(rows, r)
	}
	return rows
}

func readVectors(name string, into any) {
	text, err := os.ReadFile("../../internal/shield/testdata/" + name)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		panic(err)
	}
}
