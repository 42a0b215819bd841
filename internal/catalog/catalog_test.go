package catalog_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"hubquote/internal/catalog"
	"hubquote/swap"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func embedded(t testing.TB) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The pairs are exactly those of the specification: a reviewer reads the diff
// of this file, not Go.
func TestPairs(t *testing.T) {
	var lines []string
	for _, r := range embedded(t).Routes() {
		lines = append(lines, fmt.Sprintf("%-4s %-8d -> %-4s %-8d  %-12s %d millionths, fees on %-4d, %s to %s",
			r.SrcToken.Symbol, r.Src.ID, r.DstToken.Symbol, r.Dst.ID, r.Kind, r.Rate, r.FeeChain,
			swap.FormatUnits(&r.Limits.Min, r.SrcToken.Decimals), swap.FormatUnits(&r.Limits.Max, r.SrcToken.Decimals)))
	}
	got := strings.Join(lines, "\n") + "\n"
	const golden = "testdata/pairs.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("pairs (-want +got), rewrite with -update:\n%s", diff)
	}
}

func TestCounts(t *testing.T) {
	c := embedded(t)
	var public, shielding, unshielding, burns int
	chains := map[swap.ChainID]bool{}
	for _, r := range c.Routes() {
		chains[r.Src.Network], chains[r.Dst.Network] = true, true
		switch {
		case r.Shields():
			shielding++
		case r.Private():
			unshielding++
		default:
			public++
		}
		if r.Kind == swap.CCTPInbound {
			burns++
		}
	}
	pools := 0
	for _, r := range c.Routers() {
		if r.Kind == swap.Direct {
			pools++
		}
	}
	got := []int{public, shielding, unshielding, burns, len(chains), pools}
	if diff := cmp.Diff([]int{48, 24, 14, 16, 21, 18}, got); diff != "" {
		t.Errorf("public, shielding, unshielding, burns, chains, pools (-want +got):\n%s", diff)
	}
}

func TestDestinationPoolChain(t *testing.T) {
	for _, r := range embedded(t).Routes() {
		want := map[swap.ChainID]swap.ChainID{369: 369, 1: 1, 8453: 8453, 56: 56, 4663: 4663}[r.Dst.Network]
		if want == 0 {
			want = 8453 // reached by a burn from the gateway
		}
		if r.FeeChain != want {
			t.Errorf("%s on %d to %d: fees on %d, want %d", r.SrcToken.Symbol, r.Src.ID, r.Dst.ID, r.FeeChain, want)
		}
	}
}

// A domain is never a chain ID in disguise, and burns are minted on the
// gateway.
func TestBurns(t *testing.T) {
	domains := map[swap.ChainID]swap.Domain{
		43114: 1, 42161: 3, 10: 2, 137: 7, 130: 10, 59144: 11, 480: 14, 98866: 22,
		2818: 30, 57073: 21, 143: 15, 146: 13, 1329: 16, 999: 19, 1672: 31, 25: 32,
	}
	free := map[swap.ChainID]bool{43114: true, 137: true, 143: true, 146: true, 1329: true, 999: true, 1672: true, 25: true}
	for _, r := range embedded(t).Routes() {
		if r.Kind != swap.CCTPInbound {
			continue
		}
		b := r.Burn
		if b.Source != domains[r.Src.Network] || b.Gateway != 6 || b.Finality != 1000 || b.Receiver.IsZero() {
			t.Errorf("burn on %d = %+v, want domain %d, gateway 6, finality 1000 and a receiver", r.Src.Network, b, domains[r.Src.Network])
		}
		if (b.Published == 0) != free[r.Src.Network] {
			t.Errorf("burn on %d: published fee = %s, want one: %t", r.Src.Network, b.Published, !free[r.Src.Network])
		}
		if r.Target != swap.MustAddress("0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d") {
			t.Errorf("burn on %d: messenger = %s, want that of version 2", r.Src.Network, r.Target)
		}
	}
}

