package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"gangway"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	sqlitedriver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// unreachable says for the operator why the database named cannot be worked
// with, in one sentence and without its password.
func (d dialect) unreachable(name string, err error) error {
	if file, ok := strings.CutPrefix(name, "sqlite:"); ok {
		return fileUnreachable(file, err)
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

// checkFile refuses a folder, and with there a file that is not there, which
// SQLite would begin. What is wrong with its folder, opening it says.
func checkFile(file string, there bool) error {
	info, err := os.Stat(file)
	if err == nil && info.IsDir() {
		return unopened(file, "it is a folder; name the file in it, as in sqlite:"+filepath.Join(file, "gangway.db"))
	}
	if _, folder := os.Stat(filepath.Dir(file)); there && errors.Is(err, fs.ErrNotExist) && folder == nil {
		return gangway.Errorf(gangway.NotFound, "there is no database at %s: gangway serve and gangway account "+
			"create begin one", file)
	}
	return nil
}

// fileUnreachable says it of a file of SQLite's.
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

// whyRefused says what the system has refused SQLite, which tells little of it
// itself: it is tried again. It is empty where nothing is found.
func whyRefused(err error, file string) string {
	switch sqliteCode(err) {
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR:
		return whyUnopenable(file)
	}
	return ""
}

// explained is an error of a driver with what keeps SQLite from working with its
// file, where that is found: "disk I/O error" is also what it says of a disk that
// has become read-only.
func explained(err error, file string) error {
	if why := whyRefused(err, file); why != "" {
		return fmt.Errorf("%s: %w", why, err)
	}
	return err
}

func unopened(file, why string) error {
	return gangway.Errorf(gangway.Unavailable, "the database file %s cannot be opened: %s", file, why)
}

// whyUnopenable says what keeps this user from writing to a database file, to its
// folder or to what SQLite keeps beside it; nothing does when it is empty.
// No file of SQLite's is opened for that: locks on a file go with whoever closes it.
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
	}
	return notOurs(file)
}

// tryFile returns why no file can be made in a folder. A disk that failed says by
// that alone that it is read-only now.
func tryFile(folder string) error {
	f, err := os.CreateTemp(folder, ".gangway-*")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

// notOurs says which file of a database this user may not read and write; SQLite
// would take a while to notice, and read what it can meanwhile.
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

// realFile is the file that SQLite works with, whose neighbours are its own.
func realFile(file string) string {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		return real
	}
	return file
}

// thisUser names the user that runs the program, as an operator finds it in a
// list of files.
func thisUser() string {
	if id := os.Geteuid(); id >= 0 {
		return fmt.Sprintf("this user (id %d)", id)
	}
	return "this user" // where users have no numbers
}
