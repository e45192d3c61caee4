package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"gangway/internal/backup"
	"gangway/internal/book"
	"gangway/internal/book/flight/sim"
	"gangway/internal/gangway"
	"gangway/internal/seal"
	"gangway/internal/store"

	"filippo.io/age"
)

type restoreCommand struct {
	dataFlags
	File            string   `arg:"" optional:"" placeholder:"FILE" help:"A copy that gangway backup made."`
	Identity        string   `placeholder:"FILE" help:"The private keys of age that an encrypted copy is opened with."`
	ErasureLog      []string `sep:"none" placeholder:"FILE" help:"The erasure log: what was erased since the copy is erased again. Can be given several times. Without FILE of a copy: in the database as it is."`
	WithoutErasures bool     `help:"There is no erasure log: restore all the same."`
	Check           bool     `help:"Only read the copy to its end, and say whether it is complete."`
	Status          bool     `help:"Ask the suppliers, and list how their answers differ from the restored database."`
	Confirm         bool     `help:"Ask the suppliers, and confirm the differences: servers write and work again."`
	Unanswered      bool     `help:"With --confirm: although some suppliers do not answer."`
	Yes             bool     `help:"With --confirm: without asking you."`
	DuffelURL       string   `name:"duffel-url" hidden:"" help:"Where Duffel is, for tests."`
}

// Help says in which order.
func (restoreCommand) Help() string {
	return "1. gangway restore FILE into an empty database.\n2. gangway serve, which only reads.\n3. gangway " +
		"restore --status asks suppliers what became of the bookings since the copy, and lists the differences.\n" +
		"4. gangway restore --confirm: servers write and work again, within seconds.\n"
}

func (c *restoreCommand) check() error {
	ways := 0
	for _, given := range []bool{c.File != "", c.Status, c.Confirm} {
		if given {
			ways++
		}
	}
	if c.WithoutErasures {
		c.ErasureLog = nil // which may come of the server's variable
	}
	switch again := len(c.ErasureLog) > 0; {
	case ways > 1, ways == 0 && !again:
		return wrongUsage("give the FILE of a copy, or --status, or --confirm, or --erasure-log alone")
	case c.File != "" && !c.Check && !again && !c.WithoutErasures:
		return wrongUsage("give --erasure-log, which says what was erased since the copy, or --without-erasures: " +
			"people who were erased since then come back")
	}
	return nil
}

// Run does one of these steps.
func (c *restoreCommand) Run(t *terminal) error {
	if c.File != "" {
		return c.restore(t)
	}
	db, err := c.open(t)
	if err != nil {
		return err
	}
	r, err := db.Restored(t.ctx)
	switch {
	case err != nil:
		return err
	case r.At.IsZero():
		return gangway.Errorf(gangway.Conflict, "this database was not restored from a copy")
	case c.Confirm && !r.Waits():
		return gangway.Errorf(gangway.Conflict, "this was confirmed already, %s", agoWords(r.Confirmed))
	case c.Status || c.Confirm:
		return c.compare(t, db, r)
	}
	done, err := c.eraseAgain(t, db)
	if err != nil {
		return err
	}
	return c.print(t, done, reerasedWords(done))
}

// restored is the answer of restore.
type restored struct {
	backup.Header
	Rows   int64          `json:"rows"`
	Erased store.Reerased `json:"erased"`
}

// restore makes an empty database of a copy.
func (c *restoreCommand) restore(t *terminal) error {
	identities, err := c.identities()
	if err != nil {
		return err
	}
	in, err := os.Open(c.File)
	if err != nil {
		return gangway.Errorf(gangway.Invalid, "the copy cannot be read: %v", err)
	}
	defer in.Close()
	opened, err := backup.NewReader(in, identities...)
	if err != nil {
		return err
	}
	answer := restored{Header: opened.Header}
	answer.Keys = "" // which nobody has to see
	if c.Check {
		err := opened.Check()
		if answer.Rows = countRows(opened.Rows); err != nil {
			return err
		}
		return c.print(t, answer, fmt.Sprintf("Complete: %d rows as of %s, schema %d.\n", answer.Rows,
			agoWords(answer.At), answer.Schema))
	}
	for _, name := range c.ErasureLog { // before anything is written
		if err := mayRead(name); err != nil {
			return gangway.Errorf(gangway.Invalid, "--erasure-log cannot be read: %v", err)
		}
	}
	if err := c.putKeys(opened.Header.Keys); err != nil {
		return err
	}
	db, err := store.Restore(t.ctx, c.Database, store.Options{Log: slog.New(slog.NewTextHandler(t.err, nil)),
		Name: t.name}, opened.Header.Schema, opened)
	if err != nil {
		return err
	}
	t.opened = append(t.opened, db)
	if err := c.giveKeys(t.ctx, db); err != nil {
		return err
	}
	answer.Rows = countRows(opened.Rows)
	if answer.Erased, err = c.eraseAgain(t, db); err != nil {
		return err
	}
	if err := db.FinishRestore(t.ctx, answer.At, t.now()); err != nil {
		return err
	}
	if err := opensAll(t.ctx, db); err != nil {
		fmt.Fprintf(t.err, "gangway: warning: no server starts, and --confirm is refused: %v\n", err)
	}
	return c.print(t, answer, fmt.Sprintf("Restored %d rows as of %s.\n%sA server only reads until gangway restore "+
		"--confirm; gangway restore --status lists what suppliers say.\n", answer.Rows, agoWords(answer.At),
		reerasedWords(answer.Erased)))
}

