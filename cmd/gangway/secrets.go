package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/seal"
	"gangway/internal/store"
)

// storeFlags are the flags of every command that opens a database.
type storeFlags struct {
	Database      string `required:"" placeholder:"URL" help:"Where everything is kept: sqlite:PATH or postgres://…"`
	SecretKeyFile string `placeholder:"FILE" help:"The keys that secrets are sealed with, newest first. With SQLite, PATH.key unless given."`
}

// secretKeys is the environment variable that may hold the keys themselves; on the command line
// everybody on the machine would see them.
const secretKeys = "GANGWAY_SECRET_KEYS"

// open opens the database until the end of the command and gives it the keys to its secrets. A file that does not exist
// counts as mistyped.
func (f storeFlags) open(t *terminal) (*store.DB, error) { return f.openFor(t, true) }

// openOrBegin is open for a command that may be an installation's first.
func (f storeFlags) openOrBegin(t *terminal) (*store.DB, error) { return f.openFor(t, false) }

func (f storeFlags) openFor(t *terminal, mustExist bool) (*store.DB, error) {
	db, err := f.openWithKeys(t, store.Options{Log: slog.New(slog.NewTextHandler(t.err, nil)), MustExist: mustExist})
	if err == nil {
		t.opened = append(t.opened, db)
	}
	return db, err
}

func (f storeFlags) openWithKeys(t *terminal, o store.Options) (*store.DB, error) {
	db, err := f.openWith(t, o)
	if err != nil {
		return nil, err
	}
	if err := f.giveKeys(t.ctx, db); err != nil {
		db.Close()
		return nil, err
	}
	f.sayOpen(t, db)
	return db, nil
}

// openWith opens the database, without keys.
func (f storeFlags) openWith(t *terminal, o store.Options) (*store.DB, error) {
	o.Name = t.name
	db, err := store.OpenWith(t.ctx, f.Database, o)
	if errors.Is(err, store.ErrNoDatabase) {
		return nil, usageError{err}
	}
	return db, err
}

// sayOpen logs which files others on the machine could read until now: those of the database, and
// the key that we made beside it. For a key that the operator keeps elsewhere it only warns.
func (f storeFlags) sayOpen(t *terminal, db *store.DB) {
	log := slog.New(slog.NewTextHandler(t.err, nil))
	were := db.WereOpen()
	if key := f.keyBeside(); key != "" {
		if was, err := store.MakePrivate(key); was && err == nil {
			were = append(were, key)
		}
	}
	for _, file := range were {
		log.Warn("others on this machine could read this file until now; only its owner can from here on", "file", file,
			"mode", "0600")
	}
	if info, err := os.Stat(f.SecretKeyFile); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o004 != 0 {
		log.Warn("everybody on this machine can read the keys to the secrets", "file", f.SecretKeyFile)
	}
}

// giveKeys gives db the keys to its secrets. On SQLite a key is made as long as nothing is sealed.
// On PostgreSQL, whose replicas must all have the same keys, there may be none until then.
func (f storeFlags) giveKeys(ctx context.Context, db *store.DB) error {
	from, err := f.keysFrom()
	if err != nil {
		return err
	}
	_, sealed, err := db.CountSecrets(ctx)
	if err != nil {
		return err
	}
	if from == "" && sealed > 0 {
		return gangway.Errorf(gangway.Invalid,
			"the secrets in this database are sealed: give the keys with --secret-key-file or %s", secretKeys)
	}
	if from == "" {
		return nil
	}
	if from == f.keyBeside() && sealed == 0 {
		if err := makeKey(from, seal.NewKey()); err != nil {
			return err
		}
	}
	sealer, err := f.readKeys(from, sealed)
	if err != nil {
		return err
	}
	db.SealWith(sealer)
	return nil
}

// readKeys reads the keys from a file, or from secretKeys. sealed is how many secrets need them.
func (f storeFlags) readKeys(from string, sealed int) (*seal.Sealer, error) {
	text := os.Getenv(secretKeys)
	if from != secretKeys {
		file, err := os.ReadFile(from)
		if sealed == 0 && errors.Is(err, fs.ErrNotExist) {
			return nil, gangway.Errorf(gangway.Invalid, "the keys to the secrets cannot be read: %v; nothing is sealed"+
				" in this database yet, so a new key will do, as made by openssl rand -base64 32 (docs/operators.md, "+
				"\"Secrets\")", err)
		}
		if err != nil {
			return nil, gangway.Errorf(gangway.Invalid, "the keys to the secrets cannot be read: %v; put back the file"+
				" that belongs to this database, or name it with --secret-key-file "+
				"(docs/operators.md, \"Secrets\", also for a key that is lost)", err)
		}
		text = string(file)
	}
	keys, err := seal.ParseKeys(text)
	if err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "%s: %v", from, err)
	}
	sealer, err := seal.New(keys...)
	if err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "%s: %v", from, err)
	}
	return sealer, nil
}

