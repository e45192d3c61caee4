package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/seal"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A memoryCopy is a copy of a database.
type memoryCopy struct {
	schema int64
	tables []copiedTable
	table  int // that is read
	row    int
	fails  string // reading fails in this table
}

type copiedTable struct {
	name    string
	columns []string
	rows    [][]any
}

func (c *memoryCopy) Begin(schema int64) error { c.schema = schema; return nil }

func (c *memoryCopy) Table(name string, columns []string) error {
	c.tables = append(c.tables, copiedTable{name: name, columns: columns})
	return nil
}

func (c *memoryCopy) Row(values []any) error {
	t := &c.tables[len(c.tables)-1]
	t.rows = append(t.rows, slices.Clone(values))
	return nil
}

// reading is c as it is restored from.
type reading struct{ *memoryCopy }

func (c reading) Table() (string, []string, error) {
	if c.table == len(c.tables) {
		return "", nil, io.EOF
	}
	c.table, c.row = c.table+1, 0
	t := c.tables[c.table-1]
	return t.name, t.columns, nil
}

func (c reading) Next() bool {
	c.row++
	return c.Err() == nil && c.row <= len(c.tables[c.table-1].rows)
}

func (c reading) Values() ([]any, error) { return c.tables[c.table-1].rows[c.row-1], nil }

func (c reading) Err() error {
	if c.tables[c.table-1].name == c.fails {
		return errors.New("the disk is gone")
	}
	return nil
}

func (c *memoryCopy) rows(table string) [][]any {
	return c.tables[slices.IndexFunc(c.tables, func(t copiedTable) bool { return t.name == table })].rows
}

func (c *memoryCopy) names() (list []string) {
	for _, t := range c.tables {
		list = append(list, t.name)
	}
	return list
}

func copyOf(t *testing.T, db *store.DB) *memoryCopy {
	t.Helper()
	c := &memoryCopy{}
	must(t, db.Copy(t.Context(), c))
	return c
}

// restore makes an empty database of c.
func restore(t *testing.T, c *memoryCopy, url string, o store.Options) *store.DB {
	t.Helper()
	c.table = 0
	db := sure(store.Restore(t.Context(), url, o, c.schema, reading{c}))(t)
	t.Cleanup(func() { db.Close() })
	db.SealWith(storetest.Sealer(t))
	return db
}

// TestRestoreRunsNoNames holds that the names of tables and columns in a copy are looked up, and are never SQL.
func TestRestoreRunsNoNames(t *testing.T) {
	t.Parallel()
	c := copyOf(t, storetest.New(t))
	made := filepath.Join(t.TempDir(), "made.db")
	at := slices.IndexFunc(c.tables, func(t copiedTable) bool { return t.name == "form_key" })
	was := c.tables[at]
	for _, table := range []copiedTable{
		{name: "form_key (id, value) VALUES (9, ''); VACUUM INTO '" + made + "'; --", columns: was.columns},
		{name: was.name, columns: []string{"id", "value) VALUES (9, ''); VACUUM INTO '" + made + "'; --"}},
		{name: "restored", columns: []string{"id"}},
	} {
		c.tables[at], c.table = table, 0
		c.tables[at].rows = [][]any{make([]any, len(table.columns))}
		db, err := store.Restore(t.Context(), storetest.EmptySQLiteURL(t), store.Options{}, c.schema, reading{c})
		if err == nil {
			db.Close()
		}
		if _, there := os.Stat(made); gangway.KindOf(err) != gangway.Invalid || there == nil {
			t.Errorf("%s (%v) is restored: %v; want it refused, and nothing run", table.name, table.columns, err)
		}
	}
}

