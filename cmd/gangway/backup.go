package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gangway/internal/backup"
	"gangway/internal/gangway"
	"gangway/internal/store"

	"filippo.io/age"
)

type backupCommand struct {
	dataFlags
	File      string   `arg:"" placeholder:"FILE" help:"Where the copy goes; - for standard output."`
	Recipient []string `placeholder:"age1…" help:"Encrypt the copy for this public key of age. Can be given several times."`
	WithKey   bool     `help:"Put the keys to the secrets into the copy, too. Only with --recipient."`
	Force     bool     `help:"Replace FILE if there is one."`

	recipients []age.Recipient
}

func (c *backupCommand) check() (err error) {
	if c.WithKey && len(c.Recipient) == 0 {
		return wrongUsage("--with-key needs --recipient: keys are copied only encrypted")
	}
	if len(c.Recipient) > 0 {
		c.recipients, err = age.ParseRecipients(strings.NewReader(strings.Join(c.Recipient, "\n")))
	}
	if err != nil {
		return wrongUsage("--recipient is a public key of age, which begins with age1")
	}
	return nil
}

// copied is the answer of backup.
type copied struct {
	File      string    `json:"file"`
	At        time.Time `json:"at"`
	Schema    int64     `json:"schema"`
	Rows      int64     `json:"rows"`
	Bytes     int64     `json:"bytes"`
	Encrypted bool      `json:"encrypted"`
	WithKey   bool      `json:"with_key"`
	Sum       string    `json:"sha256"` // of the rows
}

// Run writes the copy beside its file, which it then becomes.
func (c *backupCommand) Run(t *terminal) error {
	db, err := c.open(t)
	if err != nil {
		return err
	}
	head := backup.Header{Program: release, At: t.now().UTC().Truncate(time.Millisecond)}
	if c.WithKey {
		if head.Keys, err = c.keysText(); err != nil {
			return err
		}
	}
	said, out, bytes := t, t.out, countedBytes(0)
	if c.File == "-" { // which has the copy
		quiet := *t
		quiet.out, said = t.err, &quiet
	} else {
		info, err := os.Stat(c.File)
		if err == nil && !info.Mode().IsRegular() {
			return gangway.Errorf(gangway.Invalid, "%s is no file: name one, or - for standard output", c.File)
		}
		if err == nil && !c.Force {
			return gangway.Errorf(gangway.Conflict, "%s exists: name another file, or replace it with --force", c.File)
		}
		f, err := os.CreateTemp(filepath.Dir(c.File), filepath.Base(c.File)+".*.part") // mode 0600
		if err != nil {
			return gangway.Errorf(gangway.Invalid, "the copy cannot be written: %v", err)
		}
		defer os.Remove(f.Name())
		defer f.Close()
		out = f
	}
	w, err := backup.NewWriter(io.MultiWriter(out, &bytes), head, c.recipients...)
	if err == nil {
		err = db.Copy(t.ctx, w)
	}
	if err == nil { // else it has no trailer
		err = w.Close()
	}
	if f, ok := out.(*os.File); ok && err == nil && c.File != "-" {
		err = errors.Join(f.Sync(), os.Rename(f.Name(), c.File))
	}
	if err != nil {
		return fmt.Errorf("no copy was made: %w", err)
	}
	done := copied{c.File, head.At, w.Header.Schema, countRows(w.Rows), int64(bytes), len(c.recipients) > 0, c.WithKey,
		w.Sum()}
	if err := db.NoteBackup(t.ctx, store.Backup{At: done.At, Bytes: done.Bytes}); err != nil {
		return err
	}
	missing := "the erasure log; the log; temporary files; documents in customers' folders; orders at suppliers"
	if from, _ := c.keysFrom(); !c.WithKey && from != "" {
		missing = "the keys to the secrets (" + from + "), which you keep apart; " + missing
	}
	return c.print(said, done, fmt.Sprintf("Copied %d rows as of %s: %d bytes in %s.\nNot in it: %s.\n", done.Rows,
		done.At.Format("2006-01-02 15:04:05 UTC"), done.Bytes, done.File, missing))
}

// keysText returns the keys to the secrets.
func (f storeFlags) keysText() (string, error) {
	from, err := f.keysFrom()
	if err != nil || from == secretKeys {
		return os.Getenv(secretKeys), err
	}
	return readPrivate("--secret-key-file", from, nil, longestCredentials)
}

func countRows(rows map[string]int64) (all int64) {
	for _, n := range rows {
		all += n
	}
	return all
}

// countedBytes counts what is written to it.
type countedBytes int64

// Write counts.
func (n *countedBytes) Write(b []byte) (int, error) {
	*n += countedBytes(len(b))
	return len(b), nil
}
