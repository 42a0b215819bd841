package docs_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hubquote/internal/calldata"
	"hubquote/swap"
)

var update = flag.Bool("update", false, "rewrite erc7730/*.json")

// A descriptor tells a wallet how to show a call (ERC-7730, version 2). These
// types are closed: they are all of the registry's schema that is used here.
type descriptor struct {
	Schema   string   `json:"$schema"`
	Comment  string   `json:"$comment"`
	Context  binding  `json:"context"`
	Metadata metadata `json:"metadata"`
	Display  display  `json:"display"`
}

type binding struct {
	ID       string   `json:"$id"`
	Contract contract `json:"contract"`
}

type contract struct {
	Deployments []deployment `json:"deployments"`
}

type deployment struct {
	ChainID swap.ChainID `json:"chainId"`
	Address swap.Address `json:"address"`
}

type metadata struct {
	Owner        string                       `json:"owner"`
	ContractName string                       `json:"contractName"`
	Constants    map[string]string            `json:"constants,omitempty"`
	Enums        map[string]map[string]string `json:"enums"`
}

type display struct {
	Formats map[string]format `json:"formats"`
}

type format struct {
	ID     string  `json:"$id"`
	Intent string  `json:"intent"`
	Fields []field `json:"fields"`
}

type field struct {
	Path    string            `json:"path"`
	Label   string            `json:"label"`
	Format  string            `json:"format,omitempty"`
	Params  map[string]string `json:"params,omitempty"`
	Visible any               `json:"visible,omitempty"` // "always", "never", or a rule
}

type rule struct {
	IfNotIn []string `json:"ifNotIn,omitempty"`
	MustBe  []any    `json:"mustBe,omitempty"`
}

const (
	schemaURL  = "https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json"
	generated  = "Made from the catalog with go test ./docs -update."
	noPartner  = "0x0000000000000000000000000000000000000000000000000000000000000000"
	nativeCoin = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
)

// descriptors returns all of them by file name: one for the pools of each token
// on each network, because a call does not name the token it deposits, and one
// for the issuer's messenger.
func descriptors(t *testing.T) map[string]*descriptor {
	t.Helper()
	all := map[string]*descriptor{}
	places := map[string]string{}
	for _, r := range embedded(t).Routes() {
		places[r.Src.ID.String()], places[r.Dst.ID.String()] = r.Src.Name, r.Dst.Name
		name := fmt.Sprintf("calldata-pool-%s-%d.json", strings.ToLower(r.SrcToken.Symbol), r.Src.Network)
		if r.Kind == swap.CCTPInbound {
			name = "calldata-messenger.json"
		}
		d := all[name]
		if d == nil {
			d = newDescriptor(r, places)
			all[name] = d
		}
		if here := (deployment{r.Src.Network, r.Target}); !slices.Contains(d.Context.Contract.Deployments, here) {
			d.Context.Contract.Deployments = append(d.Context.Contract.Deployments, here)
		}
	}
	return all
}

func newDescriptor(r *swap.Route, places map[string]string) *descriptor {
	d := &descriptor{Schema: schemaURL, Metadata: metadata{Owner: "hubquote", Enums: map[string]map[string]string{
		"places":         places,
		"recipientTypes": {"0": "EVM address", "2": "Encrypted note"},
	}}}
	if r.Kind == swap.CCTPInbound {
		d.Comment = generated + " The messenger is the issuer's: this shows burns with a hook of ours, and no others."
		d.Context.ID, d.Metadata.ContractName = "hubquote burn", "TokenMessengerV2"
		d.Display.Formats = map[string]format{calldata.Burn.String(): burnFormat(r)}
		return d
	}
	d.Comment = generated
	d.Context.ID, d.Metadata.ContractName = fmt.Sprintf("hubquote %s pool on %d", r.SrcToken.Symbol, r.Src.Network), "Pool"
	d.Metadata.Constants = map[string]string{"token": r.SrcToken.Address.String(), "native": nativeCoin}
	d.Display.Formats = map[string]format{calldata.Pool.String(): poolFormat(), calldata.PoolFor.String(): poolForFormat()}
	return d
}

// The token to receive is shown by its address: its ticker could only be looked
// up on another chain, and dstChain may be the number of a privacy pool.
func poolFormat() format {
	return format{"swap", "Swap across chains", []field{
		{"amount", "Amount", "tokenAmount", map[string]string{"token": "$.metadata.constants.token", "nativeCurrencyAddress": "$.metadata.constants.native"}, "always"},
		{"dstToken", "Token to receive", "raw", nil, "always"},
		{"dstChain", "Where", "enum", map[string]string{"$ref": "$.metadata.enums.places"}, "always"},
		{"recipientType", "Paid to", "enum", map[string]string{"$ref": "$.metadata.enums.recipientTypes"}, "always"},
		{"recipient", "Recipient", "raw", nil, "always"},
		{"integratorId", "Integrator", "raw", nil, rule{IfNotIn: []string{noPartner}}},
	}}
}