// keysFrom returns where the keys are: a file, or secretKeys; empty if there are none.
func (f storeFlags) keysFrom() (string, error) {
	switch given := os.Getenv(secretKeys) != ""; {
	case given && f.SecretKeyFile != "":
		return "", wrongUsage("give --secret-key-file or %s, not both", secretKeys)
	case given:
		return secretKeys, nil
	case f.SecretKeyFile != "":
		return f.SecretKeyFile, nil
	}
	return f.keyBeside(), nil
}

// keyBeside returns the file for a key beside a SQLite database; empty for PostgreSQL.
func (f storeFlags) keyBeside() string {
	if file, ok := strings.CutPrefix(f.Database, "sqlite:"); ok {
		return file + ".key"
	}
	return ""
}

// sealAll makes sure, before the server starts, that every secret can be opened, and seals those
// with the newest key that are not yet.
func (f storeFlags) sealAll(ctx context.Context, db *store.DB, log *slog.Logger) error {
	if err := opensAll(ctx, db); err != nil {
		return err
	}
	n, err := db.Reseal(ctx)
	if err != nil {
		return fmt.Errorf("the keys given do not fit the secrets in the database: %w", err)
	}
	if n > 0 {
		log.Info("secrets are sealed with the newest key from now on", "secrets", n)
	}
	from, err := f.keysFrom()
	if err != nil {
		return err
	}
	clear, _, err := db.CountSecrets(ctx)
	if err != nil {
		return err
	}
	switch {
	case clear > 0:
		log.Warn("signing secrets are kept in clear: give --secret-key-file to all replicas", "secrets", clear)
	case from != "":
		log.Info("secrets are sealed; keep a copy of the keys apart from the database's", "keys", from)
	}
	return nil
}

// opensAll returns what the keys do not open.
func opensAll(ctx context.Context, db *store.DB) error {
	unopened, err := db.UnopenedSecrets(ctx)
	if err == nil && len(unopened) > 0 {
		err = unopenedWords(ctx, db, unopened)
	}
	return err
}

// unopenedNamed is how many records an error names whose secrets the keys do not open.
const unopenedNamed = 50

// unopenedWords says whose secrets the keys do not open, and how to go on without their key.
func unopenedWords(ctx context.Context, db *store.DB, unopened []store.UnopenedSecret) error {
	var names, keys []string
	for i, u := range unopened {
		if !slices.Contains(keys, u.Key) {
			keys = append(keys, u.Key)
		}
		if i >= unopenedNamed {
			continue
		}
		name := u.What + " " + u.ID
		if a, err := db.Account(ctx, u.Account); err == nil {
			name += fmt.Sprintf(" (--customer %s --environment %s)", a.Customer.ID, a.Environment)
		}
		names = append(names, name)
	}
	if more := len(unopened) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return gangway.Errorf(gangway.Invalid, "the keys given do not fit the secrets in the database: %s: sealed with "+
		"%s, not among the keys given; give that key, too, or if it is lost set these secrets again: an outlet's "+
		"with gangway outlet rotate OUTLET --now and gangway outlet set --auth-file, a feed's with gangway feed set "+
		"and all its secrets, a supplier's with gangway account supplier (docs/operators.md, \"Secrets\")",
		strings.Join(names, ", "), strings.Join(keys, ", "))
}

// makeKey writes keys to a file that only the program's user can read, unless the file exists. The
// file appears complete and synchronised, and is never overwritten: two programs that start at the
// same time use the same key.
func makeKey(path, keys string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil // if there is a problem with it, reading it will show
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return fmt.Errorf("make a key for secrets: %w", err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if _, err := fmt.Fprintf(f, "# Gangway seals secrets with this key. Keep a copy apart from the database's.\n%s\n",
		keys); err != nil {
		return fmt.Errorf("make a key for secrets: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("make a key for secrets: %w", err)
	}
	if err := os.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make a key for secrets: %w", err)
	}
	if folder, err := os.Open(filepath.Dir(path)); err == nil {
		folder.Sync() // not every system supports it; the file exists nevertheless
		folder.Close()
	}
	return nil
}
