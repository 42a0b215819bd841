package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/BurntSushi/toml"

	"hubquote/swap"
)

// parseFile reads a configuration file for what neither the command line nor
// the environment said. Its keys are the names of the flags; rpc is a table of
// lists by chain. An error names the key, never its value: it may be a secret.
func (f *flags) parseFile(path string, rpc *endpoints) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%s: configuration: %w", f.Name(), err)
	}
	return f.parseText(path, text, rpc)
}

func (f *flags) parseText(path string, text []byte, rpc *endpoints) (err error) {
	var file map[string]any
	if err := toml.Unmarshal(text, &file); err != nil {
		return fmt.Errorf("%s: configuration: %s is not TOML%s", f.Name(), path, line(err))
	}
	for _, key := range slices.Sorted(maps.Keys(file)) {
		value := file[key]
		switch {
		case key == "rpc":
			err = rpcFromFile(value, rpc)
		case f.Lookup(key) == nil || key == "config" || key == "check" || key == "check-upstreams":
			err = fmt.Errorf("no such setting; see hubquote %s --help", f.Name())
		case !f.given[key]:
			err = f.setFrom(key, value)
		}
		if err != nil {
			return fmt.Errorf("%s: configuration: %s: %w", f.Name(), key, err)
		}
	}
	return f.wrong
}

// setFrom sets a flag to what a file says. A list, a table or a date would have
// a spelling too, but surely not the one that was meant.
func (f *flags) setFrom(key string, value any) error {
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

func rpcFromFile(value any, rpc *endpoints) error {
	table, ok := value.(map[string]any)
	if !ok {
		return errRPCTable
	}
	for id, list := range table {
		urls, ok := list.([]any)
		if !ok {
			return errRPCTable
		}
		if chain, err := swap.ParsePlaceID(id); err == nil && rpc.from(swap.ChainID(chain)) == fromFlag {
			continue
		}
		for _, url := range urls {
			if err := rpc.add(id, fmt.Sprint(url), fromFile); err != nil {
				return err
			}
		}
	}
	return nil
}

var errRPCTable = errors.New(`write a table of lists, such as 369 = ["https://host/key"]`)
