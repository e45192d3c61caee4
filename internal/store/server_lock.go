package store

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"gangway"

	"github.com/gofrs/flock"
)

// serverLock keeps a SQLite file to one server: a lock on a file beside it, which the system
// releases when the process ends, however it ends.
type serverLock struct {
	database string
	lock     *flock.Flock
}

// serveFile takes a SQLite file for this server. Commands work beside it; a
// second server would take up what the first one has under way.
//
// Decided: docs/choices.md, "Two processes on one SQLite file".
func serveFile(file string, log *slog.Logger) (*serverLock, error) {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	s := &serverLock{database: file, lock: flock.New(file+".lock", flock.SetFlag(os.O_CREATE|os.O_RDWR),
		flock.SetPermissions(0o600))}
	mine, err := s.lock.TryLock()
	switch {
	case errors.Is(err, syscall.EROFS):
		// What can be read is served all the same, and nobody writes.
		log.Warn("the database file could not be locked against a second server", "error", err)
		return s, nil
	case err != nil:
		return nil, gangway.Errorf(gangway.Unavailable,
			"the lock that keeps a second server from the database file cannot be taken: %v", err)
	}
	if !mine {
		who := ""
		if pid, err := os.ReadFile(s.lock.Path()); err == nil && len(pid) > 0 {
			who = fmt.Sprintf(" (process %s)", strings.TrimSpace(string(pid)))
		}
		return nil, gangway.Errorf(gangway.Conflict, "another Gangway%s serves %s already: stop that one first, or "+
			"use PostgreSQL, where any number may run", who, file)
	}
	// For the sentence above only; on a full disk it stays empty.
	_ = os.WriteFile(s.lock.Path(), []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600)
	return s, nil
}

// release lets another server have the file.
func (s *serverLock) release() {
	if s != nil {
		_ = s.lock.Close()
	}
}

// spare is how many bytes must be free beside the database for it to be ready:
// SQLite's log is often longer than what is in it, so that small writes go on
// for a while on a disk that is full.
const spare = 128 << 10

// room reports whether the disk has room for more.
func (s *serverLock) room() (err error) {
	if s == nil {
		return nil
	}
	name := s.database + ".room"
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("write beside the database: %w", err)
	}
	defer func() {
		f.Close()
		if gone := os.Remove(name); gone != nil && !errors.Is(gone, fs.ErrNotExist) && err == nil {
			err = fmt.Errorf("write beside the database: %w", gone)
		}
	}()
	if _, err := f.Write(make([]byte, spare)); err != nil {
		return fmt.Errorf("write beside the database: %w", err)
	}
	return nil
}
