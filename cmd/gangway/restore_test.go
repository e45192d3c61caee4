package main

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/duffel/duffeltest"
	"gangway/internal/book/flight/sim"
	"gangway/internal/gangway"
	"gangway/internal/seal"
	"gangway/internal/store/storetest"

	"filippo.io/age"
)

// TestRestoreAfterOrders loses a database after a copy was made of it: a booking of the copy was paid since, and
// another was made, which the copy does not have. What is restored is only read, nothing is sent, and the differences
// are listed. Once they are confirmed, the booking has its tickets, nothing was paid twice, and each action is pushed
// once.
func TestRestoreAfterOrders(t *testing.T) {
	onEither(t, func(t *testing.T, database string) {
		t.Setenv(secretKeys, "YSBrZXkgZm9yIHRlc3RzOyBpdCBpcyBubyBzZWNyZXQ=")
		target := storetest.EmptySQLiteURL(t)
		if strings.HasPrefix(database, "postgres") {
			target = storetest.EmptyPostgresURL(t)
		}
		model := duffeltest.New(time.Now)
		duffel := httptest.NewServer(model)
		defer duffel.Close()
		system := newReceiver(t, func() {})
		made := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
		token := filepath.Join(t.TempDir(), "token")
		must(t, os.WriteFile(token, []byte(duffeltest.Token), 0o600))
		of := []string{"account", "supplier", "--database", database, "--customer", made.Customer, "--environment",
			"production"}
		answer[supplierSettings](t, append(of, "--supplier", "duffel", "--token-file", token, "--phone",
			"+31205550100")...)
		answer[outletSecret](t, append([]string{"outlet", "set", "--url", system.URL, "--allow-network",
			"127.0.0.0/8"}, of[2:]...)...)
		db := sure(storeFlags{Database: database}.open(&terminal{ctx: t.Context(), err: os.Stderr, now: time.Now}))(t)
		defer db.Close()
		prod, _, err := db.Accounts(t.Context(), made.Customer)
		must(t, err)
		in := db.In(prod.Scope())
		sellers := sure(newSuppliers(sim.Config{Now: time.Now}, duffel.URL, nil, slog.New(slog.DiscardHandler)))(t)
		desk := book.New(book.Config{DB: db, Suppliers: sellers.of, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
		by := gangway.User{Email: ines, Name: "Ines Paredes", Role: gangway.Booker}
		b := bookAt(t, desk, in, by)

		copy := filepath.Join(t.TempDir(), "copy")
		if got := answer[copied](t, "backup", copy, "--database", database); got.Rows == 0 || got.Encrypted {
			t.Fatalf("backup = %+v", got)
		}
		if last := sure(db.LastBackup(t.Context()))(t); time.Since(last.At) > hang || last.Bytes == 0 {
			t.Errorf("LastBackup = %+v", last)
		}
		b = sure(desk.Issue(t.Context(), in, by, b.ID, b.Price.Total))(t)
		jun := gangway.Traveller{LastName: "Reyes", FirstName: "Jun", DOB: "1988-02-03", Gender: "M", Nationality: "PH"}
		holds := func(o flight.Offer) bool { return time.Until(o.TicketBy) > time.Hour }
		lost := bookFor(t, desk, in, by, jun, 30, holds)
		orders := model.Orders()

		answer[restored](t, "restore", copy, "--without-erasures", "--database", target)
		_, app, base := serve(t, target, "--duffel-url", duffel.URL, "--allow-network", "127.0.0.0/8")
		person := newPerson(t, app, target, made.Customer, "admin")
		if p := sure(person.open("/bookings"))(t); p.status != http.StatusOK || !strings.Contains(p.html, b.Locator) {
			t.Errorf("bookings are shown with %d", p.status)
		}
		key := made.Production.APIKey
		upload := func() int {
			res, body, err := call(http.MethodPost, base+"/passenger", key, []any{nobodyElse()})
			if res == nil || res.StatusCode != http.StatusOK && !strings.Contains(string(body), "only reads") {
				t.Fatalf("an upload is answered %s, %v", body, err)
			}
			return res.StatusCode
		}
		if got := upload(); got != http.StatusServiceUnavailable {
			t.Errorf("an upload is answered %d", got)
		}
		if res, body := look(t, base+"/bookings?pull=first", "X-Api-Key", key); res.StatusCode != 503 {
			t.Errorf("a pull is answered %s: %s", res.Status, body)
		}
		if p := sure(person.open("/bookings/" + b.ID))(t); p.status != http.StatusOK {
			t.Errorf("the booking is shown with %d", p.status)
		}
		step := func(how ...string) []string {
			return append([]string{"restore", "--database", target, "--duffel-url", duffel.URL}, how...)
		}
		d := answer[compared](t, step("--status")...).Differences
		slices.SortFunc(d, func(a, b book.Difference) int { return strings.Compare(b.Booking, a.Booking) })
		if len(d) != 2 || d[0].Booking != b.ID || !strings.HasPrefix(d[1].Words, lost.PNRs[0]) ||
			!strings.Contains(d[0].Words, "here confirmed, at the supplier ticketed") ||
			strings.Contains(d[1].Words, "Reyes") {
			t.Errorf("the differences are %+v", d)
		}
		refused(t, "nothing was confirmed", step("--confirm")...)
		if len(system.pushes) > 0 {
			t.Errorf("%v was pushed before the differences were confirmed", system.pushes)
		}

		answer[compared](t, step("--confirm", "--yes")...)
		eventually(t, "the booking has its tickets, and the system knows", func() bool {
			actions, _ := system.received(t, b.ID)
			return slices.Equal(actions, []gangway.State{gangway.Confirmed, gangway.Issued})
		})
		eventually(t, "uploads are taken again", func() bool { return upload() == http.StatusOK })
		if _, again := system.received(t, b.ID); again > 0 {
			t.Errorf("%d pushes came twice", again)
		}
		if n := model.Calls(duffeltest.Pay); n != 1 || model.Orders() != orders {
			t.Errorf("paid %d times, %d orders; want 1 and %d", n, model.Orders(), orders)
		}
		now := sure(openStore(t, target).In(in.Scope()).Booking(t.Context(), b.ID))(t)
		if !slices.Equal(now.Tickets, b.Tickets) {
			t.Errorf("the booking has the tickets %v; want %v", now.Tickets, b.Tickets)
		}
	})
}

// TestRestoreAddsKeys restores onto machines that have a key of their own. The copy's keys are added below it. Without
// the keys nothing is confirmed, as no server would start. Monitoring and check --installation tell of what waits.
func TestRestoreAddsKeys(t *testing.T) {
	onEither(t, func(t *testing.T, database string) {
		folder := t.TempDir()
		key := func(name string) string {
			file := filepath.Join(folder, name)
			must(t, os.WriteFile(file, []byte(seal.NewKey()), 0o600)) // no line break at its end
			return file
		}
		old, own := key("old"), key("own")
		given := []string{"--database", database, "--secret-key-file", old}
		made := answer[newCustomer](t, append([]string{"account", "create", "Halcyon Tankers"}, given...)...)
		answer[outletSecret](t, append([]string{"outlet", "set", "--url", "https://example.com/", "--customer",
			made.Customer, "--environment", "production"}, given...)...)
		reads := sure(age.GenerateX25519Identity())(t)
		copy, identity := filepath.Join(folder, "copy"), filepath.Join(folder, "identity")
		must(t, os.WriteFile(identity, []byte(reads.String()), 0o600))
		answer[copied](t, append([]string{"backup", copy + ".keyless"}, given...)...)
		answer[copied](t, append([]string{"backup", "--with-key", "--recipient", reads.Recipient().String(), copy},
			given...)...)
		empty := storetest.EmptySQLiteURL
		if strings.HasPrefix(database, "postgres") {
			empty = storetest.EmptyPostgresURL
		}

		on := func(target string) []string { return []string{"--database", target, "--secret-key-file", own} }
		keyless := empty(t)
		answer[restored](t, append([]string{"restore", copy + ".keyless", "--without-erasures"}, on(keyless)...)...)
		refused(t, "do not fit the secrets", append([]string{"restore", "--confirm", "--yes"}, on(keyless)...)...)

		target := empty(t)
		answer[restored](t, append([]string{"restore", copy, "--identity", identity, "--without-erasures"},
			on(target)...)...)
		has := sure(seal.ParseKeys(string(sure(os.ReadFile(own))(t))))(t)
		was := sure(seal.ParseKeys(string(sure(os.ReadFile(old))(t))))(t)
		if len(has) != 2 || !bytes.Equal(has[1], was[0]) {
			t.Errorf("the machine has %d keys; want its own and the copy's below", len(has))
		}
		e := answer[examination](t, append([]string{"check", "--installation", "--listen", freePort(t)},
			on(target)...)...)
		if !slices.ContainsFunc(e.Checks, func(c examined) bool { return c.ID == "restored" }) {
			t.Errorf("check --installation has %+v; want that it was restored", e.Checks)
		}
		answer[compared](t, append([]string{"restore", "--confirm", "--yes"}, on(target)...)...)
	})
}
