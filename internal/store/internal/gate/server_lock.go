package gate

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

	"gangway/internal/gangway"

	"github.com/gofrs/flock"
)

// A ServerLock keeps other servers out of a SQLite file: a lock on a file beside it, which the system
// releases when the process ends, however it ends.
type ServerLock struct {
	database string
	lock     *flock.Flock
}

// ServeFile locks a SQLite file for this server. Commands may run beside it, but
// a second server would take over work that the first one is doing.
//
// Decided: docs/choices.md, "Two processes on one SQLite file".
func ServeFile(file string, log *slog.Logger) (*ServerLock, error) {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	s := &ServerLock{database: file, lock: flock.New(file+".lock", flock.SetFlag(os.O_CREATE|os.O_RDWR),
		flock.SetPermissions(0o600))}
	mine, err := s.lock.TryLock()
	switch {
	case errors.Is(err, syscall.EROFS):
		// A read-only file system can still be served for reading; nobody writes to it.
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
	// Only for the message above; on a full disk it stays empty.
	_ = os.WriteFile(s.lock.Path(), []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600)
	return s, nil
}

// Release lets another server have the file.
func (s *ServerLock) Release() {
	if s != nil {
		_ = s.lock.Close()
	}
}

// spare is how many bytes must be free beside the database for it to be ready.
// SQLite's log file is often longer than its content, so that small writes still
// succeed for a while on a full disk.
const spare = 128 << 10

// Room reports whether the disk has room for more, by writing spare bytes beside the database.
func (s *ServerLock) Room() (err error) {
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
