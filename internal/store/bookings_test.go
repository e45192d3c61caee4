package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

var noon = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)

// createBooking writes a confirmed booking under id, by way of an intent as the desk does.
func createBooking(t *testing.T, in store.Scoped, id string, edit func(*gangway.Booking)) gangway.Booking {
	t.Helper()
	b := gangway.Booking{
		ID: id, Locator: fmt.Sprintf("%.6s", id+"AAAAAA"), CreatedAt: noon, CreatedBy: "ana@example.com",
		Passenger: gangway.Traveller{LastName: "Müller", FirstName: "Jörg"},
		Purpose:   gangway.Purpose{Vessel: "Nordlys", Search: "s1"},
	}
	b.Itinerary = gangway.Itinerary{Segments: []gangway.Segment{{Origin: "MNL", Destination: "AMS",
		Departure: noon.AddDate(0, 1, 0), Arrival: noon.AddDate(0, 1, 1)}}}
	if edit != nil {
		edit(&b)
	}
	return storetest.Book(t, in, b)
}

func issue(b *gangway.Booking) (gangway.Action, error) {
	return b.Move(gangway.Issue, "ana@example.com", noon.Add(time.Minute))
}

func TestUpdateBooking(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		createBooking(t, in, "b1", nil)

		t.Run("what is refused leaves no trace", func(t *testing.T) {
			refusal := gangway.Errorf(gangway.Conflict, "no")
			_, err := in.UpdateBooking(t.Context(), "b1", "", func(b *gangway.Booking) (gangway.Action, error) {
				b.State = gangway.Cancelled
				return gangway.Action{}, refusal
			})
			history, _ := in.History(t.Context(), "b1")
			b, _ := in.Booking(t.Context(), "b1")
			if !errors.Is(err, refusal) || len(history) != 1 || b.State != gangway.Confirmed {
				t.Fatalf("err %v, %d actions, state %s; want the refusal and nothing changed", err, len(history),
					b.State)
			}
		})
		t.Run("of many who move it at once, one succeeds", func(t *testing.T) {
			var wait sync.WaitGroup
			results := make([]error, 10)
			for i := range results {
				wait.Go(func() { _, results[i] = in.UpdateBooking(t.Context(), "b1", "", issue) })
			}
			wait.Wait()
			ok := 0
			for _, err := range results {
				if err == nil {
					ok++
				} else if gangway.KindOf(err) != gangway.Conflict {
					t.Errorf("err = %v; want Conflict", err)
				}
			}
			history, _ := in.History(t.Context(), "b1")
			if ok != 1 || len(history) != 2 {
				t.Fatalf("%d moved it, %d actions; want 1 and 2", ok, len(history))
			}
		})
		t.Run("another environment sees nothing", func(t *testing.T) {
			other := db.In(storetest.Account(t, db).Scope())
			_, err := other.UpdateBooking(t.Context(), "b1", "", issue)
			wantKind(t, gangway.NotFound, err)
		})
		t.Run("a refusal because of an open intent names the state in words", func(t *testing.T) {
			createBooking(t, in, "w1", nil)
			change := func(b *gangway.Booking) (gangway.Action, error) {
				return b.Move(gangway.AskChange, "ana@example.com", noon)
			}
			must(t, did(in.UpdateBooking(t.Context(), "w1", "", change)))
			begin := func(id string) error {
				intent := store.Intent{ID: id, Booking: "w1", Kind: "change", By: "ana@example.com", Doc: []byte("{}"),
					CreatedAt: noon, Lease: noon}
				return in.BeginIntent(t.Context(), intent, func(gangway.Booking) error { return nil })
			}
			must(t, begin("w2"))
			if err := begin("w3"); err == nil || !strings.Contains(err.Error(), "is change pending and somebody") {
				t.Fatalf("it says %v; want the words of the badge", err)
			}
		})
		t.Run("while an intent is open, only its holder can move the booking", func(t *testing.T) {
			createBooking(t, in, "c2", nil)
			intent := store.Intent{ID: "i1", Booking: "c2", Kind: "issue", By: "ana@example.com", Doc: []byte("{}"),
				CreatedAt: noon, Lease: noon}
			agree := func(gangway.Booking) error { return nil }
			must(t, in.BeginIntent(t.Context(), intent, agree))
			intent.ID = "i2"
			wantKind(t, gangway.Conflict, in.BeginIntent(t.Context(), intent, agree))
			wantKind(t, gangway.Conflict, did(in.UpdateBooking(t.Context(), "c2", "", issue)))
			if _, err := in.UpdateBooking(t.Context(), "c2", "i1", issue); err != nil {
				t.Fatalf("UpdateBooking of the holder = %v", err)
			}
			i, err := in.Intent(t.Context(), "i1")
			if err != nil || i.Open || i.Outcome != store.Done {
				t.Fatalf("intent = %+v, %v; want it done", i, err)
			}
		})
	})
}

