package reporting_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/reporting"
)

// cancel cancels the booking of a number.
func (s *service) cancel(t *testing.T, id string) {
	t.Helper()
	_, err := s.in.UpdateBooking(t.Context(), id, "", func(b *gangway.Booking) (gangway.Action, error) {
		return b.Move(gangway.Cancel, "ana@halcyon.example", b.CreatedAt.Add(time.Hour))
	})
	must(t, err)
}

// track reads all pages from an address on, and returns the bookings, those that are gone, and the link to
// what changes later.
func (s *service) track(t *testing.T, at string, header ...string) (ids, gone []string, delta string) {
	t.Helper()
	for range 50 {
		p := s.ask(t, http.MethodGet, at, "", header...).page(t)
		for _, row := range p.Value {
			if id, ok := row["BookingId"].(string); ok {
				ids = append(ids, id)
				continue
			}
			id, _ := row["id"].(string)
			if removed, ok := row["@odata.removed"].(map[string]any); ok && removed["reason"] == "changed" {
				id, _ = row["@odata.id"].(string)
			}
			gone = append(gone, strings.TrimSuffix(strings.TrimPrefix(id, s.root()+"FlightBookingDetailed('"), "')"))
		}
		if at = p.Next; at == "" {
			return ids, gone, p.Delta
		}
	}
	t.Fatal("the pages never end")
	return nil, nil, ""
}

// trackOn is track from a link to changes until the next link leads further: on PostgreSQL it does not while a
// transaction of another database of the server, such as one of another test, goes on that is older than the changes.
func (s *service) trackOn(t *testing.T, delta string, header ...string) (ids, gone []string, next string) {
	t.Helper()
	for began := time.Now(); time.Since(began) < 5*time.Minute; {
		ids, gone, next = s.track(t, delta, header...)
		if next != delta || strings.HasSuffix(t.Name(), "sqlite") {
			break
		}
	}
	return ids, gone, next
}

// TestDeltaLinks holds that who has read the report once reads only what has changed.
func TestDeltaLinks(t *testing.T) {
	each(t, 7, reporting.Limits{Rows: 3}, func(t *testing.T, s *service) {
		const asked = "FlightBookingDetailed?$filter=State eq 'confirmed'&$select=BookingId,State"
		a := s.get(t, asked, "Prefer", "odata.track-changes, odata.maxpagesize=4")
		if got := a.header.Get("Preference-Applied"); got != "odata.maxpagesize=4, odata.track-changes" {
			t.Errorf("Preference-Applied: %s", got)
		}
		ids, _, delta := s.track(t, s.root()+asked, "Prefer", "track-changes")
		if len(ids) != 7 || delta == "" {
			t.Fatalf("it has %v, and the link %q", ids, delta)
		}
		for _, id := range []string{"B001", "B004"} {
			s.cancel(t, id)
		}
		for i := range 4 {
			s.book(t, 7+i)
		}
		for _, version := range []string{"4.0", "4.01"} {
			ids, gone, next := s.trackOn(t, delta, "Odata-Maxversion", version, "Prefer", "odata.maxpagesize=2")
			slices.Sort(gone)
			if !slices.Equal(gone, []string{"B001", "B004"}) || next == "" || next == delta ||
				!slices.Equal(fresh(ids), []string{"B007", "B008", "B009", "B010"}) {
				t.Errorf("%s: since then %v, without %v, and %q", version, ids, gone, next)
			}
			if ids, gone, _ = s.track(t, next); strings.HasSuffix(t.Name(), "sqlite") && len(ids)+len(gone) > 0 {
				t.Errorf("%s: with nothing changed there are %v and %v", version, ids, gone)
			}
		}
		p := s.ask(t, http.MethodGet, delta, "").page(t)
		if p.Context != s.root()+"$metadata#FlightBookingDetailed(BookingId,State)/$delta" {
			t.Errorf("the context of changes is %s", p.Context)
		}
		a = s.get(t, "FlightBookingDetailed?$select=State", "Prefer", "track-changes")
		_, _, delta = s.track(t, s.root()+"FlightBookingDetailed?$select=State", "Prefer", "track-changes")
		s.book(t, 11)
		changes := ""
		for at := delta; at != ""; at = a.page(t).Next { // on PostgreSQL rows may come again before it
			a = s.ask(t, http.MethodGet, at, "")
			changes += a.body
		}
		if !strings.Contains(changes, `{"@odata.id":"`+s.root()+`FlightBookingDetailed('B011')","State":"confirmed"}`) {
			t.Errorf("without its key selected a changed row is in %s", changes)
		}
	})
}

// fresh are the bookings that were made after the first seven.
func fresh(ids []string) (list []string) {
	for _, id := range ids {
		if id >= "B007" {
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestLinksToChangesEnd holds when such links lead nowhere any more, and where there are none.
func TestLinksToChangesEnd(t *testing.T) {
	each(t, 2, reporting.Limits{}, func(t *testing.T, s *service) {
		_, _, delta := s.track(t, s.root()+"FlightBookingDetailed", "Prefer", "odata.track-changes")
		for _, without := range []string{"FlightBookingDetailed?$top=5", "FlightBookingDetailed?$skip=1",
			"FlightBookingDetailed?$apply=aggregate($count as N)"} {
			a := s.get(t, without, "Prefer", "odata.track-changes")
			if p := a.page(t); p.Delta != "" || a.header.Get("Preference-Applied") != "" {
				t.Errorf("%s has a link to changes: %v", without, p)
			}
		}
		token := delta[strings.Index(delta, "$deltatoken=")+len("$deltatoken="):]
		other := newService(t, s.db, 0, reporting.Limits{})
		for name, a := range map[string]answer{
			"forged":          s.get(t, "FlightBookingDetailed?$deltatoken=AAAA"+token),
			"of a page":       s.get(t, "FlightBookingDetailed?$skiptoken="+token),
			"another filter":  s.ask(t, http.MethodGet, delta+"&$filter=State eq 'issued'", ""),
			"another account": other.get(t, strings.TrimPrefix(delta, s.root())),
		} {
			if a.fault(t); a.status != 400 {
				t.Errorf("%s: %d, %s", name, a.status, a.body)
			}
		}
		s.clock.Add(int64(30 * 24 * time.Hour))
		if a := s.ask(t, http.MethodGet, delta, ""); a.status != 200 {
			t.Errorf("after 30 days: %d, %s", a.status, a.body)
		}
		s.clock.Add(int64(time.Second))
		a := s.ask(t, http.MethodGet, delta, "")
		if _, message, _ := a.fault(t); a.status != 410 || !strings.Contains(message, "read everything anew") {
			t.Errorf("later: %d, %s", a.status, a.body)
		}
		_, _, delta = s.track(t, s.root()+"FlightBookingDetailed", "Prefer", "odata.track-changes")
		s.clock.Add(int64(time.Second))
		at := now.Add(time.Duration(s.clock.Load()))
		if err := s.db.FinishRestore(t.Context(), at, at); err != nil {
			t.Fatal(err)
		}
		if a := s.ask(t, http.MethodGet, delta, ""); a.status != 410 {
			t.Errorf("once the database was restored: %d, %s", a.status, a.body)
		}
		s.clock.Add(int64(time.Second))
		_, _, delta = s.track(t, s.root()+"FlightBookingDetailed", "Prefer", "odata.track-changes")
		storetest.Settings(t, s.in, gangway.Settings{RadiativeForcing: true})
		if a := s.ask(t, http.MethodGet, delta, ""); a.status != 410 {
			t.Errorf("once emissions are told in another way: %d, %s", a.status, a.body)
		}
	})
}
