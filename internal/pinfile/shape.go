package pinfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hubquote/internal/strictjson"
	"hubquote/swap"
)

// A shape checks how a value is written. The standard library alone would take a
// key in any letter case, null for anything, and the front of a longer list, so
// a reviewer could read another file than the program.
type shape func(*strictjson.Value) error

var fileShape = object{
	"format": text, "deployment": text, "reference": boolean, "catalog": text,
	"burn":        object{"domain": number, "receiver": address, "finality": number}.check,
	"integrators": object{"maxMillionths": number, "known": listOf(object{"id": text, "millionths": number}.check)}.check,
	"privacy":     privacy,
	"tokens":      listOf(object{"token": text, "address": address, "decimals": number, "approveReset?": boolean}.check),
	"routers":     listOf(object{"from": text, "type": text, "router": address, "min": text, "max": text, "issuerBps?": pair}.check),
	"routes":      listOf(object{"from": text, "to": text, "feeChain": chain, "millionths": number}.check),
}

// An object has exactly these members; those whose name ends in ? may be left out.
type object map[string]shape

func (o object) check(v *strictjson.Value) error {
	if v.Kind != strictjson.Object {
		return errors.New("write an object")
	}
	for _, m := range v.Members {
		is := o[m.Key]
		if is == nil {
			is = o[m.Key+"?"]
		}
		if is == nil || strings.HasSuffix(m.Key, "?") {
			return fmt.Errorf("unknown field %q", m.Key)
		}
		if err := is(m.Value); err != nil {
			return fmt.Errorf("%s: %w", m.Key, err)
		}
	}
	for key := range o {
		if !strings.HasSuffix(key, "?") && v.Find(key) == nil {
			return fmt.Errorf("the field %q is missing", key)
		}
	}
	return nil
}

func listOf(item shape) shape {
	return func(v *strictjson.Value) error {
		if v.Kind != strictjson.Array {
			return errors.New("write a list")
		}
		for i, v := range v.Items {
			if err := item(v); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
		return nil
	}
}

func pair(v *strictjson.Value) error {
	if len(v.Items) != 2 {
		return errors.New("write a list of two texts")
	}
	return listOf(text)(v)
}

func text(v *strictjson.Value) error {
	if v.Kind != strictjson.String {
		return errors.New("write a text")
	}
	return nil
}

// number leaves the range to the type of the field.
func number(v *strictjson.Value) error {
	if v.Kind != strictjson.Literal || slices.Contains([]string{"null", "true", "false"}, v.Text) {
		return errors.New("write a number")
	}
	return nil
}

func boolean(v *strictjson.Value) error {
	if v.Kind != strictjson.Literal || v.Text != "true" && v.Text != "false" {
		return errors.New("write true or false")
	}
	return nil
}

func chain(v *strictjson.Value) error {
	if _, err := swap.ParsePlaceID(v.Text); v.Kind != strictjson.Literal || err != nil {
		return errors.New("an impossible chain ID")
	}
	return nil
}

// address takes the EIP-55 spelling only: another one hides a typing error.
func address(v *strictjson.Value) error {
	a, err := swap.ParseAddress(v.Text)
	if v.Kind != strictjson.String || err != nil || a.String() != v.Text {
		return errors.New("write an address with its EIP-55 checksum")
	}
	return nil
}

func privacy(v *strictjson.Value) error {
	if v.Kind != strictjson.Object {
		return errors.New("write an object")
	}
	for _, m := range v.Members {
		if _, err := swap.ParsePlaceID(m.Key); err != nil || chain(m.Value) != nil || m.Key == m.Value.Text {
			return fmt.Errorf("%q: write a privacy pool's ID and that of the network under it", m.Key)
		}
	}
	return nil
}
