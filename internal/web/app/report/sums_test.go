package report_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
	"gangway/internal/web/app/report"
)

// TestPageAgreesWithTheAddresses holds that the page, which adds up packed bookings, says to the cent what the database
// answers at the addresses that it offers: before they are packed, after it, and while some have changed since.
func TestPageAgreesWithTheAddresses(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, at string) {
		chance := rand.New(rand.NewPCG(7, 26))
		db, in, raw := filled(t, at, chance, 400)
		steps := []func() error{
			func() error { return nil }, func() error { return sumReports(t, db) },
			func() error { return change(t, raw, in, chance) }, func() error { return sumReports(t, db) },
			func() error {
				storetest.Settings(t, in, gangway.Settings{RadiativeForcing: true})
				return nil
			},
		}
		some := 0
		for _, step := range steps {
			apptest.Done(t, step())
			for range 25 {
				address := someFilters(chance)
				differing, n, err := report.Differing(t.Context(), db, in, address, "2026-11-28")
				if err != nil {
					t.Fatalf("%s: %v", address.Encode(), err)
				}
				for _, d := range differing {
					t.Errorf("%s: %s", address.Encode(), d)
				}
				if n > 0 {
					some++
				}
			}
		}
		if some < 50 {
			t.Errorf("only %d of 125 reports are about any bookings", some)
		}
	})
}

func sumReports(t testing.TB, db *store.DB) (err error) {
	for some := true; some && err == nil; {
		some, err = db.SumReports(t.Context())
	}
	return err
}

// TestReplicasPackAtOnce holds that replicas which pack at once, while bookings change, leave nothing stale.
func TestReplicasPackAtOnce(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, at string) {
		chance := rand.New(rand.NewPCG(7, 27))
		db, in, raw := filled(t, at, chance, 300)
		failed := make(chan error, 8)
		for range 2 {
			go func() {
				var err error
				for range 10 {
					if err == nil {
						_, err = db.SumReports(t.Context())
					}
				}
				failed <- err
			}()
		}
		for range 10 {
			apptest.Done(t, change(t, raw, in, chance))
		}
		for range 2 {
			apptest.Done(t, <-failed)
		}
		differing, n, err := report.Differing(t.Context(), db, in, url.Values{"from": {""}}, "2026-11-28")
		if err != nil || n != 300 || len(differing) > 0 {
			t.Errorf("%d bookings, %q, %v", n, differing, err)
		}
	})
}

// filled returns an account whose report has rows of bookings that there are not, with all that is hard to add up.
func filled(t testing.TB, at string, chance *rand.Rand, n int) (*store.DB, store.Scoped, *sql.DB) {
	t.Helper()
	db := apptest.Must(store.Open(t.Context(), at))(t)
	t.Cleanup(func() { db.Close() })
	in := db.In(storetest.Account(t, db).Scope())
	driver, source, _ := strings.Cut(at, ":")
	if driver != "sqlite" {
		driver, source = "pgx", at
	} else {
		source += "?_pragma=busy_timeout(20000)"
	}
	raw := apptest.Must(sql.Open(driver, source))(t)
	t.Cleanup(func() { raw.Close() })
	var bookings, flights []string
	flush := func(table, columns string, rows *[]string) {
		if _, err := raw.ExecContext(t.Context(), `INSERT INTO `+table+` (account, booking_id, search, members,
			changed, `+columns+`) VALUES `+strings.Join(*rows, ", ")); err != nil {
			t.Fatal(err)
		}
		*rows = nil
	}
	for i := range n {
		id := fmt.Sprintf("'%s', 'b%07d', '', '%s', 1, ", in.Scope().Account, i, strings.Repeat(`"Member":1,`, 90))
		values := someBooking(chance)
		bookings = append(bookings, "("+id+values+")")
		fields := strings.Split(values, ", ")
		for number := range chance.IntN(4) {
			flights = append(flights, "("+id+strings.Join([]string{fmt.Sprint(number), fields[0], fields[1], fields[6],
				either(chance, "QR", "KL", "EK"), either(chance, "Qatar Airways", "KLM"), thousandths(chance),
				thousandths(chance), thousandths(chance)}, ", ")+", 1, 'QR1', 'MNL', 'AMS', "+
				fmt.Sprint(chance.IntN(10)/9)+")")
		}
		if len(bookings) == 300 || i == n-1 {
			flush("report_booking", "state, created_at, departure_at, price_total, price_currency, refund_total, "+
				"vessel_name, refund_currency, co2_emissions_kg, co2_forced, mileage_km, first_origin, "+
				"last_destination, terms_fare_type, fare_plating_carriers, airline_names, ticket_numbers, locator, "+
				"frequent_flyer_number_used, custom_fields_map", &bookings)
			if len(flights) > 0 {
				flush("report_segment", "number, state, created_at, vessel_name, carrier, carrier_name, mileage_km, "+
					"co2_emissions_kg, co2_forced, leg, flight_number, origin, destination, gone", &flights)
			}
		}
	}
	return db, in, raw
}

