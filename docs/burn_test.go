package docs_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"

	"hubquote/docs"
)

// A wallet that obeys the messenger's descriptor takes a real burn and refuses
// one with another receiver. The burn is encoded by go-ethereum from the
// published pins, and read as a wallet reads it, from the committed file alone.
func TestDescriptorFitsARealBurn(t *testing.T) {
	function, rules := mustBe(t)
	method := methodOf(t, function)
	call := packBurn(t, method)
	if want := publishedBurn(t); call != want {
		t.Fatalf("the burn is\n%s\nwant that of the vector\n%s", call, want)
	}
	for _, argument := range []string{"destinationDomain", "mintRecipient", "destinationCaller", "minFinalityThreshold"} {
		if rules[argument] == nil {
			t.Errorf("the descriptor has no rule for %s, want one", argument)
		}
	}
	got := arguments(t, method, call)
	for argument, want := range rules {
		if got[argument] != fmt.Sprint(want) {
			t.Errorf("%s of the burn is %s, and the descriptor wants %v", argument, got[argument], want)
		}
	}
	receiver := strings.TrimPrefix(got["mintRecipient"], "0x")
	foreign := arguments(t, method, strings.ReplaceAll(call, receiver, strings.Repeat("0", 24)+strings.Repeat("ab", 20)))
	for _, argument := range []string{"mintRecipient", "destinationCaller"} {
		if foreign[argument] == fmt.Sprint(rules[argument]) {
			t.Errorf("the descriptor accepts %s as %s, want it refused", foreign[argument], argument)
		}
	}
}

// mustBe returns the function of the committed descriptor, and the one value
// that it allows for each argument.
func mustBe(t *testing.T) (function string, rules map[string]any) {
	t.Helper()
	text, err := os.ReadFile("erc7730/calldata-messenger.json")
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Display struct {
			Formats map[string]struct {
				Fields []struct {
					Path    string
					Visible any
				}
			}
		}
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	rules = map[string]any{}
	for name, format := range d.Display.Formats {
		function = name
		for _, field := range format.Fields {
			rule, _ := field.Visible.(map[string]any)
			if list, ok := rule["mustBe"].([]any); ok && len(list) == 1 {
				rules[field.Path] = list[0]
			}
		}
	}
	return function, rules
}

// methodOf makes a method of a signature with the names of its arguments.
func methodOf(t *testing.T, function string) abi.Method {
	t.Helper()
	name, rest, _ := strings.Cut(function, "(")
	var inputs abi.Arguments
	for _, p := range strings.Split(strings.TrimSuffix(rest, ")"), ", ") {
		kind, argument, _ := strings.Cut(p, " ")
		typ, err := abi.NewType(kind, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, abi.Argument{Name: argument, Type: typ})
	}
	return abi.NewMethod(name, name, abi.Function, "", false, false, inputs, nil)
}

const burnVector = "usdc-10-to-usdc-369"

// packBurn encodes the burn of the vector from the published pins.
func packBurn(t *testing.T, method abi.Method) string {
	t.Helper()
	var file struct {
		Pins struct {
			Burn struct {
				Domain, Finality uint32
				Receiver         common.Address
			}
		}
	}
	if err := json.Unmarshal(docs.Vectors, &file); err != nil {
		t.Fatal(err)
	}
	burn, receiver := file.Pins.Burn, [32]byte{}
	copy(receiver[12:], burn.Receiver[:])
	hook := append(common.LeftPadBytes([]byte{1, 113}, 32), common.HexToAddress("0x15D38573d2feeb82e7ad5187aB8c1D52810B1f07").Bytes()...)
	hook = append(append(hook, make([]byte, 32+1)...), common.HexToAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8").Bytes()...)
	packed, err := method.Inputs.Pack(big.NewInt(57_123_456), burn.Domain, receiver,
		common.HexToAddress("0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85"), receiver, big.NewInt(8_913), burn.Finality, hook)
	if err != nil {
		t.Fatal(err)
	}
	return "0x" + hex.EncodeToString(append(method.ID, packed...))
}

func publishedBurn(t *testing.T) string {
	t.Helper()
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(docs.Vectors, &file); err != nil {
		t.Fatal(err)
	}
	for _, v := range file.Vectors {
		if v.Name == burnVector {
			return v.Quote.MethodParameters.Calldata
		}
	}
	t.Fatalf("there is no vector %s", burnVector)
	return ""
}

// arguments reads a call, and writes bytes in hexadecimal and numbers in decimal.
func arguments(t *testing.T, method abi.Method, call string) map[string]string {
	t.Helper()
	values, err := method.Inputs.Unpack(common.FromHex(call)[4:])
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for i, v := range values {
		text := fmt.Sprint(v)
		if word, ok := v.([32]byte); ok {
			text = "0x" + hex.EncodeToString(word[:])
		}
		out[method.Inputs[i].Name] = text
	}
	return out
}