// filled fills a database with what two companies have, among it values that are null.
func filled(t *testing.T, db *store.DB) store.Scoped {
	t.Helper()
	db.SealWith(storetest.Sealer(t))
	storetest.Account(t, db)
	in := db.In(storetest.Account(t, db).Scope())
	must(t, did(in.SetOutlet(t.Context(), storetest.Operator, "default", storetest.PushTo("https://example.com/"),
		[]string{"whsec_1"}, noon)))
	must(t, in.SetSecret(t.Context(), storetest.Operator, "token", []byte("secret"), noon))
	must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{{ID: "E-4711", LastName: "Santos \"<&>\"",
		FirstName: "Маша\u2028", DOB: "1990-01-31"}, {ID: "E-4712", LastName: "Reyes", FirstName: "Jun"}})))
	for i := range 3 {
		createBooking(t, in, fmt.Sprint("b", i), nil)
	}
	must(t, did(in.UpdateBooking(t.Context(), "b1", "", issue)))
	finish(t, db)
	return in
}

// second drops the second of two results.
func second[T, U any](v T, _ U, err error) (T, error) { return v, err }

// finish writes what is written beside records.
func finish(t *testing.T, db *store.DB) {
	t.Helper()
	for _, do := range []func(context.Context) (bool, error){db.WriteTravellerWords, db.Trace} {
		for sure(do(t.Context()))(t) {
		}
	}
}

// A copy of either database becomes one of the other kind, and of that again the same copy. It has every table but
// those that are about the database itself.
func TestCopyAcrossDatabases(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		filled(t, db)
		first := copyOf(t, db)
		there := restore(t, first, storetest.EmptyPostgresURL(t), store.Options{})
		second := copyOf(t, there)
		back := restore(t, second, storetest.EmptySQLiteURL(t), store.Options{})
		for i, c := range []*memoryCopy{second, copyOf(t, back)} {
			if !reflect.DeepEqual(c.tables, first.tables) {
				t.Errorf("the copy of restore %d is another one", i+1)
			}
		}
		want := slices.DeleteFunc(store.JudgedTables(), func(name string) bool {
			return slices.Contains([]string{"goose_db_version", "schema_oldest", "last_backup", "restored", "replica",
				"session"}, name)
		})
		got := first.names()
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("the tables are %v; want %v", got, want)
		}
		// What was restored can be worked with, and new deliveries never have an old webhook-id.
		must(t, there.FinishRestore(t.Context(), noon, noon))
		in := there.In(gangway.Scope{Account: first.rows("booking")[0][0].(string)})
		must(t, did(in.UpdateBooking(t.Context(), "b2", "", issue)))
		ids := map[any]bool{}
		for _, row := range append(first.rows("delivery"), copyOf(t, there).rows("delivery")...) {
			ids[row[4]] = true
		}
		if len(ids) != 5 {
			t.Errorf("4 deliveries and one more have the identifiers %v", ids)
		}
	})
}

// A copy shows all tables as they were at one moment, however much is written meanwhile.
func TestCopyWhileWriting(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := filled(t, db)
		written, stop := make(chan struct{}, 1), make(chan struct{})
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := 10; ; i++ {
				createBooking(t, in, fmt.Sprint("c", i), nil)
				must(t, did(in.UpdateBooking(t.Context(), fmt.Sprint("c", i), "", issue)))
				select {
				case written <- struct{}{}:
				case <-stop:
					return
				}
			}
		}()
		for last := 0; last < 20; {
			<-written
			c := copyOf(t, db)
			actions := map[any]int{}
			for _, row := range c.rows("action") {
				actions[row[1]]++
			}
			for _, row := range c.rows("booking") {
				if want := map[any]int{"confirmed": 1, "issued": 2}[row[3]]; actions[row[1]] != want {
					t.Fatalf("booking %v is %v and has %d actions", row[1], row[3], actions[row[1]])
				}
			}
			if n := len(c.rows("delivery")); n != len(c.rows("action")) {
				t.Fatalf("%d deliveries of %d actions", n, len(c.rows("action")))
			}
			last = len(c.rows("booking"))
		}
		close(stop)
		<-done
	})
}

