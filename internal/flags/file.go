package flags

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/BurntSushi/toml"
)

// Tables reads the keys of a file that are no plain values.
type Tables map[string]func(value any) error

// ParseFile reads a TOML file for what neither the command line nor the
// environment said. Its keys are the names of the flags. An error names the key,
// never its value.
func (f *Set) ParseFile(path string, tables Tables) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%s: configuration: %w", f.Name(), err)
	}
	return f.ParseText(path, text, tables)
}

// ParseText is [Set.ParseFile] for the text of a file. Errors call it path.
func (f *Set) ParseText(path string, text []byte, tables Tables) (err error) {
	var file map[string]any
	if err := toml.Unmarshal(text, &file); err != nil {
		return fmt.Errorf("%s: configuration: %s is not TOML%s", f.Name(), path, line(err))
	}
	for _, key := range slices.Sorted(maps.Keys(file)) {
		switch read := tables[key]; {
		case read != nil:
			err = read(file[key])
		case f.Lookup(key) == nil || f.unfiled[key]:
			err = errors.New("no such setting; " + f.seeHelp())
		case !f.given[key]:
			err = f.setFrom(key, file[key])
		}
		if err != nil {
			return fmt.Errorf("%s: configuration: %s: %w", f.Name(), key, err)
		}
	}
	return f.wrong
}

// setFrom sets a flag to a value of a file. A list, a table or a date would have
// a spelling too, but not the one that was meant.
func (f *Set) setFrom(key string, value any) error {
	switch value.(type) {
	case string, bool, int64:
		return f.Set(key, fmt.Sprint(value))
	}
	return errors.New("write a string, a whole number, true or false")
}

// line says where a file stops being TOML. The parser's own words quote it.
func line(err error) string {
	if p, ok := errors.AsType[toml.ParseError](err); ok {
		return fmt.Sprintf(": see line %d", p.Position.Line)
	}
	return ""
}
