package addresses

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"strings"
)

// entry is a line of deployment.toml that names a contract: its key with or
// without quotes, and its address.
var entry = regexp.MustCompile(`^("?([^"=\s]+)"?\s*=\s*)"0x[0-9a-fA-F]{40}"(.*)$`)

// Rewrite puts the addresses into the text of a deployment.toml and leaves every
// other byte as it is. It fails for an entry that the book does not have, and for
// a contract that has no entry.
func (b Book) Rewrite(text []byte) ([]byte, error) {
	var out bytes.Buffer
	var section string
	missing := maps.Clone(b)
	for line := range strings.Lines(string(text)) {
		trimmed := strings.TrimRight(line, "\n")
		if strings.HasPrefix(trimmed, "[") {
			section = trimmed
		}
		if m := entry.FindStringSubmatch(trimmed); m != nil {
			name := m[2]
			if section == "[registries]" {
				name = "registry@" + name
			}
			if _, ok := missing[name]; !ok {
				return nil, fmt.Errorf("plan: deployment.toml names %s, which no route needs", name)
			}
			delete(missing, name)
			line = fmt.Sprintf("%s%q%s\n", m[1], b[name].String(), m[3])
		}
		out.WriteString(line)
	}
	for name := range missing {
		return nil, fmt.Errorf("plan: deployment.toml has no line for %s", name)
	}
	return out.Bytes(), nil
}
