package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/seal"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// breaches returns how many breaches each invariant has.
func breaches(t *testing.T, db *store.DB) map[string]int {
	t.Helper()
	list := sure(db.Verify(t.Context()))(t)
	found := map[string]int{}
	for _, c := range list {
		if found[c.Check] = c.Breaches; c.Breaches > 0 && (c.Do == "" || len(c.First) == 0) {
			t.Errorf("%s: %+v does not say what to do about which row", c.Check, c)
		}
	}
	return found
}

// wantWhole holds that nothing is wrong with a database.
func wantWhole(t *testing.T, db *store.DB) {
	t.Helper()
	list := sure(db.Verify(t.Context()))(t)
	for _, c := range list {
		if c.Breaches > 0 {
			t.Errorf("%s is broken: %+v", c.Check, c.First)
		}
	}
}

// verifiable is a database in which each invariant has something to hold for.
func verifiable(t *testing.T, db *store.DB) store.Scoped {
	t.Helper()
	in := db.In(storetest.Account(t, db).Scope())
	who := gangway.Traveller{ID: "E-77", LastName: "Runztt", FirstName: "Ilja", DOB: "1979-10-07"}
	must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{who, apart(who)})))
	must(t, in.SetSecret(t.Context(), storetest.Operator, "token", []byte("very secret"), noon))
	must(t, did(in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
		storetest.PushTo("https://crew.example/sync"), []string{"whsec_AAAA"}, noon.Add(-time.Hour))))
	createBooking(t, in, "b1", func(b *gangway.Booking) {
		b.Passenger, b.Tickets, b.PNRs = apart(who), []string{"9991"}, []string{"PNR123"}
	})
	must(t, did(in.UpdateBooking(t.Context(), "b1", "", func(b *gangway.Booking) (gangway.Action, error) {
		return b.Move(gangway.Issue, "ana@example.com", time.Now())
	})))
	createBooking(t, in, "b2", func(b *gangway.Booking) { b.Passenger = who })
	must(t, did(in.UpdateBooking(t.Context(), "b2", "", func(b *gangway.Booking) (gangway.Action, error) {
		return b.Move(gangway.Cancel, "ana@example.com", time.Now())
	})))
	must(t, in.Record(t.Context(), storetest.Operator, gangway.DocumentShown, map[string]any{"traveller": "E-77",
		"member": 1, "search": "<s1 & é>"}, noon))
	settle(t, db)
	must(t, did(in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: "E-77"}, noon, nil)))
	settle(t, db)
	return in
}

// apart is another traveller than who.
func apart(who gangway.Traveller) gangway.Traveller {
	who.ID, who.LastName, who.FirstName = "E-78", "Müller", "Jörg"
	return who
}

// settle has the workers do all that is to be done.
func settle(t *testing.T, db *store.DB) {
	t.Helper()
	for _, work := range []func() (bool, error){
		func() (bool, error) { return db.WriteTravellerWords(t.Context()) },
		func() (bool, error) { return db.Trace(t.Context()) },
		func() (bool, error) { return db.ChainAudit(t.Context()) },
	} {
		for sure(work())(t) {
		}
	}
}

// account is the account of statements that break an invariant.
const account = `(SELECT id FROM account WHERE environment = 'production')`

