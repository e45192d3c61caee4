package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/api"
)

// An impactAnswer is what crew-changes/impact answers.
type impactAnswer struct {
	TravelRequestID string `json:"travel_request_id"`
	ChangeDate      string `json:"change_date"`
	MovedFrom       string `json:"moved_from"`
	MovedTo         string `json:"moved_to"`
	People          []struct {
		ID, Side, Plan  string
		Also, Bookings  []string
		Nights          int
		Arrives, Leaves string
	}
	Counts map[gangway.Standing]int
}

func (s *surface) impact(t *testing.T, query string, header ...string) (result, impactAnswer) {
	t.Helper()
	res := s.do(t, "GET", "/crew-changes/impact?"+query, nil, header...)
	var answer impactAnswer
	if res.status == 200 {
		must(t, json.Unmarshal([]byte(res.body), &answer))
	}
	return res, answer
}

// shipOn is a crew change at AMS on a date; each person is "C-1", or "C-1 Surname".
func shipOn(id, date string, on, off []string) record {
	side := func(list []string, call string) (members []any) {
		for _, who := range list {
			id, surname, _ := strings.Cut(who, " ")
			m := with(with(traveller(), "id", id), "doc_number", "P"+strings.TrimPrefix(id, "C-"))
			if m["last_name"] = surname; surname == "" {
				m["last_name"] = "One" + string('A'+rune(len(id)%26))
			}
			m["first_name"] = "Person " + strings.Map(func(r rune) rune { return 'A' + r - '0' }, id[2:])
			members = append(members, with(m, call, record{"port": "AMS", "date": date}))
		}
		return members
	}
	c := record{"vessel": "Nordlys", "flag": "NO", "change_date": date}
	if id != "" {
		c["travel_request_id"] = id
	}
	if on != nil {
		c["onsigners"] = side(on, "arrive")
	}
	if off != nil {
		c["offsigners"] = side(off, "depart")
	}
	return c
}