// identities reads the private keys to the copy.
func (c *restoreCommand) identities() ([]age.Identity, error) {
	if c.Identity == "" {
		return nil, nil
	}
	text, err := readPrivate("--identity", c.Identity, nil, longestCredentials)
	if err != nil {
		return nil, err
	}
	list, err := age.ParseIdentities(strings.NewReader(text))
	if err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "--identity %s has no private key of age", c.Identity)
	}
	return list, nil
}

// putKeys adds the copy's keys to their file, below those that are there: a machine may have made a key of its own.
func (f storeFlags) putKeys(keys string) error {
	file, err := f.keysFrom()
	if err != nil || keys == "" {
		return err
	}
	has := os.Getenv(secretKeys)
	if file != secretKeys && file != "" {
		if err := makeKey(file, keys); err != nil {
			return err
		}
		has, err = readPrivate("--secret-key-file", file, nil, longestCredentials)
	}
	add, bad := missingKeys(has, keys)
	switch {
	case err != nil || bad != nil:
		return cmp.Or(err, bad)
	case add == "":
		return nil
	case file == secretKeys || file == "":
		return gangway.Errorf(gangway.Invalid, "the copy has keys to the secrets that are not given: say where they "+
			"go, by --secret-key-file in place of %s", secretKeys)
	}
	out, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = out.WriteString("\n# From a copy that was restored\n" + add)
		err = errors.Join(err, out.Sync(), out.Close())
	}
	if err != nil {
		return gangway.Errorf(gangway.Invalid, "the copy has keys to the secrets that cannot be added to the others: "+
			"%v", err)
	}
	return nil
}

// missingKeys returns those of a copy's keys that are not among others, one a line.
func missingKeys(has, copied string) (add string, err error) {
	var there [][]byte
	if strings.TrimSpace(has) != "" {
		if there, err = seal.ParseKeys(has); err != nil {
			return "", gangway.Errorf(gangway.Invalid, "the keys to the secrets: %v", err)
		}
	}
	keys, err := seal.ParseKeys(copied)
	for _, key := range keys {
		if !slices.ContainsFunc(there, func(k []byte) bool { return bytes.Equal(k, key) }) {
			add += base64.StdEncoding.EncodeToString(key) + "\n"
		}
	}
	return add, err
}

// mayRead opens a file, and closes it.
func mayRead(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return f.Close()
}

// eraseAgain erases what the logs say was erased, and the copy still has.
func (c *restoreCommand) eraseAgain(t *terminal, db *store.DB) (done store.Reerased, err error) {
	if _, err := (erasureFlags{}).logTo(c.storeFlags, db); err != nil { // for a restore of this database
		return done, gangway.Errorf(gangway.Invalid, "the erasure log cannot be written: %v", err)
	}
	var logs []io.Reader
	for _, name := range c.ErasureLog {
		log, err := os.Open(name)
		if err != nil {
			return done, gangway.Errorf(gangway.Invalid, "--erasure-log cannot be read: %v", err)
		}
		defer log.Close()
		logs = append(logs, log)
	}
	all, err := io.ReadAll(io.MultiReader(logs...)) // one of them may be the log that is written to
	if err != nil {
		return done, gangway.Errorf(gangway.Invalid, "--erasure-log cannot be read: %v", err)
	}
	done, err = db.RepeatErasures(t.ctx, t.actor(), bytes.NewReader(all), t.now(), forgetTraveller)
	if err == nil && done.People+done.Customers > 0 {
		err = db.Wipe(t.ctx)
	}
	return done, err
}

func reerasedWords(r store.Reerased) string {
	words := fmt.Sprintf("Erased again: %d people, %d customers.\n", r.People, r.Customers)
	if r.Skipped > 0 {
		words += fmt.Sprintf("Lines of the erasure log skipped, as the database has their erasures: %d.\n", r.Skipped)
	}
	for _, left := range r.Left {
		words += "Not erased; run gangway restore --erasure-log again when it is over: " + left + "\n"
	}
	return words
}

// compared is the answer of restore --status and --confirm.
type compared struct {
	store.Restored
	Differences []book.Difference `json:"differences"`
}