func TestBookings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		createBooking(t, in, "MULLER", nil)
		createBooking(t, in, "SANTOS", func(b *gangway.Booking) {
			b.Passenger = gangway.Traveller{LastName: "Santos", FirstName: "Maria"}
			b.Purpose.RequestID = "TR-77"
			b.Purpose.Vessel, b.Tickets = "Ocean Tern", []string{"2179990000017"}
			b.CreatedBy, b.CreatedAt = "boris@example.com", noon.Add(time.Hour)
			b.Itinerary.Segments[0].Departure = noon.AddDate(0, 2, 0)
		})
		december := gangway.DateOf(noon.AddDate(0, 1, 0))
		tests := []struct {
			name string
			q    store.BookingQuery
			want []string
		}{
			{"newest first", store.BookingQuery{}, []string{"SANTOS", "MULLER"}},
			{"by locator in lower case", store.BookingQuery{Find: "muller"}, []string{"MULLER"}},
			{"by the start of a surname without its diacritics", store.BookingQuery{Find: "mul"}, []string{"MULLER"}},
			{"by surname and given name", store.BookingQuery{Find: "santos ma"}, []string{"SANTOS"}},
			{"by ticket", store.BookingQuery{Find: "2179990000017"}, []string{"SANTOS"}},
			{"by vessel", store.BookingQuery{Find: "ocean tern"}, []string{"SANTOS"}},
			{"a percent sign finds nothing", store.BookingQuery{Find: "%"}, nil},
			{"a stranger's name finds nothing", store.BookingQuery{Find: "okafor"}, nil},
			{"in a state", store.BookingQuery{State: gangway.Issued}, nil},
			{"for the start of a vessel's name", store.BookingQuery{Vessel: "nord"}, []string{"MULLER"}},
			{"by date of departure", store.BookingQuery{From: december, To: december}, []string{"MULLER"}},
			{"by who booked", store.BookingQuery{By: "boris@example.com"}, []string{"SANTOS"}},
			{"by the start of a ticket number, as the trade writes it", store.BookingQuery{Find: "217-9990"},
				[]string{"SANTOS"}},
			{"by the start of a vessel's name", store.BookingQuery{Find: "ocean"}, []string{"SANTOS"}},
			{"by identifier", store.BookingQuery{Find: "SANTOS"}, []string{"SANTOS"}},
			{"by a travel request's identifier", store.BookingQuery{Find: "TR-77"}, []string{"SANTOS"}},
			{"looked for and in a state", store.BookingQuery{Find: "santos", State: gangway.Issued}, nil},
			{"of a vessel by who booked", store.BookingQuery{Vessel: "ocean", By: "ana@example.com"}, nil},
			{"a page of it", store.BookingQuery{Limit: 1}, []string{"SANTOS"}},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				list, _, err := in.Bookings(t.Context(), tt.q)
				var got []string
				for _, b := range list {
					got = append(got, b.ID)
				}
				if err != nil || fmt.Sprint(got) != fmt.Sprint(tt.want) {
					t.Fatalf("Bookings = %v, %v; want %v", got, err, tt.want)
				}
			})
		}
	})
}

func TestTakeDue(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		for i := range 8 {
			createBooking(t, in, fmt.Sprintf("%06d", i), func(b *gangway.Booking) {
				b.CheckAt = noon.Add(time.Duration(i) * time.Minute)
			})
		}
		createBooking(t, in, "NEVER1", nil)
		capacity := store.WorkCapacity{All: 50, Each: 50}
		now := noon.Add(3*time.Minute + time.Second)
		var mu sync.Mutex
		taken := map[string]int{}
		var wait sync.WaitGroup
		for range 5 {
			wait.Go(func() {
				due, err := db.TakeDue(t.Context(), now, now.Add(time.Minute), capacity)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				for _, d := range due {
					taken[d.ID]++
				}
			})
		}
		wait.Wait()
		if len(taken) != 4 || taken["000000"] != 1 || taken["000003"] != 1 {
			t.Fatalf("taken %v; want the four that are due, each once", taken)
		}
		due, err := db.TakeDue(t.Context(), now.Add(61*time.Second), now.Add(time.Hour), capacity)
		if err != nil || len(due) != 5 {
			t.Fatalf("after the time they were put off: %d, %v; want the four again and the next one", len(due), err)
		}
	})
}