// TestImpactHasEachStanding brings each standing about, and holds how each person is answered.
func TestImpactHasEachStanding(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := surfaceOn(t, db, api.Limits{})
		on := []string{"C-1", "C-2", "C-3", "C-4", "C-5", "C-6", "C-7", "C-8", "C-9", "C-10", "C-11", "C-12"}
		s.wantAccepted(t, "/travel-requests", shipOn("CC-1", "2026-12-05", slices.Concat(on, []string{"C-20"}),
			[]string{"C-14", "C-15", "C-16"}))
		c, err := s.in.CrewChange(t.Context(), "id:CC-1")
		must(t, err)
		who := map[string]gangway.Traveller{}
		for _, m := range slices.Concat(c.OnSigners, c.OffSigners) {
			who[m.ID] = m.Traveller
		}
		book := func(id, from, to, leaves, lands string, change func(*gangway.Booking)) {
			t.Helper()
			at := func(text string) time.Time {
				when, err := time.Parse("2006-01-02 15:04 -0700", text)
				must(t, err)
				return when
			}
			person, suffix, _ := strings.Cut(id, "/")
			b := gangway.Booking{ID: "b" + id, Locator: "L" + person[2:] + suffix, CreatedBy: "ana@example.com",
				CreatedAt: now.Add(time.Duration(len(id)) * time.Second), Passenger: who[person],
				Purpose: gangway.Purpose{Change: "id:CC-1", Side: gangway.OnSigner, Airport: "AMS"}}
			if from == "AMS" {
				b.Purpose.Side = gangway.OffSigner
			}
			b.Itinerary.Segments = []gangway.Segment{{Origin: gangway.Airport(from), Destination: gangway.Airport(to),
				Departure: at(leaves), Arrival: at(lands)}}
			action, err := b.Move(gangway.Book, "ana@example.com", now)
			must(t, err)
			change(&b)
			must(t, s.in.BeginBooking(t.Context(), store.Intent{ID: b.ID, Booking: b.ID, Kind: "book",
				Doc: []byte("{}"), CreatedAt: now, Lease: now}, store.Hold{Search: b.ID}))
			must(t, did(s.in.CreateBooking(t.Context(), b.ID, b, action)))
		}
		held := func(*gangway.Booking) {}
		issued := func(b *gangway.Booking) { b.State, b.Tickets = gangway.Issued, []string{"1762400187321"} }
		inTime := []string{"MNL", "AMS", "2026-12-07 20:00 +0800", "2026-12-08 09:00 +0100"}
		fits := func(id string, change func(*gangway.Booking)) {
			t.Helper()
			book(id, inTime[0], inTime[1], inTime[2], inTime[3], change)
		}
		book("C-1", "MNL", "AMS", "2026-11-02 12:00 +0800", "2026-11-02 23:00 +0100", issued)
		book("C-2", "MNL", "AMS", "2026-11-01 12:00 +0800", "2026-11-01 23:00 +0100", issued)
		fits("C-3", func(b *gangway.Booking) {
			b.State, b.Change = gangway.ChangePending, &gangway.PendingChange{ByAirline: true}
		})
		fits("C-4", func(b *gangway.Booking) { b.State, b.Change = gangway.ChangePending, &gangway.PendingChange{} })
		book("C-5", "MNL", "SIN", "2026-12-08 04:00 +0800", "2026-12-08 09:00 +0800", held)
		book("C-6", "MNL", "AMS", "2026-12-08 10:00 +0800", "2026-12-09 01:00 +0100", held)
		fits("C-7", func(b *gangway.Booking) { b.Purpose = gangway.Purpose{} })
		book("C-9", "MNL", "AMS", "2026-12-04 20:00 +0800", "2026-12-05 04:20 +0100", held)
		fits("C-10", func(b *gangway.Booking) { b.Passenger.LastName = "Maiden" })
		book("C-11", "MNL", "AMS", "2026-12-08 02:00 +0800", "2026-12-08 15:00 +0100", held)
		fits("C-12", held)
		book("C-12/B", "MNL", "AMS", "2026-12-04 20:00 +0800", "2026-12-05 04:20 +0100", held)
		book("C-14", "AMS", "MNL", "2026-12-08 08:00 +0100", "2026-12-09 06:00 +0800", held)
		book("C-15", "AMS", "MNL", "2026-12-11 10:00 +0100", "2026-12-12 06:00 +0800", held)
		book("C-16", "AMS", "MNL", "2026-12-08 14:00 +0100", "2026-12-09 06:00 +0800", held)
		fits("C-20", held)
		// Three days later, one is removed and one comes.
		s.wantAccepted(t, "/travel-requests", shipOn("CC-1", "2026-12-08", slices.Concat(on, []string{"C-13"}),
			[]string{"C-14", "C-15", "C-16"}))

		const early, night = "2026-12-05T04:20:00+01:00", "2026-12-08T09:00:00+01:00"
		want := map[string]string{
			"C-1": "under_way too_early | 36 L1 2026-11-02T23:00:00+01:00",
			"C-2": "arrived too_early | 37 L2 2026-11-01T23:00:00+01:00", "C-3": "airline_changed | 0 L3 " + night,
			"C-4": "changing | 0 L4 " + night, "C-5": "wrong_place | 0 L5 2026-12-08T02:00:00+01:00",
			"C-6": "too_late | 0 L6 2026-12-09T01:00:00+01:00", "C-7": "booked_elsewhere | 0", "C-8": "not_booked | 0",
			"C-9": "too_early | 3 L9 " + early, "C-10": "name_changed | 0 L10 " + night,
			"C-11": "just_in_time | 0 L11 2026-12-08T15:00:00+01:00", "C-12": "fits booked_twice | 0 L12B,L12 " + night,
			"C-13": "not_booked new | 0", "C-14": "leaves_before_ship | 0 L14 2026-12-08T08:00:00+01:00",
			"C-15": "waits_too_long | 3 L15 2026-12-11T10:00:00+01:00",
			"C-16": "fits | 0 L16 2026-12-08T14:00:00+01:00",
			"C-20": "no_longer_travelling | 0 L20",
		}
		res, got := s.impact(t, "travel_request_id=CC-1")
		if res.status != 200 || got.ChangeDate != "2026-12-08" || got.MovedFrom != "2026-12-05" || got.MovedTo != "" {
			t.Fatalf("%d %.300s", res.status, res.body)
		}
		counts := map[gangway.Standing]int{}
		for _, p := range got.People {
			said := fmt.Sprint(strings.Join(append([]string{p.Plan}, p.Also...), " "), " | ", p.Nights, " ",
				strings.Join(p.Bookings, ","), " ", p.Arrives, p.Leaves)
			if said = strings.TrimSpace(said); said != want[p.ID] {
				t.Errorf("%s: %s; want %s", p.ID, said, want[p.ID])
			}
			if off := p.Side == "offsigner"; off != (p.ID >= "C-14" && p.ID <= "C-16") || p.Leaves != "" && !off ||
				p.Arrives != "" && off || !off && p.Side != "onsigner" {
				t.Errorf("%s is %s, who arrives %q and leaves %q", p.ID, p.Side, p.Arrives, p.Leaves)
			}
			counts[gangway.Standing(p.Plan)]++
			delete(want, p.ID)
		}
		if len(want) > 0 || !maps.Equal(counts, got.Counts) || len(got.Counts) != len(gangway.Standings) {
			t.Errorf("nobody is %v; the counts are %v; want %v", want, got.Counts, counts)
		}
	})
}