func TestDecimalsBelongToTheAddress(t *testing.T) {
	for _, tok := range embedded(t).Tokens() {
		want := uint8(18)
		if (tok.Symbol == "USDC" || tok.Symbol == "USDT") && tok.Chain != 56 {
			want = 6
		}
		if tok.Decimals != want {
			t.Errorf("%s on %d has %d decimals, want %d", tok.Symbol, tok.Chain, tok.Decimals, want)
		}
	}
}

// The loader refuses files with a typing error.
func TestLoadRefuses(t *testing.T) {
	tests := []struct {
		name, file, old, new, want string
	}{
		{"an unknown key", "chains.toml", `wait     = 180`, `weight   = 180`, "unknown key chain.weight"},
		{"a bad checksum", "chains.toml", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "0xa0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "checksum"},
		{"a zero token", "chains.toml", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "0x0000000000000000000000000000000000000000", "needs an address"},
		{"a chain twice", "chains.toml", "id       = 10\n", "id       = 1\n", "listed twice"},
		{"a domain twice", "chains.toml", "domain    = 2\n", "domain    = 0\n", "domain 0 is chain"},
		{"a token twice", "chains.toml", `symbol   = "DAI"`, `symbol   = "USDC"`, "listed twice"},
		{"a small-letter symbol", "chains.toml", `symbol   = "DAI"`, `symbol   = "dai"`, "capital letters"},
		{"a fact without a source", "chains.toml", `source   = "specification 2.8; privacy pool's shared-models 8.0.1"`, `source = ""`, "source"},
		{"a chain without an ID", "chains.toml", "id       = 10\n", "id       = 0\n", "chain 0: id, name and explorer"},
		{"a chain without a name", "chains.toml", `name     = "OP Mainnet"`, `name = ""`, "chain 10: id, name and explorer"},
		{"a chain without an explorer", "chains.toml", `explorer = "https://optimistic.etherscan.io"`, `explorer = ""`, "chain 10: id, name and explorer"},
		{"an explorer that is not secure", "chains.toml", `"https://optimistic.etherscan.io"`, `"http://optimistic.etherscan.io"`, "chain 10: explorer: write https://"},
		{"an explorer with a path", "chains.toml", `"https://optimistic.etherscan.io"`, `"https://optimistic.etherscan.io/"`, "chain 10: explorer: write https://"},
		{"an explorer without a host", "chains.toml", `"https://optimistic.etherscan.io"`, `"https://"`, "chain 10: explorer: write https://"},
		{"an explorer that is a script", "chains.toml", `"https://optimistic.etherscan.io"`, `"javascript:alert(1)"`, "chain 10: explorer: write https://"},
		{"a chain without a source", "chains.toml", `source   = "ethereum-lists/chains 13d2b3dbba (2026-08-22), viem 2.57.13"`, `source = ""`, "chain 1: a fact needs a source"},
		{"no hub", "chains.toml", "id       = 369\n", "id       = 370\n", "the hub, chain 369, is missing"},
		{"no edition", "chains.toml", "edition = ", "edition = 0 # ", "edition and updated"},
		{"no date", "chains.toml", `updated = "`, `updated = "on `, "edition and updated"},
		{"a messenger of zeros", "chains.toml", "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d", "0x0000000000000000000000000000000000000000", "chain 1: cctp: the zero address"},
		{"a messenger without a source", "chains.toml", `source    = "issuer's domain list (autumn 2026), bridge-kit 1.15.1"`, `source = ""`, "chain 1: cctp: a fact needs a source"},
		{"a native coin with an address", "chains.toml", "native   = true", "native = true\naddress = \"0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d\"", "not both"},
		{"a token without a name", "chains.toml", `name     = "USD Coin"`, `name = ""`, "token USDC: name and decimals"},
		{"a token without a source", "chains.toml", `source   = "issuer's contract list (2025-11-03), bridge-kit 1.15.1"`, `source = ""`, "token USDC: a fact needs a source"},
		{"two tokens at one address", "chains.toml", "0x6B175474E89094C44Da98b954EedeAC495271d0F", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "token DAI: symbol or address listed twice"},
		{"a token that no pair needs", "chains.toml", "[[privacy]]", "[[chain.token]]\nsymbol = \"X\"\nname = \"X\"\nnative = true\ndecimals = 18\nsource = \"x\"\n[[privacy]]", "no pair uses X"},
		{"a privacy route with a chain's ID", "chains.toml", "id       = 69696969", "id       = 1", "privacy route 1: the ID is taken"},
		{"a privacy route without an ID", "chains.toml", "id       = 69696969", "id       = 0", "privacy route 0: the ID is taken"},
		{"a privacy pool of zeros", "chains.toml", "0xFA7093CDD9EE6932B4eb2c9e1cde7CE00B1FA4b9", "0x0000000000000000000000000000000000000000", "privacy route 69696969: the zero address"},
		{"a network that is not there", "chains.toml", "network  = 56", "network  = 57", "network 57"},
		{"an issuer without a fee", "chains.toml", `fee_bps   = "1.3"`, "", "publishes no fee"},
		{"an issuer's fee that is none", "chains.toml", `fee_bps   = "1.3"`, `fee_bps = "x"`, "fee_bps: "},
		{"no decimals", "chains.toml", "decimals = 6", "", "decimals are required"},
		{"a negative wait", "chains.toml", `wait     = 180`, `wait = -1`, "wait"},
		{"a pair without a pool", "deployment.toml", `"USD1@56"`, `"# "`, "not of the form USDC@369"},
		{"a deployment without a name", "deployment.toml", `name      = "reference"`, `name = ""`, "no name"},
		{"a receiver of zeros", "deployment.toml", "receiver = ", `receiver = "0x0000000000000000000000000000000000000000" # `, "receiver: the zero address"},
		{"a pool of zeros", "deployment.toml", `"USD1@56" `, `"USD1@56" = "0x0000000000000000000000000000000000000000" # `, "pool USD1@56: the zero address"},
		{"a pool at no listed place", "deployment.toml", `"USD1@56"`, `"USD1@57"`, "pool USD1@57: place 57 is not listed"},
		{"a pool of no listed token", "deployment.toml", `"USD1@56"`, `"USDX@56"`, "pool USDX@56: USDX is not listed on chain 56"},
		{"a pool that is not there", "deployment.toml", `"USD1@56"`, `# `, "no pool takes USD1@56"},
		{"a pool that no pair needs", "deployment.toml", "[registries]", "\"WETH@56\" = \"0x00000000000000000000000000000000000000AA\"\n[registries]", "pool WETH@56: no pair starts there"},
		{"a registry on no listed chain", "deployment.toml", "4663 = ", "4664 = ", "registry: chain 4664 is not listed"},
		{"a registry on no chain", "deployment.toml", "4663 = ", "x = ", "registry: chain x is not listed"},
		{"a registry that is not there", "deployment.toml", "369  = ", "# ", "chain 369 has no integrator registry"},
		{"a destination that no pool pays", "pairs.toml", `"WETH@1", "ETH@1"]`, `"WETH@56"]`, "no pool pays WETH@56"},
		{"a burn where there is no issuer", "pairs.toml", `"USDC@43114"`, `"USDT@56"`, "publishes no fee"},
		{"a pair on the hub", "pairs.toml", `from  = ["USDC@1", "USDC@8453", "USDC@56"]`, `from  = ["USDC@369"]`, "starts and ends on the hub"},
		{"a pair twice", "pairs.toml", `from  = ["USDC@1", "USDC@8453", "USDC@56"]`, `from  = ["USDC@1", "USDC@1"]`, "listed twice"},
		{"a pair off the hub", "pairs.toml", `to    = ["USDC@369"]`, `to    = ["USDC@56"]`, "hub"},
		{"an unknown token in a pair", "pairs.toml", `"USDC@8453"`, `"USDX@8453"`, "USDX is not listed"},
		{"an unknown kind", "pairs.toml", `kind  = "CCTP_INBOUND"`, `kind  = "CCTP"`, "unknown kind"},
		{"a rate of a hundred per cent", "policy.toml", "inbound  = 3_000", "inbound  = 1_000_000", "millionths"},
		{"a rate over one per cent", "policy.toml", "inbound  = 3_000", "inbound  = 10_001", "millionths"},
		{"no rate", "policy.toml", "outbound = 5_000", "outbound = 0", "millionths"},
		{"rates without a source", "policy.toml", `source   = "specification 2.7"`, `source = ""`, "rates and burn: a fact needs a source"},
		{"a burn without a source", "policy.toml", `source   = "decisions 13 and 17"`, `source = ""`, "rates and burn: a fact needs a source"},
		{"a place of v1 that is not listed", "policy.toml", "places = [1, ", "places = [2, ", "v1: place 2 is not listed"},
		{"places of v1 without a source", "policy.toml", `source = "specification 9"`, `source = ""`, "v1: a fact needs a source"},
		{"no finality", "policy.toml", "finality = 1_000", "finality = 0", "finality 0 is not 1000"},
		{"a finality that the issuer does not have", "policy.toml", "finality = 1_000", "finality = 1", "finality 1 is not 1000"},
		{"limits without a source", "policy.toml", `source  = "specification 8"`, `source = ""`, "limits of [USDC USDT DAI USD1]: asset, symbols and source are required"},
		{"limits without an asset", "policy.toml", `asset   = "ether"`, `asset = ""`, "limits of [ETH WETH]: asset, symbols and source are required"},
		{"a symbol in the table of another asset", "policy.toml", `"USD1"]`, `"USD1", "ETH"]`, `limits of ETH: its asset is "ether", not "US dollar"`},
		{"an asset under another name", "policy.toml", `asset   = "ether"`, `asset = "US dollar"`, `limits of ETH: its asset is "ether", not "US dollar"`},
		{"a symbol in two tables of limits", "policy.toml", `["ETH", "WETH"]`, `["ETH", "WETH", "DAI"]`, "limits of DAI: no chain has it, or two tables"},
		{"limits of a symbol that no chain has", "policy.toml", `["ETH", "WETH"]`, `["ETH", "WETH", "WBTC"]`, "limits of WBTC: no chain has it"},
		{"a smallest amount of zero", "policy.toml", `min     = "0.01"`, `min     = "0"`, "limits of ETH: min is zero"},
		{"a pair of two assets", "pairs.toml", `from  = ["ETH@1", "ETH@8453", "ETH@4663"]`, `from  = ["ETH@1", "USDC@1"]`, "pair USDC@1 to WETH@369: the source is US dollar and the destination is ether"},
		{"a burn to another asset", "pairs.toml", `  "USDC@1329", "USDC@999", "USDC@1672", "USDC@25",
]
to    = ["USDC@369"]`, `]
to    = ["WETH@369"]`, "the source is US dollar and the destination is ether"},
		{"more decimals than an amount can have", "chains.toml", "decimals = 18", "decimals = 72", "72 decimals are more than 20"},
		{"an issuer's fee above our own", "chains.toml", `fee_bps   = "1.3"`, `fee_bps   = "25.1"`, "fee_bps: 25.1 with a margin of a fifth is more than our own fee"},
		{"an address without its checksum", "chains.toml", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "write it with its checksum, 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"},
		{"reference contracts that are said to be real", "deployment.toml", "reference = true", "reference = false", "is the reference deployment's pool"},
		{"a limit that is no number", "policy.toml", `max     = "25000"`, `max     = "x"`, "limits of USDC: max"},
		{"limits that allow nothing", "policy.toml", `min     = "10"`, `min     = "25000"`, "not below"},
		{"a limit with too many decimals", "policy.toml", `min     = "10"`, `min     = "10.0000001"`, "decimals"},
		{"limits the wrong way round", "policy.toml", `min     = "10"`, `min     = "30000"`, "not below"},
		{"a token without limits", "policy.toml", `"USD1"]`, `"USD2"]`, "limits of USD2: no chain has it"},
		{"a token in no table of limits", "policy.toml", `"DAI", "USD1"]`, `"DAI"]`, "USD1 has no limits"},
		{"a gateway that cannot mint", "policy.toml", "gateway  = 8453", "gateway  = 369", "issuer"},
		{"a gateway that is nowhere", "policy.toml", "gateway  = 8453", "gateway  = 8454", "the gateway, chain 8454"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := copyFiles(t)
			text := string(files[tt.file].Data)
			if !strings.Contains(text, tt.old) {
				t.Fatalf("%s has no %q", tt.file, tt.old)
			}
			files[tt.file].Data = []byte(strings.Replace(text, tt.old, tt.new, 1))
			_, err := catalog.Load(files)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want one that says %q", err, tt.want)
			}
		})
	}
}

