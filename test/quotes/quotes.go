// Package quotes reads the specification written as cases: for each supported
// pair a request and the answer it must get, in every version of the API. It is
// for tests; each of them checks the same cases in its own way.
package quotes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// A Case is one pair.
type Case struct {
	Name    string
	Comment string
	Query   url.Values

	// The answers, indented. V1 is nil where the first version does not serve
	// the pair.
	V3, EarlyV3, V1 []byte
}

const (
	requestFile = "request"
	v3File      = "v3.json"
	earlyFile   = "v3-revision-1.json"
	v1File      = "v1.json"
)

// Load reads every case in dir, in the order of their names.
func Load(dir string) ([]Case, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		return nil, err
	}
	var cases []Case
	for _, path := range paths {
		c, err := load(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func load(path string) (c Case, err error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return c, err
	}
	c.Name = strings.TrimSuffix(filepath.Base(path), ".txtar")
	c.Comment = string(bytes.TrimSpace(archive.Comment))
	for _, f := range archive.Files {
		switch f.Name {
		case requestFile:
			c.Query, err = url.ParseQuery(strings.Join(strings.Fields(string(f.Data)), ""))
		case v3File:
			c.V3 = f.Data
		case earlyFile:
			c.EarlyV3 = f.Data
		case v1File:
			c.V1 = f.Data
		default:
			err = fmt.Errorf("unknown part %s", f.Name)
		}
		if err != nil {
			return c, err
		}
	}
	return c, nil
}

// Write writes the case into dir.
func (c *Case) Write(dir string) error {
	a := &txtar.Archive{Comment: []byte(c.Comment + "\n\n")}
	request := strings.ReplaceAll(c.Query.Encode(), "&", "\n&") + "\n"
	a.Files = append(a.Files,
		txtar.File{Name: requestFile, Data: []byte(request)},
		txtar.File{Name: v3File, Data: c.V3},
		txtar.File{Name: earlyFile, Data: c.EarlyV3})
	if c.V1 != nil {
		a.Files = append(a.Files, txtar.File{Name: v1File, Data: c.V1})
	}
	return os.WriteFile(filepath.Join(dir, c.Name+".txtar"), txtar.Format(a), 0o644)
}

// Indent makes a response readable, as it is kept in a case.
func Indent(body []byte) []byte {
	var out bytes.Buffer
	if err := json.Indent(&out, bytes.TrimSpace(body), "", "  "); err != nil {
		return body
	}
	out.WriteByte('\n')
	return out.Bytes()
}