// A restore that ends in the middle leaves a database that nobody opens. Run again, it begins anew. A copy of an older
// schema is brought up to date; one of a newer program is refused.
func TestRestoreIsInterrupted(t *testing.T) {
	for _, url := range []string{storetest.EmptySQLiteURL(t), storetest.EmptyPostgresURL(t)} {
		t.Run(url[:6], func(t *testing.T) {
			db := storetest.New(t)
			filled(t, db)
			c := copyOf(t, db)
			_, next, _ := programs(t)
			c.fails = "delivery"
			wantKind(t, gangway.Internal, did(store.Restore(t.Context(), url, next.Options, c.schema, reading{c})))
			program{}.refused(t, url, "did not finish: run gangway restore again")
			c.fails = ""
			again := restore(t, c, url, next.Options)
			must(t, again.FinishRestore(t.Context(), noon, noon))
			again.Close()
			wantSchema(t, url, "100 901")
			opened := next.starts(t, url)
			if got := copyOf(t, opened); len(got.rows("delivery")) != 4 || got.schema != 901 {
				t.Errorf("%d deliveries of schema %d; want 4 of 901", len(got.rows("delivery")), got.schema)
			}
			wantKind(t, gangway.Conflict, did(store.Restore(t.Context(), url, next.Options, c.schema, reading{c})))
			wantKind(t, gangway.Conflict, did(store.Restore(t.Context(), storetest.EmptySQLiteURL(t), store.Options{},
				901, reading{c})))
		})
	}
}

// Until the operator has confirmed, a restored database is only read, whatever the way of writing; that something was
// read is recorded. Programs that would not know that do not start on it.
func TestRestoredIsOnlyRead(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		in := filled(t, db)
		must(t, did(second(in.BeginBatch(t.Context(), crewBatch("many", "unasked", "asked"), noon))))
		asked := store.Intent{ID: "asked", Booking: "asked", Kind: "book", Doc: []byte("{}"), CreatedAt: noon,
			Lease: noon}
		must(t, in.BeginBooking(t.Context(), asked, store.Hold{Search: "of asked"}))
		must(t, db.FinishRestore(t.Context(), noon, noon))
		oldest := func() (n int) {
			const query = `SELECT oldest FROM schema_oldest WHERE version = 116`
			must(t, raw(t, url).QueryRowContext(t.Context(), query).Scan(&n))
			return n
		}
		if r, err := db.Restored(t.Context()); err != nil || !r.Waits() || oldest() != 116 {
			t.Fatalf("Restored = %+v, %v; admits %d", r, err, oldest())
		}
		db.OnlyRead(true)
		for what, err := range map[string]error{
			"a booking": did(in.UpdateBooking(t.Context(), "b2", "", issue)),
			"an upload": did(in.UpsertTravellers(t.Context(), []gangway.Traveller{{ID: "E-1", LastName: "X"}})),
			"a look":    in.LookNow(t.Context(), "b2", noon),
			"a push":    did(db.TakeQueues(t.Context(), noon.AddDate(1, 0, 0), 9, 9, nil)),
			"an erasure": did(in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: "E-4712"},
				noon, nil)),
		} {
			if !errors.Is(err, store.ErrRestored) {
				t.Errorf("%s is written: %v", what, err)
			}
		}
		must(t, in.Record(t.Context(), storetest.Operator, gangway.DocumentShown, nil, noon))
		must(t, db.ConfirmRestore(t.Context(), noon))
		db.OnlyRead(false)
		must(t, did(in.UpdateBooking(t.Context(), "b2", "", issue)))
		if r, err := db.Restored(t.Context()); err != nil || r.Waits() || oldest() != 108 {
			t.Errorf("Restored = %+v, %v; admits %d", r, err, oldest())
		}
		// Nobody goes on with what was to be done to many; what a supplier was asked for is followed up.
		many, err := in.Batch(t.Context(), "many")
		left, _ := db.TakeBatches(t.Context(), noon.AddDate(1, 0, 0), noon, 9)
		if err != nil || len(left) > 0 || many.Items[0].State != store.ItemRefused ||
			many.Items[1].State != store.ItemUnanswered {
			t.Errorf("%d batches are left, and one has the items %+v, %v", len(left), many.Items, err)
		}
	})
}

