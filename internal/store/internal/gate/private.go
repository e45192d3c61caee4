package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// private is the mode of files that only the program's own user may read.
const private fs.FileMode = 0o600

// MakePrivate makes a file readable and writable by its owner alone, and reports
// whether others could read or write it before. A missing file is no error.
func MakePrivate(file string) (was bool, err error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || info.Mode().Perm()&0o077 == 0) {
		return false, nil
	}
	if err == nil {
		err = os.Chmod(file, private)
	}
	if err != nil {
		return true, fmt.Errorf("others can read %s, and that cannot be changed: %w", file, err)
	}
	return true, nil
}

// MakePrivateFiles makes the files of a SQLite database private before anything is
// written: SQLite gives the files beside it the same mode. It returns those that
// others could read before. A file that cannot be created fails when SQLite
// opens it; one whose mode cannot be changed stays as the operator has it.
func (d Dialect) MakePrivateFiles(name string) []string {
	file, ok := strings.CutPrefix(name, "sqlite:")
	if !ok || file == "" {
		return nil
	}
	if f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, private); err == nil {
		f.Close()
	}
	var open []string
	for _, f := range []string{file, file + "-wal", file + "-shm"} {
		if was, err := MakePrivate(f); was && err == nil {
			open = append(open, f)
		}
	}
	return open
}
