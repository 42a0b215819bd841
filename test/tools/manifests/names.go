package manifests

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// names are what the programs know: the variables of each service, and the paths of
// the interface.
type names struct {
	variables map[string][]string
	paths     map[string]bool
}

// readNames reads them from the declarations of flags and from the description of
// the interface.
func readNames(repository fs.FS) (names, error) {
	known := names{variables: map[string][]string{
		"redis":    {"PASSWORD"},
		"postgres": {"POSTGRES_USER", "POSTGRES_PASSWORD", "PGDATA"},
	}}
	for service, program := range map[string]string{"quotes": "hubquote", "settler": "settler"} {
		text, err := fs.ReadFile(repository, "cmd/"+program+"/settings.go")
		if err != nil {
			return known, err
		}
		known.variables[service] = append(settings(program, string(text)), "GOMEMLIMIT")
	}
	text, err := fs.ReadFile(repository, "docs/openapi.json")
	if err != nil {
		return known, err
	}
	var description struct{ Paths map[string]any }
	err = json.Unmarshal(text, &description)
	known.paths = map[string]bool{}
	for path := range description.Paths {
		known.paths[path] = true
	}
	return known, err
}

var declaration = regexp.MustCompile(`f\.\w+\([^"\n]+, "([a-z-]+)", `)

// settings returns the variable of each flag that a source file declares.
func settings(program, source string) (list []string) {
	for _, m := range declaration.FindAllStringSubmatch(source, -1) {
		list = append(list, strings.ToUpper(program+"_"+strings.ReplaceAll(m[1], "-", "_")))
	}
	return list
}

func (n names) check(service string, variables map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		if !slices.Contains(n.variables[service], name) {
			return fmt.Errorf("%s is not a setting of %s", name, service)
		}
	}
	return nil
}
