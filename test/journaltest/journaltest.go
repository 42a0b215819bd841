// Package journaltest gives a test an empty journal.
package journaltest

import (
	"path/filepath"
	"testing"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/sqlite"
)

// Open returns an empty journal and its writer. The journal is closed with the test.
func Open(t testing.TB) (journal.Journal, journal.Writer) {
	t.Helper()
	j, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "journal"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	w, err := j.Acquire(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	return j, w
}
