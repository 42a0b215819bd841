package file_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hubquote/internal/flags/file"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, size int, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, make([]byte, size), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tt := range []struct{ name, path, want string }{
		{"a megabyte is read", write("full", 1<<20, 0o600), ""},
		{"one byte more is refused", write("over", 1<<20+1, 0o600), "larger than 1 MB"},
		{"a file without an end is refused", "/dev/zero", "larger than 1 MB"},
		{"a file that every user can write to is refused", write("open", 1, 0o602), "chmod o-w"},
		{"a file that is missing is an error", filepath.Join(dir, "none"), "no such file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := file.Read(tt.path)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want one that contains %q", err, tt.want)
			}
		})
	}
}
