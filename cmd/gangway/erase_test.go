package main

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gangway/internal/need"
)

// nobodyElse is a record of a traveller whose values nobody else has.
func nobodyElse() map[string]any {
	return map[string]any{
		"id": "E-4711", "last_name": "Żółkiewska-Quuxley", "first_name": "Bartłomieja", "dob": "1979-10-27",
		"nationality": "PL", "gender": "F",
		"doc_country": "PL", "doc_number": "ZQ773190X", "doc_expire": "2035-01-01", "home_airport": "WAW",
		"email": "quuxley@example.org", "phone": "+48225550147",
		"shoe_size": "of Bartłomieja, born 27/10/1979",
	}
}

// traces are the bytes that must not be left: the passport, the birth date as it was sent and as somebody
// wrote it, and the name as sent, as searched for and as printed on the ticket.
var traces = []string{
	"ZQ773190X", "zq773190x", "1979-10-27", "27/10/1979", "27OCT79", "Żółkiewska", "zolkiewska", "ZOLKIEWSKA",
	"Quuxley", "quuxley", "QUUXLEY",
	"Bartłomieja", "bartlomieja", "BARTLOMIEJA", "BARTŁOMIEJA", `Bart\u0142omieja`, "225550147", "8001773190",
}

// TestNothingIsLeft erases a traveller who was part of everything, while a server is running, and searches
// every byte.
func TestNothingIsLeft(t *testing.T) {
	onEither(t, func(t *testing.T, database string) {
		w := newLife(t, database)
		w.live()
		w.trace()
		before := dump(t, database)
		for _, word := range []string{"ZQ773190X", "1979-10-27", "27/10/1979", "27OCT79", "Żółkiewska", "zolkiewska",
			"Bartłomieja"} {
			if !bytes.Contains(before, []byte(word)) {
				t.Errorf("%q was not there before, so the test checks nothing", word)
			}
		}
		b := w.booking()
		who := []string{"traveller", "erase", "--database", database, "--customer", w.id, "--environment", "production",
			"--id", "E-4711"}
		refused(t, b.Locator, who...)
		w.cancel()
		_, first, err := call(http.MethodGet, w.base+"/bookings?pull=first", w.key, nil)
		if err != nil || !bytes.Contains(first, []byte("Bartłomieja")) {
			t.Fatalf("the first pull is %s, %v; want one with the traveller", first, err)
		}
		b = w.booking()

		exported(t, database, w.id)
		got := answer[erasedTraveller](t, who...)
		if got.Travellers != 1 || got.Requests != 1 || got.CrewChanges != 2 || got.Searches != 2 || got.Bookings != 1 ||
			got.Actions != b.Version || got.HandOffs != 1 || len(got.Alike) > 0 {
			t.Errorf("erased: %+v; want all that there was", got)
		}
		nothingLeft(t, database)

		// The figures stay, and the same pull gives the same actions without the person.
		now := w.booking()
		if now.State != b.State || now.Price != b.Price || now.Locator != b.Locator || now.Purpose.Vessel !=
			b.Purpose.Vessel || len(now.Itinerary.Segments) != len(b.Itinerary.Segments) || !now.Passenger.Erased() {
			t.Errorf("the booking is %+v; want its figures as they were", now)
		}
		if got, want := now.InvoiceNumbers(), []string{"INV-2026-00417", "INV erased", "erased",
			"419-erased"}; !slices.Equal(got, want) {
			t.Errorf("the invoices are %q; want %q", got, want)
		}
		_, again, err := call(http.MethodGet, w.base+"/bookings?pull=first", w.key, nil)
		if err != nil || bytes.Count(again, []byte(`"timestamp"`)) != bytes.Count(first, []byte(`"timestamp"`)) ||
			!bytes.Contains(again, []byte(`"passenger":{"last_name":"ERASED","first_name":"TRAVELLER","id":""}`)) {
			t.Errorf("the pull repeats as %s, %v; want the same actions of an erased traveller", again, err)
		}
		// A traveller who is sent again is somebody new.
		w.upload()
		if found, err := w.in.SuggestTravellers(t.Context(), "zolkiewska", nil, 10); err != nil || len(found) != 1 {
			t.Errorf("sent again, the traveller is found %d times, %v; want once", len(found), err)
		}
		if w.booking().Passenger.ID != "" {
			t.Error("the traveller sent again has the bookings of the erased one")
		}
		refused(t, "no such traveller", "traveller", "erase", "--database", database, "--customer", w.id,
			"--environment", "development", "--id", "E-4711")
		answer[erasedTraveller](t, "traveller", "erase", "--database", database, "--customer", w.id, "--environment",
			"production", "--doc-country", "pl", "--doc-number", "zq773190x")
	})
}

// exported exports the traveller, of whom each kind of record is there, and nothing of anybody else.
func exported(t *testing.T, database, customer string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "person.json")
	ask := []string{"traveller", "export", file, "--database", database, "--customer", customer, "--environment",
		"production", "--doc-country", "PL", "--doc-number", "zq 773190x"}
	sum := answer[exportSummary](t, ask...)
	refused(t, "file exists", ask...)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v; want one for its owner only", info, err)
	}
	for _, kind := range []string{"travellers", "travel_requests", "crew_changes", "searches", "attempts_to_book",
		"bookings", "actions", "deliveries", "supplier_documents"} {
		if sum.Records[kind] == 0 {
			t.Errorf("there are no %s among %v", kind, sum.Records)
		}
	}
	doc := string(sure(os.ReadFile(file))(t))
	for _, word := range []string{"ZQ773190X", "1979-10-27", "Żółkiewska-Quuxley", "of Bartłomieja, born 27/10/1979"} {
		if !strings.Contains(doc, word) {
			t.Errorf("the file lacks %q", word)
		}
	}
	if i := strings.Index(doc, "P0000001A"); i >= 0 {
		t.Errorf("the file has somebody else: %s", doc[max(0, i-300):i+50])
	}
	log := ran(t, gangwayCommand(t, "audit", "--database", database, "--what", "traveller.exported", "--json"))
	if strings.Count(log, `"id":["E-4711"]`) != 1 {
		t.Errorf("the audit log has %s; want one entry with the identifier", log)
	}
}

// dump returns everything that can be read of a database: for SQLite, every byte of its files.
func dump(t *testing.T, database string) []byte {
	t.Helper()
	if path, ok := strings.CutPrefix(database, "sqlite:"); ok {
		var all []byte
		for _, suffix := range []string{"", "-wal", "-journal"} {
			part, err := os.ReadFile(path + suffix)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			all = append(all, part...)
		}
		return all
	}
	out, err := exec.Command(filepath.Join(need.PostgreSQLPrograms(t), "pg_dump"), "--inserts", database).Output()
	if err != nil {
		t.Fatalf("pg_dump: %v", err)
	}
	return out
}