// someBooking is a row's values, of which any may be unknown that can be.
func someBooking(chance *rand.Rand) string {
	created := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli() + chance.Int64N(3*365*24*3600*1000)
	departure := "NULL"
	if chance.IntN(9) > 0 {
		departure = fmt.Sprint(created + []int64{0, 3, 7, 14, 21, 30, 60}[chance.IntN(7)]*24*3600*1000 +
			chance.Int64N(5*24*3600*1000) - 2*24*3600*1000)
	}
	state := gangway.States[chance.IntN(len(gangway.States))]
	var airports []string
	for range 2 {
		airports = append(airports, either(chance, "MNL", "AMS", "SIN", "DOH", "BOM"))
	}
	return strings.Join([]string{"'" + string(state) + "'", fmt.Sprint(created), departure, thousandths(chance),
		either(chance, "USD", "USD", "EUR", "JPY"), thousandths(chance), either(chance, "Aurora", "Ærø ''Star''",
			"İnci", "AURORA B"), either(chance, "USD", "EUR"), thousandths(chance), thousandths(chance),
		thousandths(chance), airports[0], airports[1], either(chance, "marine", "public"),
		either(chance, "QR", "KL", "EK"),
		either(chance, "Qatar Airways, KLM", "Emirates"), either(chance, "618-1"), "'L'", "0",
		either(chance, `{"rank":"AB"}`, `{"rank":"ab","x":"\u003cy\u003e"}`)}, ", ")
}

func either(chance *rand.Rand, texts ...string) string {
	if chance.IntN(7) == 0 {
		return "NULL"
	}
	return "'" + texts[chance.IntN(len(texts))] + "'"
}

func thousandths(chance *rand.Rand) string {
	switch chance.IntN(7) {
	case 0:
		return "NULL"
	case 1:
		return fmt.Sprint(chance.Int64N(1e12))
	}
	return fmt.Sprint(chance.Int64N(3e6))
}

// change changes some bookings and flights, as a program of any version does: under the number of its transaction.
func change(t *testing.T, raw *sql.DB, in store.Scoped, chance *rand.Rand) error {
	changed := `(SELECT max(changed) + 1 FROM report_booking)`
	if strings.Contains(fmt.Sprintf("%T", raw.Driver()), "stdlib") {
		changed = `CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT)`
	}
	for range 5 {
		id := fmt.Sprintf("b%07d", chance.IntN(300))
		for _, statement := range []string{
			`UPDATE report_segment SET state = 'issued', gone = 1 - gone, mileage_km = 777, changed = ` + changed,
			`UPDATE report_booking SET state = 'issued', price_total = 123456, changed = ` + changed,
		} {
			_, err := raw.ExecContext(t.Context(), statement+` WHERE account = $1 AND booking_id = $2`,
				in.Scope().Account, id)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// someFilters are an address of the page.
func someFilters(chance *rand.Rand) url.Values {
	q := url.Values{"from": {""}, "to": {""}, "rank": {[]string{"Spend", "Co2Kg", "Bookings"}[chance.IntN(3)]}}
	day := func() gangway.Date { return gangway.Date("2024-01-01").AddDays(chance.IntN(1100)) }
	for name, values := range map[string][]string{"by": {"departure", "created"}, "from": {string(day())},
		"to": {"2026-12-31", string(day())}, "state": {"issued", "cancelled", "refund_pending"},
		"vessel": {"aurora", `"Aurora"`, `""`, "INCI", "ærø", "'star'"}, "airline": {"QR", "klm", "q"},
		"origin": {"MNL"}, "destination": {"AMS", "DOH"}, "currency": {"USD", "JPY"},
		"fare": {"marine", "public"}, "money": {"EUR"}, "field": {"rank"}} {
		if chance.IntN(5) == 0 {
			q.Set(name, values[chance.IntN(len(values))])
		}
	}
	if q.Has("field") && chance.IntN(2) == 0 {
		q.Set("value", []string{"AB", "ab"}[chance.IntN(2)])
	} else if chance.IntN(20) == 0 {
		q.Set("field", "x")
		q.Set("value", "<y>")
	}
	if q.Get("to") != "" && q.Get("to") < q.Get("from") {
		q.Set("to", "")
	}
	return q
}

// BenchmarkReportPage logs what the page costs of a report with BOOKINGS bookings, 100,000 unless that is set.
func BenchmarkReportPage(b *testing.B) {
	n, err := strconv.Atoi(os.Getenv("BOOKINGS"))
	if err != nil {
		n = 100_000
	}
	for name, url := range map[string]func(testing.TB) string{"sqlite": storetest.SQLiteURL,
		"postgres": storetest.PostgresURL} {
		b.Run(name, func(b *testing.B) {
			db, in, raw := filled(b, url(b), rand.New(rand.NewPCG(1, 1)), n)
			if _, err := raw.ExecContext(b.Context(), "ANALYZE"); err != nil {
				b.Fatal(err)
			}
			measure := func(what string, do func() error) {
				began, before := time.Now(), spent()
				if err := do(); err != nil {
					b.Fatal(err)
				}
				b.Logf("%s: %v, of this program %v", what, time.Since(began), spent()-before)
			}
			page := func(address string) func() error {
				return func() error { return report.Sum(b.Context(), in, address) }
			}
			measure("not packed", page("from=&to="))
			measure("packing", func() error { return sumReports(b, db) })
			for _, address := range []string{"from=&to=", "", "from=&to=&currency=USD", "from=&to=&vessel=a",
				"from=&to=&by=departure&airline=k"} {
				measure("/report?"+address, page(address))
			}
		})
	}
}

// spent is the processor's time that this program has used.
func spent() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