func TestLoadTakesARateOfOnePerCent(t *testing.T) {
	files := copyFiles(t)
	files["policy.toml"].Data = []byte(strings.Replace(string(files["policy.toml"].Data), "inbound  = 3_000", "inbound  = 10_000", 1))
	if _, err := catalog.Load(files); err != nil {
		t.Error(err)
	}
}

func TestLoadRefusesOneAddressInTwoPlaces(t *testing.T) {
	c := embedded(t)
	files := copyFiles(t)
	pools := c.Routers()
	var direct []string
	for _, r := range pools {
		if r.Kind == swap.Direct {
			direct = append(direct, r.Address.String())
		}
	}
	text := strings.Replace(string(files["deployment.toml"].Data), direct[0], direct[1], 1)
	files["deployment.toml"].Data = []byte(text)
	if _, err := catalog.Load(files); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("Load = %v, want an error about an address that is there twice", err)
	}
}

// With CREATE2 a registry has one address on all chains.
func TestRegistriesMayShareAnAddress(t *testing.T) {
	c, files := embedded(t), copyFiles(t)
	hub, _ := c.Registry(369)
	base, _ := c.Registry(8453)
	text := strings.Replace(string(files["deployment.toml"].Data), hub.String(), base.String(), 1)
	files["deployment.toml"].Data = []byte(text)
	got, err := catalog.Load(files)
	if err != nil {
		t.Fatalf("Load = %v, want no error", err)
	}
	if registry, _ := got.Registry(369); registry != base {
		t.Errorf("registry of 369 = %s, want %s", registry, base)
	}
}

