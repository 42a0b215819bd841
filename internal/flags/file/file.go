// Package file reads the files in which an operator keeps settings.
package file

import (
	"fmt"
	"io"
	"os"
)

// largest is far more than all settings take.
const largest = 1 << 20

// Read refuses a file that does not end, and one that every user of the machine can
// write to.
func Read(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o002 != 0 {
		return nil, fmt.Errorf("%s can be written to by every user; run chmod o-w on it", path)
	}
	text, err := io.ReadAll(io.LimitReader(file, largest+1))
	if err == nil && len(text) > largest {
		err = fmt.Errorf("%s is larger than 1 MB", path)
	}
	return text, err
}