// TestWorkCapacity holds that bookings which are busy at one supplier take no capacity from others.
func TestWorkCapacity(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, dev := storetest.Accounts(t, db)
		due := func(in store.Scoped, locator, supplier string) {
			createBooking(t, in, locator, func(b *gangway.Booking) { b.Supplier, b.CheckAt = supplier, noon })
		}
		for i := range 6 {
			due(db.In(prod.Scope()), fmt.Sprintf("A%05d", i), "duffel")
		}
		due(db.In(prod.Scope()), "B00000", "simulated")
		due(db.In(dev.Scope()), "C00000", "duffel")
		take := func(capacity store.WorkCapacity) map[string]int {
			t.Helper()
			list := sure(db.TakeDue(t.Context(), noon, noon.Add(time.Minute), capacity))(t)
			by := map[string]int{}
			for _, b := range list {
				if b.Scope == dev.Scope() {
					by["dev "]++
				}
				by[b.Supplier]++
			}
			return by
		}
		hung := map[store.SupplierQueue]int{{Account: prod.ID, Supplier: "duffel"}: 2}
		if got := take(store.WorkCapacity{All: 9, Each: 2, Busy: hung}); got["simulated"] != 1 || got["dev "] != 1 ||
			got["duffel"] != 1 {
			t.Fatalf("taken %v; want all but those of the supplier whose queue is full", got)
		}
		if got := take(store.WorkCapacity{All: 9, Each: 4, Busy: hung}); got["duffel"] != 2 {
			t.Fatalf("taken %v; want two besides the two under way", got)
		}
		if got := take(store.WorkCapacity{All: 3, Each: 9}); got["duffel"] != 3 {
			t.Fatalf("taken %v; want no more than the capacity in all", got)
		}
	})
}

// TestLookAgain holds that a look that somebody asked for is not put off by
// whoever was looking at the time.
func TestLookAgain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		b := createBooking(t, in, "LOOK01", func(b *gangway.Booking) {
			b.Supplier, b.Order, b.CheckAt = "duffel", "ord_1", noon
		})
		next := func() time.Time {
			t.Helper()
			b := sure(in.Booking(t.Context(), b.ID))(t)
			return b.CheckAt
		}
		if err := in.LookAgain(t.Context(), b, noon.Add(time.Hour)); err != nil || !next().Equal(noon.Add(time.Hour)) {
			t.Fatalf("the next look is at %s, %v; want an hour later", next(), err)
		}
		before := sure(in.Booking(t.Context(), b.ID))(t)
		must(t, in.LookAtOrder(t.Context(), "duffel", "ord_1", noon.Add(time.Minute)))
		if err := in.LookAgain(t.Context(), before, time.Time{}); err != nil || !next().Equal(noon.Add(time.Minute)) {
			t.Fatalf("the next look is at %s, %v; want the one that was asked for", next(), err)
		}
	})
}

// passported sets every field of the passenger.
func passported(b *gangway.Booking) {
	b.Passenger = gangway.Traveller{
		ID: "E4711", LastName: "Müller", FirstName: "Jörg", DOB: "1988-04-07", Nationality: "DE", Gender: "M",
		DocCountry: "DE", DocNumber: "C01X00T47",
		DocExpire: "2031-02-03", HomeAirport: "HAM", Email: "joerg@example.org", Phone: "+49 40 5550199",
		OnTicket: gangway.TicketName{Last: "MULLER"}, FrequentFlyer: gangway.FrequentFlyer{Airline: "LH",
			Number: "992000111222"}, Extra: json.RawMessage(`{"shoe":"44"}`),
	}
}

// recordedOf is everything that a snapshot keeps of passported's passenger.
const recordedOf = `{"id":"E4711","last_name":"Müller","first_name":"Jörg","nationality":"DE","on_ticket":{"last":"MULLER"}}`

func TestSnapshotsHaveNoPassport(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		in := db.In(storetest.Account(t, db).Scope())
		createBooking(t, in, "a1", passported)
		b, err := in.UpdateBooking(t.Context(), "a1", "", issue)
		if err != nil || b.Passenger.DocNumber != "C01X00T47" {
			t.Fatalf("booking = %+v, %v; want it with the passport", b.Passenger, err)
		}
		for seq := 1; seq <= 2; seq++ {
			wantPassenger(t, url, "a1", seq, recordedOf)
		}
	})
}

// wantPassenger checks the passenger in the snapshot that is stored after an action.
func wantPassenger(t *testing.T, url, booking string, seq int, want string) {
	t.Helper()
	var doc string
	err := raw(t, url).QueryRowContext(t.Context(), `SELECT snapshot FROM action WHERE booking = $1 AND seq = $2`,
		booking, seq).Scan(&doc)
	must(t, err)
	var got struct {
		Passenger map[string]any `json:"passenger"`
	}
	var wanted map[string]any
	must(t, json.Unmarshal([]byte(doc), &got))
	json.Unmarshal([]byte(want), &wanted)
	a, _ := json.Marshal(got.Passenger)
	w, _ := json.Marshal(wanted)
	if string(a) != string(w) || strings.Contains(doc, "C01X00T47") {
		t.Fatalf("snapshot %d keeps of the passenger %s; want %s", seq, a, w)
	}
}