func TestLoadRefusesMissingAndForeignFiles(t *testing.T) {
	files := copyFiles(t)
	delete(files, "policy.toml")
	if _, err := catalog.Load(files); err == nil {
		t.Error("Load without policy.toml = nil, want an error")
	}
	files = copyFiles(t)
	files["pools.toml"] = &fstest.MapFile{Data: []byte("x = 1")}
	if _, err := catalog.Load(files); err == nil || !strings.Contains(err.Error(), "pools.toml") {
		t.Errorf("Load = %v, want an error about pools.toml", err)
	}
}

func TestDigestChangesWithTheFacts(t *testing.T) {
	files := copyFiles(t)
	same, err := catalog.Load(files)
	if err != nil || same.Digest() != embedded(t).Digest() {
		t.Fatalf("digest %s, %v, want the embedded catalog's", same.Digest(), err)
	}
	files["policy.toml"].Data = []byte(strings.Replace(string(files["policy.toml"].Data), "inbound  = 3_000", "inbound  = 3_001", 1))
	other, err := catalog.Load(files)
	if err != nil || other.Digest() == same.Digest() {
		t.Errorf("digest with another rate: equal, error %v; want another digest", err)
	}
}

func FuzzLoad(f *testing.F) {
	files := copyFiles(f)
	for name, file := range files {
		f.Add(name, string(file.Data))
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		dir := copyFiles(t)
		if dir[name] == nil {
			return
		}
		dir[name].Data = []byte(text)
		c, err := catalog.Load(dir)
		if err != nil {
			return
		}
		for _, r := range c.Routes() {
			if r.Target.IsZero() || r.Rate == 0 || !r.Limits.Min.Lt(&r.Limits.Max) {
				t.Errorf("route = %+v, want a target, a rate and limits", r)
			}
		}
	})
}

func copyFiles(t testing.TB) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	dir := os.DirFS("data")
	names, err := fs.Glob(dir, "*.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	return files
}