// breaking has a statement for each invariant that breaks it. Each is carried out after those before.
var breaking = [][2]string{
	{"secrets", `UPDATE secret SET name = 'another'`},
	{"audit-chain", `UPDATE audit SET came_from = '192.0.2.66' WHERE seq = 2`},
	{"tickets", `INSERT INTO booking_ticket (account, number, booking) VALUES (` + account + `, '777', 'b1')`},
	{"references", `INSERT INTO booking_reference (account, reference, booking) VALUES (` + account + `, 'PNR777', 'b7')`},
	{"vessels", `INSERT INTO booking_vessel (account, vessel) VALUES (` + account + `, 'flying dutchman')`},
	{"booking-vessels", `DELETE FROM booking_vessel WHERE vessel = 'nordlys'`},
	{"found-by", `DELETE FROM booking_ticket WHERE number = '9991'`},
	{"deliveries", `DELETE FROM delivery WHERE booking = 'b1' AND seq = 2`},
	{"delivery-queues", `UPDATE lane SET pending = 0 WHERE booking = 'b1'`},
	{"queue-deliveries", `UPDATE lane SET outlet = 'out_x' WHERE booking = 'b1'`},
	{"pulls", `UPDATE waiting SET to_seq = 9 WHERE booking = 'b1'`},
	{"pull-answers", `INSERT INTO pull (account, id, number, created_at, bookings, actions, written, lease)
		VALUES (` + account + `, 'p', 1, 1, 1, 1, 1, 0)`},
	{"report", `UPDATE report_booking SET members = '' WHERE booking_id = 'b1'`},
	{"report-bookings", `UPDATE report_booking SET booking_id = 'b3' WHERE booking_id = 'b2'`},
	{"intents", `UPDATE intent SET open = 1 WHERE booking = 'b1'`},
	{"batches", `INSERT INTO batch (account, id, kind, search, by_id, by_whom, by_name, created_at, pending, lease, holder)
		VALUES (` + account + `, 'b', 'book', 's', '', '', '', 1, 3, 0, '')`},
	{"erased-traces", `INSERT INTO booking_trace (account, mark, id) VALUES (` + account + `, 7, 'b2')`},
	{"names", `DELETE FROM traveller_word WHERE word = 'muller'`},
	{"traces", `DELETE FROM traveller_trace`},
	{"booking-columns", `UPDATE booking SET created_by = 'ben@example.com' WHERE id = 'b1'`},
	{"money", `UPDATE booking SET doc = replace(doc, '"price":{', '"payments":[{"seq":1,"at":"2026-11-02T12:00:00Z","for":"refund","amount":{"minor":5,"ccy":""}}],"price":{') WHERE id = 'b1'`},
	{"snapshots", `UPDATE action SET snapshot = '{}' WHERE booking = 'b1'`},
	{"actions", `DELETE FROM action WHERE booking = 'b1' AND seq = 2`},
	{"delivery-actions", `DELETE FROM action WHERE booking = 'b2' AND seq = 2`},
	{"action-bookings", `UPDATE action SET booking = 'b3' WHERE booking = 'b1'`},
}

// TestEachBreachIsNamed breaks each invariant, and sees it named and not before.
func TestEachBreachIsNamed(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		db.SealWith(storetest.Sealer(t))
		verifiable(t, db)
		wantWhole(t, db)
		beside := raw(t, url)
		rest := slices.DeleteFunc(store.Invariants(), func(name string) bool { return name == "database" })
		if strings.HasPrefix(url, "sqlite:") {
			must(t, did(beside.ExecContext(t.Context(),
				`INSERT INTO traveller_word (account, word, key) VALUES ('acc_x', 'x', 'x')`)))
			if breaches(t, db)["database"] == 0 {
				t.Error("a row whose traveller there is not is not named")
			}
		}
		for _, b := range breaking {
			before := breaches(t, db)[b[0]]
			must(t, did(beside.ExecContext(t.Context(), b[1])))
			if after := breaches(t, db)[b[0]]; before != 0 || after == 0 {
				t.Errorf("%s has %d breaches, and after %s %d", b[0], before, b[1], after)
			}
			rest = slices.DeleteFunc(rest, func(name string) bool { return name == b[0] })
		}
		if len(rest) > 0 {
			t.Errorf("nobody has tried to break %v", rest)
		}
	})
}

// TestNobodyIsNamed holds that breaches say nothing of people.
func TestNobodyIsNamed(t *testing.T) {
	db := storetest.New(t)
	in := verifiable(t, db)
	must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{{LastName: "Quuxley", FirstName: "Bo",
		DOB: "1990-01-01"}})))
	settle(t, db)
	must(t, did(db.Writer().ExecContext(t.Context(), `DELETE FROM traveller_word`)))
	must(t, did(db.Writer().ExecContext(t.Context(), `DELETE FROM traveller_trace`)))
	list := sure(db.Verify(t.Context()))(t)
	if said := strings.ToLower(fmt.Sprint(list)); !strings.Contains(said, "traveller, row") ||
		strings.Contains(said, "quuxley") {
		t.Errorf("it says %s", said)
	}
}