// compare asks the suppliers, says how their answers differ, and confirms that if it is told to. Servers then begin
// with the bookings that differ.
func (c *restoreCommand) compare(t *terminal, db *store.DB, r store.Restored) error {
	if err := opensAll(t.ctx, db); err != nil && c.Confirm {
		return err
	}
	log := slog.New(slog.NewTextHandler(t.err, &slog.HandlerOptions{Level: slog.LevelError}))
	sellers, err := newSuppliers(sim.Config{Now: t.now}, c.DuffelURL, nil, log)
	if err != nil {
		return err
	}
	desk := book.New(book.Config{DB: db, Suppliers: sellers.of, Now: t.now, Log: log})
	answer := compared{r, []book.Difference{}}
	scopes, err := db.Scopes(t.ctx)
	if err != nil {
		return err
	}
	for _, scope := range scopes {
		list, err := desk.CompareRestored(t.ctx, db.In(scope), r.CopiedAt)
		if err != nil {
			return err
		}
		answer.Differences = append(answer.Differences, list...)
	}
	var words strings.Builder
	for _, d := range answer.Differences {
		fmt.Fprintf(&words, "%s  %s\n", d.Account, d.Words)
	}
	fmt.Fprintf(&words, "%d differences from the copy of %s.\n", len(answer.Differences), agoWords(r.CopiedAt))
	if c.Status {
		return c.print(t, answer, words.String())
	}
	if !c.Unanswered && slices.ContainsFunc(answer.Differences, func(d book.Difference) bool { return d.Unanswered }) {
		return gangway.Errorf(gangway.Conflict, "some suppliers do not answer (gangway restore --status lists them): "+
			"try again, or go on without them by --unanswered")
	}
	if !c.Yes {
		fmt.Fprint(t.err, words.String())
		if yes, _ := askYes(t, "Confirm, and let servers write and work again?"); !yes {
			return gangway.Errorf(gangway.Conflict, "nothing was confirmed: --yes confirms without asking")
		}
	}
	for _, d := range answer.Differences {
		if d.Booking == "" {
			continue
		}
		if err := db.In(gangway.Scope{Account: d.Account}).LookNow(t.ctx, d.Booking, t.now()); err != nil {
			return err
		}
	}
	answer.Confirmed = t.now()
	if err := db.ConfirmRestore(t.ctx, answer.Confirmed); err != nil {
		return err
	}
	return c.print(t, answer, words.String()+"Confirmed: servers write and work again within seconds.\n")
}

// onlyRead has a server only read while a restored database waits for its operator.
func onlyRead(ctx context.Context, db *store.DB, log *slog.Logger) error {
	r, err := db.Restored(ctx)
	if err == nil && r.Waits() {
		db.OnlyRead(true)
		log.Warn("this database was restored from a copy: the server only reads until gangway restore --confirm",
			"copy", r.CopiedAt)
	}
	return err
}

// awaitConfirmation returns once the server may write, or ctx has ended.
func (h *server) awaitConfirmation(ctx context.Context) {
	for h.db.ReadsOnly() {
		select {
		case <-ctx.Done():
			return
		case <-time.After(2 * time.Second):
		}
		if r, err := h.db.Restored(ctx); err == nil && !r.Waits() {
			h.db.OnlyRead(false)
			h.log.Info("the restored database was confirmed: the server writes and works again")
		}
	}
}

// readsOnly refuses what changes something while a restored database waits, before it is read. Sign-ins pass.
func readsOnly(db *store.DB, refuse func(http.ResponseWriter, *http.Request, error), next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if db.ReadsOnly() && r.Method != http.MethodGet && r.Method != http.MethodHead &&
			!slices.Contains([]string{"sign-in", "sign-out", "environment"}, path.Base(r.URL.Path)) {
			refuse(w, r, store.ErrRestored)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// erasureFlags are the flags of commands that erase.
type erasureFlags struct {
	ErasureLog string `placeholder:"FILE" help:"Where erasures are noted, by keyed hashes, to be repeated after a restore. With SQLite, PATH.erased unless given."`
}

// warnUnlogged warns that an erasure is not noted.
func (f erasureFlags) warnUnlogged(t *terminal) {
	fmt.Fprintln(t.err, "gangway: warning: this erasure is not noted outside the database: a restored copy brings "+
		"back what is erased; give --erasure-log, as to the server (GANGWAY_ERASURE_LOG)")
}

// logTo has db note its erasures, and reports whether there is a file for that. Its error says that the file cannot be
// written, and nothing be erased.
func (f erasureFlags) logTo(s storeFlags, db *store.DB) (bool, error) {
	if file, ok := strings.CutPrefix(s.Database, "sqlite:"); ok && f.ErasureLog == "" {
		f.ErasureLog = file + ".erased"
	}
	if f.ErasureLog == "" {
		return false, nil
	}
	db.LogErasures(f.ErasureLog)
	log, err := os.OpenFile(f.ErasureLog, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		err = log.Close() // it is there before the first erasure, so that a missing one is a lost one
	}
	return true, err
}
