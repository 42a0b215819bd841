package prove_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"testing"

	"hubquote/internal/wire/tracking"
	"hubquote/swap"
)

var update = flag.Bool("update", false, "write the worlds anew")

// A recorded world is one for provers in other languages: what each node
// answers, and the honest status.
type recorded struct {
	Asked  swap.Hash               `json:"asked"`
	Status tracking.Status         `json:"status"`
	Nodes  map[string]recordedNode `json:"nodes"`
}

type recordedNode struct {
	Receipts    map[string]any    `json:"receipts"`
	Settlements map[string]int    `json:"settlements"`
	Block       map[string]string `json:"block"` // the last one that is final; all others are like it
	Head        string            `json:"head"`  // the newest, whose state is known
}

// The file that the TypeScript prover is tested with has the worlds of this
// package.
func TestWorldsAreRecorded(t *testing.T) {
	known := maps.Clone(worlds)
	known["attesting"] = attesting
	compareFile(t, "testdata/worlds.json", known)
	lies := map[string]func(*testing.T) *world{}
	for _, f := range forgeries {
		lies[f.name] = f.world
	}
	compareFile(t, "testdata/forged.json", lies)
	compareFile(t, "testdata/behind.json", behind)
}

func compareFile(t *testing.T, file string, known map[string]func(*testing.T) *world) {
	t.Helper()
	all := map[string]recorded{}
	for name, make := range known {
		w := make(t)
		r := recorded{Asked: w.asked, Status: tracking.NewStatus(&w.s), Nodes: map[string]recordedNode{}}
		for id, c := range map[string]*chain{"369": w.hub, "8453": w.base, "10": w.op} {
			block := map[string]string{}
			if err := c.CallContext(t.Context(), &block, "eth_getBlockByNumber", "finalized"); err != nil {
				t.Fatal(err)
			}
			r.Nodes[id] = recordedNode{c.receipts, c.settlements, block, fmt.Sprintf("0x%x", c.head)}
		}
		all[name] = r
	}
	want, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, append(want, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != string(want)+"\n" {
		t.Errorf("%s is not what the tests make, %v: run go test ./internal/prove -update", file, err)
	}
}
