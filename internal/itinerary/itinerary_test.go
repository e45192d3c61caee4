package itinerary_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/itinerary"
	"gangway/internal/itinerarytest"
	"gangway/internal/need"

	ics "github.com/arran4/golang-ical"
)

// booked is an on-signer's way from Manila to the port of Rotterdam.
func booked(t *testing.T, last, first string) gangway.Booking {
	t.Helper()
	b := gangway.Booking{ID: "bkg_1", State: gangway.Issued, PNRs: []string{"QX7L2M"},
		Tickets: []string{"176-2412345678"},
		Passenger: gangway.Traveller{LastName: last, FirstName: first, Nationality: "PL", DocNumber: "P1234567A",
			DOB: "1984-03-09"},
		Purpose: gangway.Purpose{Side: gangway.OnSigner, Vessel: "Nordlys",
			Between: []gangway.Between{{From: "MNL", To: "NLRTM", ToRoad: 106}}}}
	b.Itinerary = itinerarytest.ViaDubai(t)
	b.Itinerary.Segments[1].DestinationTerminal = "3"
	b.Baggage = []gangway.Allowance{{Origin: "MNL", Destination: "AMS", Pieces: 2, WeightKg: 23}}
	return b
}

// paper is that of bookings; private: their own.
func paper(private bool, list ...gangway.Booking) itinerary.Paper {
	p := itinerary.Paper{Title: "Nordlys · port of Rotterdam", At: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
		Facts: itinerary.Contacts("Harbour Crewing", "+47 22 00 00 00", gangway.PortAgent{Port: "NLRTM",
			Name: "Maas Agency", Phone: "+31 10 000 00 00"}, private)}
	for _, b := range list {
		p.Trips = append(p.Trips, itinerary.TripOf(b, itinerary.Whose{Rank: "Bosun", Private: private}))
	}
	return p
}

func text(t *testing.T, p itinerary.Paper) string {
	t.Helper()
	var out bytes.Buffer
	calltest.Done(t, itinerary.WriteText(&out, p))
	return out.String()
}

// pdf is what pdftotext reads in the PDF.
func pdf(t *testing.T, p itinerary.Paper) string {
	t.Helper()
	var out bytes.Buffer
	calltest.Done(t, itinerary.WritePDF(&out, p))
	file := filepath.Join(t.TempDir(), "paper.pdf")
	calltest.Done(t, os.WriteFile(file, out.Bytes(), 0o600))
	read := exec.CommandContext(t.Context(), need.PDFReader(t), "-layout", "-enc", "UTF-8", file, "-")
	words, err := read.CombinedOutput()
	if err != nil {
		t.Fatalf("pdftotext: %v\n%s", err, words)
	}
	return string(words)
}

// TestTextAndPDF holds that both have the same itinerary, by local times.
func TestTextAndPDF(t *testing.T) {
	p := paper(true, booked(t, "Łukasiewicz", "Józef Ő"))
	p.Unreal = true
	for name, words := range map[string]string{"text": text(t, p), "PDF": pdf(t, p)} {
		flat := strings.Join(strings.Fields(words), " ")
		at := 0
		for _, want := range []string{"Nordlys · port of Rotterdam", "these flights are not real",
			"Harbour Crewing +47 22 00 00 00",
			"Maas Agency +31 10 000 00 00", "LUKASIEWICZ/JOZEF O", "Łukasiewicz, Józef Ő", "Bosun", "QX7L2M",
			"176-2412345678", "2 × 23 kg", "Tue 1 Dec 2026", "18:10 Manila MNL", "EK 333 · Emirates · economy · 9 h 35",
			"23:45 Dubai DXB", "Connection 1 h 45", "Wed 2 Dec 2026", "01:30 Dubai DXB", "KL 428",
			"06:10 Amsterdam AMS, terminal 3", "07:56 At the port of Rotterdam, about 1 h 46 by road"} {
			found := strings.Index(flat[at:], want)
			if found < 0 {
				t.Errorf("%s has no %q behind %q:\n%s", name, want, flat[max(0, at-20):at], words)
				continue
			}
			at += found
		}
		if strings.Contains(words, "P1234567A") || strings.Contains(words, "1984") {
			t.Errorf("%s has a passport or a date of birth:\n%s", name, words)
		}
	}
}

