package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/report"
	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestRowsWhileTheyAreWrittenAnew has two replicas write the report anew, again and again, while others
// book, change and cancel, and travellers are erased. In the end every set tells of each booking what it
// is, no row is missing, and none has come back from before an erasure.
func TestRowsWhileTheyAreWrittenAnew(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		first := openURL(t, url)
		replicas := []*store.DB{first, first}
		if strings.HasPrefix(url, "postgres") {
			replicas[1] = openURL(t, url)
		}
		account := storetest.Account(t, first)
		ids := make([]string, 205) // more than are written in one transaction
		for i := range ids {
			ids[i] = madeFor(t, first.In(account.Scope()), i)
		}
		var builders, writers sync.WaitGroup
		var over atomic.Bool // nothing is written anew any more: what is wrong by then stays wrong
		for n, db := range replicas {
			in, random := db.In(account.Scope()), rand.New(rand.NewPCG(uint64(n), 9))
			builders.Go(func() {
				for range 8 {
					lastly(t, func() error { return in.RebuildReport(t.Context()) })
					written(t, in)
				}
			})
			writers.Go(func() {
				for i := 0; !over.Load(); i++ {
					changeAny(t, in, random, ids[random.IntN(len(ids))])
					if i%10 == 0 {
						madeFor(t, in, 1000*(n+1)+i)
					}
				}
			})
			writers.Go(func() {
				for i := n; i < len(ids) && !over.Load(); i += len(replicas) {
					end(t, in, ids[i])
					lastly(t, func() error {
						_, err := in.EraseTraveller(t.Context(), storetest.Operator,
							erasure.DataSubject{ID: travellerOf(i).ID}, noon.AddDate(0, 0, 1), nil)
						return err
					})
				}
			})
		}
		builders.Wait()
		over.Store(true)
		writers.Wait()
		wantReport(t, first.In(account.Scope()), account)
	})
}

// written waits until no rows are to be written any more.
func written(t *testing.T, in store.Scoped) {
	for some := true; some; {
		lastly(t, func() (err error) {
			some, err = in.BuildReport(t.Context())
			return err
		})
	}
}

// lastly does something again while it loses to others.
func lastly(t *testing.T, do func() error) {
	err := do()
	for range 50 {
		if gangway.KindOf(err) != gangway.Unavailable {
			break
		}
		err = do()
	}
	if err != nil {
		t.Error(err)
	}
}

func openURL(t *testing.T, url string) *store.DB {
	t.Helper()
	db := sure(store.Open(t.Context(), url))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// travellerOf is the traveller of the i-th booking.
func travellerOf(i int) gangway.Traveller {
	return gangway.Traveller{ID: fmt.Sprintf("E-%d", i), LastName: "Xylander" + strings.Repeat("a", 1+i%50),
		FirstName: "Ulrika", DOB: "1979-10-27", FrequentFlyer: gangway.FrequentFlyer{Airline: "SQ", Number: "8001"}}
}

// madeFor books for the i-th traveller.
func madeFor(t *testing.T, in store.Scoped, i int) string {
	id := fmt.Sprintf("%05d", i*7919%99991)
	createBooking(t, in, id, func(b *gangway.Booking) {
		b.Locator, b.Passenger, b.Itinerary = "L"+id, travellerOf(i), twoFlights
	})
	return id
}

// changeAny does something to a booking, if it can be done.
func changeAny(t *testing.T, in store.Scoped, random *rand.Rand, id string) {
	lastly(t, func() error {
		_, err := in.UpdateBooking(t.Context(), id, "", func(b *gangway.Booking) (gangway.Action, error) {
			event := []gangway.Event{gangway.Issue, gangway.Cancel, gangway.CancelForRefund}[random.IntN(3)]
			if !b.Can(event) {
				return gangway.Action{}, nil
			}
			b.Itinerary.Segments = twoFlights.Segments[:1+random.IntN(2)]
			action, err := b.Move(event, "ana@example.com", noon.Add(time.Hour))
			if event == gangway.CancelForRefund {
				b.SetRefund(&gangway.Refund{Amount: gangway.Money{Minor: 4711, Currency: "USD"}}, action.At)
			}
			return action, err
		})
		return err
	})
}

// end cancels a booking, unless that has been done.
func end(t *testing.T, in store.Scoped, id string) {
	lastly(t, func() error {
		_, err := in.UpdateBooking(t.Context(), id, "", func(b *gangway.Booking) (gangway.Action, error) {
			if !b.Can(gangway.Cancel) {
				return gangway.Action{}, nil
			}
			return b.Move(gangway.Cancel, "ana@example.com", noon.Add(time.Hour))
		})
		return err
	})
}

// wantReport compares the sets that are kept with what the bookings say.
func wantReport(t *testing.T, in store.Scoped, account gangway.Account) {
	t.Helper()
	want, got := map[string][]string{}, map[string][]string{}
	erased := 0
	list, more, err := in.Bookings(t.Context(), store.BookingQuery{Limit: 1000})
	if err != nil || more {
		t.Fatal(err, more)
	}
	for _, b := range list {
		if b.Passenger.Erased() {
			erased++
		}
		for _, told := range report.OfBooking(b, account.Customer.ID) {
			for _, row := range told.Rows {
				want[told.Set.Name] = append(want[told.Set.Name], string(told.Set.AppendMembers(nil, row)))
			}
		}
	}
	for _, set := range report.Kept {
		rows, _ := reported(t, in, query.Request{Query: asked(t, set.Name, "").Query})
		got[set.Name] = rows
		slices.Sort(want[set.Name])
		slices.Sort(got[set.Name])
		if !slices.Equal(got[set.Name], want[set.Name]) {
			t.Errorf("%s: %s", set.Name, difference(strings.Join(got[set.Name], "\n"),
				strings.Join(want[set.Name], "\n")))
		}
	}
	if erased == 0 || len(got["FlightBookingDetailed"]) < 200 || len(got["Refunds"]) == 0 {
		t.Errorf("%d were erased, and there are %d bookings and %d refunds: that proves little", erased,
			len(got["FlightBookingDetailed"]), len(got["Refunds"]))
	}
}

// TestManyChangesAreSummed holds that all periods are packed when more bookings have changed than are looked up.
func TestManyChangesAreSummed(t *testing.T) {
	t.Cleanup(store.SetChangesSummed(2))
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		for i := range 6 {
			createBooking(t, in, fmt.Sprint("B0000", i), func(b *gangway.Booking) {
				b.CreatedAt = noon.AddDate(0, 0, 7*i)
			})
		}
		for sure(db.SumReports(t.Context()))(t) {
		}
		n := 0
		must(t, in.ReportLines(t.Context(), 0, 1<<62, false, func(store.ReportLine) { n++ }))
		if n != 6 {
			t.Errorf("%d of 6 bookings are added up", n)
		}
	})
}
