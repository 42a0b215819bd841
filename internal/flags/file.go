package flags

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"hubquote/internal/flags/file"

	"github.com/BurntSushi/toml"
)

// Tables has a parser for each key whose value is a table.
type Tables map[string]func(value any) error

// ParseFile reads a TOML file and sets the flags that neither the command line nor
// the environment has set. Its keys are the names of the flags. An error names the
// key, never its value.
func (f *Set) ParseFile(path string, tables Tables) error {
	text, err := file.Read(path)
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

// setFrom sets a flag to a value of a file. It refuses a list, a table or a date,
// because their text form is not a value of any flag.
func (f *Set) setFrom(key string, value any) error {
	switch value.(type) {
	case string, bool, int64:
		return f.Set(key, fmt.Sprint(value))
	}
	return errors.New("write a string, a whole number, true or false")
}

// line returns the line of a syntax error. The parser's own message quotes the
// file, which may hold a secret.
func line(err error) string {
	if p, ok := errors.AsType[toml.ParseError](err); ok {
		return fmt.Sprintf(": see line %d", p.Position.Line)
	}
	return ""
}