// TestLettersOfPDF holds that a PDF has names as sent where the font has all their letters, and never a box.
func TestLettersOfPDF(t *testing.T) {
	for _, name := range []struct {
		last, first, sent string // sent: as the PDF has it; empty: only the ticket's form
	}{
		{"Жуков", "Юрий Їжак", "Жуков, Юрий Їжак"},
		{"Παπαδόπουλος", "Γιώργος", "Παπαδόπουλος, Γιώργος"},
		{"Kova\u0308cs", "Ștefan", "Koväcs, Ștefan"}, // decomposed
		{"Nguyễn", "Thế", ""},
		{"王", "小明", ""},
	} {
		b := booked(t, name.last, name.first)
		b.Passenger.OnTicket = gangway.TicketName{Last: "PRINTED", First: "NAME"}
		words := pdf(t, paper(true, b))
		if !strings.Contains(words, "PRINTED/NAME") || name.sent != "" && !strings.Contains(words, name.sent) ||
			strings.ContainsAny(words, "?\ufffd") || name.sent == "" && strings.Contains(words, name.last) {
			t.Errorf("%s, %s is\n%s", name.last, name.first, words)
		}
	}
}

// TestWarnings holds that paper says where nobody should travel on its flights.
func TestWarnings(t *testing.T) {
	b := booked(t, "Reyes", "Ana")
	for _, c := range []struct {
		change func(*gangway.Booking)
		misfit string
		want   string
	}{
		{func(*gangway.Booking) {}, "", ""},
		{func(b *gangway.Booking) { b.State = gangway.Confirmed }, "", "On hold"},
		{func(b *gangway.Booking) { b.State = gangway.Cancelled }, "", "Cancelled"},
		{func(b *gangway.Booking) { b.State = gangway.RefundPending }, "", "Cancelled"},
		{func(b *gangway.Booking) {
			b.State, b.Change = gangway.ChangePending, &gangway.PendingChange{Was: gangway.Issued, ByAirline: true}
		}, "", "old schedule"},
		{func(b *gangway.Booking) { b.Notice = &gangway.Notice{Declined: true} }, "", "old schedule"},
		{func(*gangway.Booking) {}, "AMS 1 Dec → ship at BRU 5 Dec", "ship at BRU 5 Dec"},
	} {
		changed := b
		c.change(&changed)
		got := itinerary.TripOf(changed, itinerary.Whose{Misfit: c.misfit}).Warnings
		if (c.want == "") != (len(got) == 0) || c.want != "" && !strings.Contains(strings.Join(got, " "), c.want) {
			t.Errorf("the warnings are %q; want %q", got, c.want)
		}
	}
}

// TestCalendar holds that another library reads each flight at its instant.
func TestCalendar(t *testing.T) {
	b := booked(t, "Żółć; Łódź, "+strings.Repeat("Ж", 60), "Ana\\Maria")
	p := paper(true, b, booked(t, "Reyes", "Ana"))
	p.Trips[0].Warnings = []string{"line one\nline, two"}
	var out bytes.Buffer
	calltest.Done(t, itinerary.WriteICS(&out, p))
	for line := range strings.SplitSeq(out.String(), "\r\n") {
		if len(line) > 75 || strings.ContainsAny(line, "\r\n") {
			t.Errorf("a line of %d bytes: %q", len(line), line)
		}
	}
	read := calltest.Must(ics.ParseCalendar(&out))(t)
	events := read.Events()
	if len(events) != 4 {
		t.Fatalf("there are %d events; want one for each flight", len(events))
	}
	for i, s := range slices.Concat(b.Itinerary.Segments, b.Itinerary.Segments) {
		leaves, err1 := events[i].GetStartAt()
		lands, err2 := events[i].GetEndAt()
		if err1 != nil || err2 != nil || !leaves.Equal(s.Departure) || !lands.Equal(s.Arrival) {
			t.Errorf("flight %d is from %s to %s, %v %v; want %s to %s", i, leaves, lands, err1, err2, s.Departure,
				s.Arrival)
		}
	}
	about := events[0].GetProperty(ics.ComponentPropertyDescription).Value
	for _, want := range []string{"line one\nline, two", "Tue 1 Dec 2026 18:10 Manila MNL", "QX7L2M"} {
		if !strings.Contains(about, want) {
			t.Errorf("the description is %q; want %q in it", about, want)
		}
	}
	name := events[0].GetProperty(ics.ComponentPropertySummary).Value
	if !strings.HasPrefix(name, "EK 333 MNL → DXB · ") {
		t.Errorf("the summary is %q", name)
	}
}

// TestOthersSeeNoLocators holds that a paper for others has neither locators nor tickets.
func TestOthersSeeNoLocators(t *testing.T) {
	p := paper(false, booked(t, "Reyes", "Ana"))
	var out bytes.Buffer
	calltest.Done(t, itinerary.WriteICS(&out, p))
	all := text(t, p) + pdf(t, p) + out.String()
	if strings.Contains(all, "QX7L2M") || strings.Contains(all, "2412345678") {
		t.Error("a locator or a ticket is shown to others")
	}
}