// What was erased after a copy is erased again in the database that is restored from it, by a log that names nobody,
// whatever the clocks said. Who was erased before the copy and sent again stays. Who still has a booking in the copy is
// left, and erased by the same log later.
func TestErasuresAreRepeated(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := filled(t, db)
		other := storetest.Account(t, db)
		person := func(id, name, passport string) gangway.Traveller {
			return gangway.Traveller{ID: id, LastName: name, FirstName: "Maria", DOB: "1990-01-31", DocCountry: "PH",
				DocNumber: passport}
		}
		must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{person("", "Quuxley", "P1"),
			person("", "Zorn", ""), person("E-9", "Live", "P9"), person("E-5", "Back", "P5")})))
		live := createBooking(t, in, "live", func(b *gangway.Booking) { b.Passenger = person("E-9", "Live", "P9") })
		finish(t, db)
		log := filepath.Join(t.TempDir(), "erased")
		db.LogErasures(log)
		back := erasure.DataSubject{ID: "E-5"}
		must(t, did(in.EraseTraveller(t.Context(), storetest.Operator, back, noon, nil)))
		must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{person("E-5", "Back", "P5")})))
		finish(t, db)
		c := copyOf(t, db)
		dayBack := noon.AddDate(0, 0, -1) // when the clock was set back
		cancel := func(b *gangway.Booking) (gangway.Action, error) {
			return b.Move(gangway.Cancel, "ana@example.com", noon)
		}
		must(t, did(in.UpdateBooking(t.Context(), live.ID, "", cancel)))
		for _, who := range []erasure.DataSubject{{ID: "E-4711"}, {DocCountry: "PH", DocNumber: "P1"},
			{Name: "Zorn, Maria", DOB: "1990-01-31"}, {ID: "E-9"}} {
			must(t, did(in.EraseTraveller(t.Context(), storetest.Operator, who, dayBack, nil)))
		}
		must(t, did(db.RemoveCustomer(t.Context(), storetest.Operator, other.Customer.ID, dayBack)))
		text := sure(os.ReadFile(log))(t)
		for _, name := range []string{"E-4711", "Santos", "Quuxley", "zorn", "P1\"", "1990"} {
			if strings.Contains(strings.ToLower(string(text)), strings.ToLower(name)) {
				t.Errorf("the log has %q:\n%s", name, text)
			}
		}

		restored := restore(t, c, storetest.EmptyPostgresURL(t), store.Options{})
		repeat := func(in *store.DB) store.Reerased {
			t.Helper()
			done := sure(in.RepeatErasures(t.Context(), storetest.Operator, bytes.NewReader(text), noon, nil))(t)
			return done
		}
		if done := repeat(restored); done.People != 3 || done.Customers != 1 || done.Skipped != 1 ||
			len(done.Left) != 1 || !strings.Contains(done.Left[0], live.Locator) {
			t.Errorf("erased %+v; want 3 people and a customer, %s left, and a line skipped", done, live.Locator)
		}
		if rows := copyOf(t, restored).rows("traveller"); len(rows) != 3 {
			t.Errorf("%d travellers are there; want those of E-4712, E-9 and E-5", len(rows))
		}
		must(t, did(restored.In(in.Scope()).UpdateBooking(t.Context(), live.ID, "", cancel)))
		must(t, did(restored.In(in.Scope()).UpsertTravellers(t.Context(), []gangway.Traveller{person("", "Zorn", "")})))
		if done := repeat(restored); done.People != 1 || done.Skipped != 4 || len(done.Left) != 0 {
			t.Errorf("later it erased %+v; want the one who was left, and nobody who was sent again", done)
		}
		// A copy of what was restored has all these erasures: its restore leaves who was sent again since.
		next := restore(t, copyOf(t, restored), storetest.EmptySQLiteURL(t), store.Options{})
		if done := repeat(next); done.People != 0 || done.Skipped != 5 {
			t.Errorf("after the next restore it erased %+v; want nobody", done)
		}

		keys := sure(seal.ParseKeys(seal.NewKey()))(t)
		another := sure(seal.New(keys...))(t)
		fresh := restore(t, c, storetest.EmptySQLiteURL(t), store.Options{})
		fresh.SealWith(another)
		_, err := fresh.RepeatErasures(t.Context(), storetest.Operator, bytes.NewReader(text), noon, nil)
		if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), "key that is not given") {
			t.Errorf("with another key than the log's: %v; want a refusal, since nobody would be found", err)
		}
	})
}