// TestImpactIsAskedFor holds each way of naming a crew change, what is refused, and the ETag.
func TestImpactIsAskedFor(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := surfaceOn(t, db, api.Limits{})
		stranger := surfaceOn(t, db, api.Limits{})
		send := func(id, date string) {
			t.Helper()
			s.wantAccepted(t, "/travel-requests", shipOn(id, date, []string{"C-" + id + "1"}, nil))
		}
		const ship = "vessel=nordlys&flag=no&change_date="
		ask := func(query string, status int, want string) {
			t.Helper()
			res, got := s.impact(t, query)
			said := strings.TrimSpace(strings.Join([]string{got.TravelRequestID, got.ChangeDate, got.MovedFrom,
				got.MovedTo}, " "))
			if status != 200 {
				said = res.body
			}
			if res.status != status || status == 200 && said != want || !strings.Contains(said, want) {
				t.Errorf("%s is answered %d %q %.200s; want %d %q", query, res.status, said, res.body, status, want)
			}
		}
		send("1", "2026-12-05")
		ask("travel_request_id=1", 200, "1 2026-12-05")
		ask(ship+"2026-12-05", 200, "1 2026-12-05")
		ask("vessel=Nordlys&change_date=2026-12-05", 200, "1 2026-12-05")
		ask("vessel=Nordlys&flag=&change_date=2026-12-05", 200, "1 2026-12-05")
		ask("vessel=Nordlys&flag=PA&change_date=2026-12-05", 404, "there is no such crew change")
		ask("travel_request_id=2", 404, "there is no such crew change")
		ask(ship+"2026-12-06", 404, "there is no such crew change")
		ask("", 400, "travel_request_id")
		ask("travel_request_id=1&flag=NO", 400, "not both")
		ask("vessel=Nordlys", 400, "change_date")
		ask("vessel=Nordlys&change_date=5.12.2026", 400, "YYYY-MM-DD")
		ask("travel_request_id=1&colour=red", 400, "There is no parameter colour here")
		for _, query := range []string{"travel_request_id=1", ship + "2026-12-05"} {
			if res, _ := stranger.impact(t, query); res.status != 404 || strings.Contains(res.body, "Nordlys") {
				t.Errorf("another account is answered %d %s", res.status, res.body)
			}
		}
		if res, _ := s.impact(t, "travel_request_id=1", "X-Api-Key", ""); res.status != 401 {
			t.Errorf("without a key: %d %s", res.status, res.body)
		}

		first, _ := s.impact(t, "travel_request_id=1")
		tag := first.header.Get("ETag")
		for _, sent := range []string{tag, `"other", W/` + tag, "*"} {
			res, _ := s.impact(t, "travel_request_id=1", "If-None-Match", sent)
			if res.status != 304 || res.body != "" || res.header.Get("ETag") != tag {
				t.Errorf("If-None-Match: %s is answered %d %s", sent, res.status, res.body)
			}
		}
		res := s.do(t, "HEAD", "/crew-changes/impact?travel_request_id=1", nil)
		if res.status != 200 || res.body != "" || res.header.Get("ETag") != tag {
			t.Errorf("HEAD is answered %d, %v", res.status, res.header)
		}

		send("1", "2026-12-08")
		send("1", "2026-12-09")
		if res, _ := s.impact(t, "travel_request_id=1", "If-None-Match", tag); res.status != 200 {
			t.Errorf("a moved crew change has the ETag that it had: %d", res.status)
		}
		ask("travel_request_id=1", 200, "1 2026-12-09 2026-12-08")
		ask(ship+"2026-12-05", 200, "1 2026-12-09 2026-12-08 2026-12-09")
		ask(ship+"2026-12-08", 200, "1 2026-12-09 2026-12-08 2026-12-09")
		ask(ship+"2026-12-09", 200, "1 2026-12-09 2026-12-08")
		send("2", "2026-12-05") // what has the date now comes first
		ask(ship+"2026-12-05", 200, "2 2026-12-05")
		send("3", "2026-12-05")
		ask(ship+"2026-12-05", 409, `"travel_request_ids":["2","3"]`)
		must(t, s.in.MoveCrewChange(t.Context(), "id:3", gangway.ShipMove{Date: "2026-12-20", By: "ana@example.com",
			At: now}))
		ask(ship+"2026-12-05", 200, "2 2026-12-05")
		ask(ship+"2026-12-20", 200, "3 2026-12-20 2026-12-05")

		crew := []string{"C-901", "C-902", "C-903", "C-904"}
		s.wantAccepted(t, "/travel-requests", with(shipOn("", "2027-01-05", crew, nil), "vessel", "Ørn"))
		s.wantAccepted(t, "/travel-requests", with(shipOn("", "2027-01-08", crew, nil), "vessel", "Ørn"))
		ask("vessel=%C3%98rn&change_date=2027-01-05", 200, "2027-01-08 2027-01-05 2027-01-08")
	})
}
