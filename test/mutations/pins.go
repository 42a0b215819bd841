package mutations

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"hubquote/docs"
)

//go:embed pins.json
var badPins []byte

// A Pins is a file of pins that every reader must refuse.
type Pins struct {
	Name, Find, Put string
	File            string `json:"-"`
}

// BadPins returns every row of pins.json, altered and ready.
func BadPins() ([]Pins, error) {
	var t struct{ Pins []Pins }
	if err := json.Unmarshal(badPins, &t); err != nil {
		return nil, fmt.Errorf("pins.json: %w", err)
	}
	var v vectors
	if err := json.Unmarshal(docs.Vectors, &v); err != nil {
		return nil, fmt.Errorf("docs/vectors.json: %w", err)
	}
	var honest bytes.Buffer
	if err := json.Compact(&honest, v.Pins); err != nil {
		return nil, fmt.Errorf("docs/vectors.json: %w", err)
	}
	for i, p := range t.Pins {
		t.Pins[i].File = strings.Replace(honest.String(), p.Find, p.Put, 1)
		if t.Pins[i].File == honest.String() {
			return nil, fmt.Errorf("pins.json: %s: nothing was changed", p.Name)
		}
	}
	return t.Pins, nil
}
