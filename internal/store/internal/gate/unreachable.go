package gate

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"gangway/internal/gangway"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	sqlitedriver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// unreachable explains to the operator, in one sentence and without the password,
// why the database called name cannot be used.
func (d Dialect) unreachable(name string, err error) error {
	if file, ok := strings.CutPrefix(name, "sqlite:"); ok {
		return fileUnreachable(file, err)
	}
	if diskFull(err) {
		return Full(err)
	}
	if pg := (*pgconn.PgError)(nil); errors.As(err, &pg) {
		return gangway.Errorf(gangway.Unavailable, "PostgreSQL refuses: %s", pg.Message)
	}
	where := "the address given"
	if config, err := pgx.ParseConfig(name); err == nil {
		where = fmt.Sprintf("%s, port %d", config.Host, config.Port)
	}
	return gangway.Errorf(gangway.Unavailable, "PostgreSQL does not answer at %s", where)
}

// CheckFile refuses a folder and, if mustExist, a missing file, which SQLite
// would create. Opening the file says what is wrong with its folder.
func CheckFile(file string, mustExist bool) error {
	info, err := os.Stat(file)
	if err == nil && info.IsDir() {
		return unopened(file, "it is a folder; name the file in it, as in sqlite:"+filepath.Join(file, "gangway.db"))
	}
	if _, folder := os.Stat(filepath.Dir(file)); mustExist && errors.Is(err, fs.ErrNotExist) && folder == nil {
		return gangway.Errorf(gangway.NotFound, "there is no database at %s: gangway serve and gangway account "+
			"create begin one", file)
	}
	return nil
}

// CheckFolder refuses a folder that is missing, or that this user cannot write to, before SQLite works in it.
func CheckFolder(file string) error {
	folder := filepath.Dir(realFile(file))
	if _, err := os.Stat(folder); err != nil {
		return fileUnreachable(file, err)
	}
	if err := mayWrite(folder); err != nil {
		return unopened(file, fmt.Sprintf("%s may not write to the folder %s (%v): give it to the user that runs "+
			"gangway", thisUser(), folder, err))
	}
	return nil
}

// fileUnreachable explains it for a SQLite file.
func fileUnreachable(file string, err error) error {
	folder := filepath.Dir(file)
	info, statErr := os.Stat(folder)
	switch {
	case errors.Is(statErr, fs.ErrNotExist):
		return gangway.Errorf(gangway.Unavailable, "the folder %s for the database file is not there: create it, "+
			"writable for the user that runs gangway", folder)
	case statErr == nil && !info.IsDir():
		return gangway.Errorf(gangway.Unavailable, "%s, where the database file should be, is not a folder", folder)
	}
	why := err.Error()
	if e := (*sqlitedriver.Error)(nil); errors.As(err, &e) {
		why = e.Error()
	}
	if bar := whyRefused(err, file); bar != "" {
		why = bar
	} else if sqliteCode(err) == sqlite3.SQLITE_CANTOPEN {
		why = "the folder and the file must be readable and writable for the user that runs gangway"
	}
	return unopened(file, why)
}

// whyRefused tries again what the system refused SQLite, and says what is wrong,
// because SQLite itself says little. It is empty if nothing is found.
func whyRefused(err error, file string) string {
	switch sqliteCode(err) {
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR:
		return whyUnopenable(file)
	}
	return ""
}

// explained says, instead of a driver's error, what keeps SQLite from using its
// file, if that can be found: SQLite says "disk I/O error" even when the disk has
// become read-only. Of a full disk it says what to do, whatever the database.
func explained(err error, file string) error {
	if diskFull(err) {
		return Full(err)
	}
	if why := whyRefused(err, file); why != "" {
		return &unreachableError{errors.New(why), err}
	}
	return err
}

// Full says what to do about a disk that is full, instead of its cause.
func Full(cause error) error {
	const words = "the disk with the database is full: make room"
	return &unreachableError{gangway.Errorf(gangway.Unavailable, words), cause}
}

func unopened(file, why string) error {
	return gangway.Errorf(gangway.Unavailable, "the database file %s cannot be opened: %s", file, why)
}

// whyUnopenable says what keeps this user from writing to a database file, to its
// folder or to SQLite's files beside it; it is empty if nothing does. It opens none
// of SQLite's own files, because closing a file releases this process's locks on it.
func whyUnopenable(file string) string {
	file = realFile(file)
	folder := filepath.Dir(file)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrPermission) {
		return fmt.Sprintf("%s may not look into the folder %s", thisUser(), folder)
	}
	switch err := cmp.Or(mayWrite(folder), tryFile(folder)); {
	case errors.Is(err, syscall.EROFS):
		return fmt.Sprintf("the file system with the folder %s is read-only, and SQLite writes files there even to "+
			"read: make it writable", folder)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Sprintf("%s may not write to the folder %s, where SQLite keeps files beside the database: "+
			"give it and the files in it to the user that runs gangway", thisUser(), folder)
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Sprintf("the disk with the folder %s is full: make room", folder)
	}
	return notOurs(file)
}

// tryFile returns why no file of some size can be created in a folder. A disk that
// is full, or has become read-only after a failure, shows it only when it is
// written to: SQLite reports "disk I/O error" for both.
func tryFile(folder string) error {
	f, err := os.CreateTemp(folder, ".gangway-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 64<<10))
	f.Close()
	return cmp.Or(err, os.Remove(f.Name()))
}

// notOurs says which file of a database this user may not read and write. SQLite
// would notice only after a while, and until then read what it can.
func notOurs(file string) string {
	file = realFile(file)
	for _, name := range []string{file, file + "-wal", file + "-shm"} {
		if errors.Is(mayWrite(name), fs.ErrPermission) {
			return fmt.Sprintf("%s may not read and write the file %s: give it to the user that runs gangway",
				thisUser(), name)
		}
	}
	return ""
}

// realFile resolves links: SQLite keeps its other files beside the real one.
func realFile(file string) string {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		return real
	}
	return file
}

// thisUser names the user that runs the program by number, as an operator sees
// it in a file listing.
func thisUser() string {
	if id := os.Geteuid(); id >= 0 {
		return fmt.Sprintf("this user (id %d)", id)
	}
	return "this user" // on systems where users have no numbers
}