// TestTheAuditLogIsAChain holds that whatever is done to the audit log beside us shows.
func TestTheAuditLogIsAChain(t *testing.T) {
	for name, tampering := range map[string]string{
		"who did it":              `UPDATE audit SET by_name = 'somebody else' WHERE seq = 3`,
		"what was done":           `UPDATE audit SET what = 'sign_in.done' WHERE seq = 3`,
		"to what":                 `UPDATE audit SET became = '{"secret":"other"}' WHERE seq = 3`,
		"when":                    `UPDATE audit SET at = at + 1 WHERE seq = 3`,
		"one is removed":          `DELETE FROM audit WHERE seq = 3`,
		"the last is removed":     `DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)`,
		"the first is removed":    `DELETE FROM audit WHERE seq = 1`,
		"one is added":            `UPDATE audit SET seq = seq + 1 WHERE seq = (SELECT max(seq) FROM audit)`,
		"all are removed":         `DELETE FROM audit`,
		"the end is forgotten":    `DELETE FROM audit_chain`,
		"a beginning is made up":  `UPDATE audit_chain SET removed = 2, removed_hash = (SELECT hash FROM audit WHERE seq = 2)`,
		"an erasure is pretended": `UPDATE audit SET by_name = 'x', salt = '' WHERE seq = 3`,
		"an erased setting":       `UPDATE audit SET by_name = 'x', was = '', became = '{"erased":true}', salt = '' WHERE seq = 3`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := storetest.New(t)
			verifiable(t, db)
			must(t, did(db.Writer().ExecContext(t.Context(), tampering)))
			if breaches(t, db)["audit-chain"] == 0 {
				t.Error("it does not show")
			}
		})
	}
}

// TestErasureAndRetentionLeaveTheChain holds that the chain stays whole when a traveller is erased from it, and when
// its beginning is removed, also under another key.
func TestErasureAndRetentionLeaveTheChain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := verifiable(t, db)
		account := sure(in.Account(t.Context()))(t)
		q := store.AuditQuery{Customer: account.Customer.ID}
		list := sure(db.Audit(t.Context(), q, 100))(t)
		for _, e := range list {
			if e.What == gangway.DocumentShown &&
				(e.Link.Salt != "" || e.Link.Digest == "" || e.After["erased"] != true) ||
				e.What != gangway.DocumentShown && e.Link.Salt == "" {
				t.Errorf("%s after the erasure: %+v", e.What, e)
			}
		}
		old, fresh := seal.NewKey(), seal.NewKey()
		db.SealWith(newSealer(t, old))
		// Entries are removed up to the first that stays, so that there is one beginning.
		n, err := db.ForgetAudit(t.Context(), account.Customer.ID, noon, 1)
		if err != nil || n != 1 {
			t.Fatalf("ForgetAudit = %d, %v; want 1", n, err)
		}
		must(t, did(db.ForgetAudit(t.Context(), account.Customer.ID, noon, 100)))
		kept, err := db.Audit(t.Context(), q, 100)
		if err != nil || len(kept) != len(list)-2 {
			t.Errorf("of %d entries %d are left, %v", len(list), len(kept), err)
		}
		must(t, did(db.Writer().ExecContext(t.Context(), `DELETE FROM secret`))) // of another key
		must(t, did(db.Writer().ExecContext(t.Context(), `DELETE FROM outlet`)))
		must(t, did(db.Writer().ExecContext(t.Context(), `DELETE FROM lane`)))
		must(t, did(db.Writer().ExecContext(t.Context(), `DELETE FROM delivery`)))
		for i, keys := range [][]string{{old}, {fresh, old}, {fresh}} {
			db.SealWith(newSealer(t, keys...))
			must(t, did(db.Reseal(t.Context())))
			if breaches(t, db)["audit-chain"] > 0 {
				t.Errorf("with keys %d the chain is broken", i)
			}
		}
		db.SealWith(newSealer(t, old))
		if breaches(t, db)["audit-chain"] != 1 {
			t.Error("an anchor that another key signed passes")
		}
		must(t, db.Record(t.Context(), gangway.AuditEntry{At: noon, By: storetest.Operator, What: gangway.SignedIn,
			Customer: account.Customer.ID}))
		settle(t, db)
		db.SealWith(newSealer(t, fresh))
		if breaches(t, db)["audit-chain"] > 0 {
			t.Error("the chain does not continue behind its anchor")
		}
	})
}