// poolForFormat shows the account for refunds before the integrator: it says
// whose money the deposit is.
func poolForFormat() format {
	f := poolFormat()
	last := len(f.Fields) - 1
	f.ID = calldata.PoolFor.Name
	f.Fields = slices.Insert(f.Fields, last, field{"refundTo", "Refund to", "raw", nil, "always"})
	return f
}

func burnFormat(r *swap.Route) format {
	b := r.Burn
	receiver := fmt.Sprintf("0x%024x%x", 0, b.Receiver[:]) // the bytes: %x of an Address would be that of its text
	token := map[string]string{"tokenPath": "burnToken"}
	return format{"depositForBurnWithHook", "Swap across chains", []field{
		{"amount", "Amount", "tokenAmount", token, "always"},
		{"hookData.[32:52]", "Token to receive", "raw", nil, "always"},
		{"hookData.[0:32]", "Where", "enum", map[string]string{"$ref": "$.metadata.enums.places"}, "always"},
		{"hookData.[84:85]", "Paid to", "enum", map[string]string{"$ref": "$.metadata.enums.recipientTypes"}, "always"},
		{"hookData.[85:]", "Recipient", "raw", nil, "always"},
		{"maxFee", "Issuer's fee at most", "tokenAmount", token, "always"},
		{"hookData.[52:84]", "Integrator", "raw", nil, rule{IfNotIn: []string{noPartner}}},
		{"destinationDomain", "Minted in domain", "raw", nil, rule{MustBe: []any{b.Gateway}}},
		{"mintRecipient", "Minted to", "raw", nil, rule{MustBe: []any{receiver}}},
		{"destinationCaller", "Minted by", "raw", nil, rule{MustBe: []any{receiver}}},
		{"minFinalityThreshold", "Finality", "raw", nil, rule{MustBe: []any{b.Finality}}},
		{"burnToken", "Token to burn", "tokenTicker", nil, "never"},
	}}
}

// The descriptors say what the catalog says.
func TestDescriptors(t *testing.T) {
	want := descriptors(t)
	if *update {
		writeDescriptors(t, want)
	}
	found, err := filepath.Glob("erc7730/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != len(want) {
		t.Errorf("%d descriptors, want %d", len(found), len(want))
	}
	for _, name := range found {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(pretty(t, want[filepath.Base(name)])), string(text)); diff != "" {
			t.Errorf("%s (-want +got), rewrite with -update:\n%s", name, diff)
		}
		checkDescriptor(t, name, text)
	}
}

func writeDescriptors(t *testing.T, want map[string]*descriptor) {
	old, _ := filepath.Glob("erc7730/*.json")
	for _, name := range old {
		os.Remove(name)
	}
	for name, d := range want {
		if err := os.WriteFile(filepath.Join("erc7730", name), pretty(t, d), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func pretty(t *testing.T, d *descriptor) []byte {
	t.Helper()
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// formats are those of the registry that are used here.
var formats = []string{"raw", "tokenAmount", "tokenTicker", "enum"}

// checkDescriptor holds a file to the rules of the registry: nothing unknown,
// every argument of the function mentioned, every reference to something there.
func checkDescriptor(t *testing.T, name string, text []byte) {
	t.Helper()
	var d descriptor
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for function, f := range d.Display.Formats {
		arguments := map[string]bool{}
		for _, p := range strings.Split(strings.TrimSuffix(function[strings.Index(function, "(")+1:], ")"), ", ") {
			_, argument, _ := strings.Cut(p, " ")
			arguments[argument] = false
		}
		for _, field := range f.Fields {
			argument, _, _ := strings.Cut(field.Path, ".")
			if _, ok := arguments[argument]; !ok || !slices.Contains(formats, field.Format) || len(field.Label) > 20 {
				t.Errorf("%s: %s of %s is not shown as expected, want an argument with its format and label", name, field.Path, f.ID)
			}
			arguments[argument] = true
			for key, value := range field.Params {
				if !d.resolves(value, arguments) {
					t.Errorf("%s: %s: %s refers to %s, want an entry that exists", name, field.Path, key, value)
				}
			}
		}
		for _, argument := range slices.Sorted(maps.Keys(arguments)) {
			if !arguments[argument] {
				t.Errorf("%s: %s of %s is missing, want it shown", name, argument, f.ID)
			}
		}
	}
}

// resolves reports whether a path leads anywhere.
func (d *descriptor) resolves(path string, arguments map[string]bool) bool {
	if constant, ok := strings.CutPrefix(path, "$.metadata.constants."); ok {
		return d.Metadata.Constants[constant] != ""
	}
	if enum, ok := strings.CutPrefix(path, "$.metadata.enums."); ok {
		return d.Metadata.Enums[enum] != nil
	}
	argument, _, _ := strings.Cut(path, ".")
	_, ok := arguments[argument]
	return ok
}
