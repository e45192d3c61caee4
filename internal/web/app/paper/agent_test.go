package paper_test

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// sends sends the list and returns the answer.
func sends(c *apptest.Client, to, confirmed string) apptest.Answer {
	return c.Post("/agent/send", url.Values{"change": {change}, "to": {to}, "confirmed": {confirmed}})
}

// TestAgentList holds that a crew change's flights are sent to the ship's agent by a click: to addresses that an admin
// has listed for the port, or after a question; without passports; with what has changed since marked; and that nothing
// is left of somebody who was erased.
func TestAgentList(t *testing.T) {
	s, office := apptest.NewMailingSite(t)
	in := apptest.Production(s)
	people := apptest.Sailors(8)
	people[0].Metadata = map[string]string{"rank": "=2+3"}
	s.Upload(t, "2036-12-03", []gangway.CrewMember{people[0], people[1], people[6]})
	c, admin := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Admin)
	c.BookEverybody("NLRTM")

	asked := sends(c, "ops@maas.example", "")
	if asked.Status != http.StatusUnprocessableEntity || len(office.Mails()) > 0 {
		t.Fatalf("an address that nobody listed is answered %d; %d mails were sent", asked.Status, len(office.Mails()))
	}
	asked.Has("Not listed for this port: ops@maas.example")
	if got := c.Post("/agent/keep", url.Values{"change": {change}, "port": {"NLRTM"}, "mail": {"ops@maas.example"}}).
		Status; got != http.StatusForbidden {
		t.Errorf("a booker lists an address: %d", got)
	}
	admin.Post("/agent/keep", url.Values{"change": {change}, "port": {"NLRTM"}, "name": {"Maas Agency"},
		"phone": {"+31 10 000 00 00"}, "mail": {"ops@maas.example"}}).Has("Maas Agency")
	c.Get(address("/itinerary")).Has("Ship&#39;s agent", "Maas Agency &#43;31 10 000 00 00").Lacks("no-agent")
	for _, wrong := range []string{"", "nobody", "ops@maas.example, other@maas.example"} {
		if got := sends(c, wrong, "else@maas.example").Status; got != http.StatusUnprocessableEntity {
			t.Errorf("a list to %q is answered %d; want 422", wrong, got)
		}
	}
	form := url.Values{"change": {change}, "to": {"ops@maas.example"}, "once": {"a click"}}
	c.Post("/agent/send", form).Has("The list was sent.")
	c.Post("/agent/send", form) // a double click
	mails := office.Mails()
	if len(mails) != 1 {
		t.Fatalf("%d mails were sent; want 1", len(mails))
	}
	for _, want := range []string{"ops@maas.example", "SAILORA/MARIA", "SAILORG/MARIA", "crew-flights.csv"} {
		if !strings.Contains(mails[0], want) {
			t.Errorf("the mail has no %q:\n%s", want, mails[0])
		}
	}
	for _, b := range bookingsOf(t, s) {
		for _, no := range []string{b.Passenger.DocNumber, string(b.Passenger.DOB), b.PNRs[0]} {
			if strings.Contains(mails[0]+c.Get(address("/agent")).Body, no) {
				t.Errorf("the list has %q", no)
			}
		}
	}
	c.Get(address("/agent")).Has("0 changes since the last list")

	s.Upload(t, "2036-12-03", []gangway.CrewMember{people[0], people[2], people[6]}) // somebody else
	c.BookEverybody("NLRTM")
	for _, b := range bookingsOf(t, s) {
		if b.Passenger.ID == people[6].ID {
			c.Submit("/bookings/" + b.ID + "/issue")
		}
	}
	rows := apptest.Must(csv.NewReader(strings.NewReader(c.Get(address("/agent.csv")).Body)).ReadAll())(t)
	marks := map[string]string{}
	for _, row := range rows[1:] {
		marks[row[2]] = row[0]
		for _, cell := range row {
			if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@") {
				t.Errorf("the cell %q starts a formula", cell)
			}
		}
	}
	for name, want := range map[string]string{"SAILORA/MARIA": "", "SAILORB/MARIA": "removed", "SAILORC/MARIA": "new",
		"SAILORG/MARIA": "changed"} {
		if got, there := marks[name]; !there || got != want {
			t.Errorf("%s is marked %q, %v; want %q", name, got, there, want)
		}
	}
	sends(c, "other@maas.example", "other@maas.example").Has("The list was sent.")
	if got := office.Mails(); len(got) != 2 || !strings.Contains(got[1], "[REMOVED] SAILORB/MARIA") {
		t.Errorf("the mails are %q", got[1:])
	}
	if n := len(s.Audit(t, gangway.ListSent)); n != 2 {
		t.Errorf("the audit log has %d lists; want 2", n)
	}

	for _, b := range bookingsOf(t, s) {
		if b.Passenger.ID == people[0].ID {
			c.Submit("/bookings/" + b.ID + "/cancel")
		}
	}
	c.Get(address("/agent")).Has("SAILORA/MARIA")
	if _, err := in.EraseTraveller(t.Context(), storetest.Operator, erasure.DataSubject{ID: people[0].ID}, s.Now(),
		nil); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(c.Get(address("/agent")).Body, "SAILORA/MARIA") {
		t.Error("the list has somebody who was erased")
	}
	down := s.SignedIn(t, gangway.Booker)
	office.Refuses.Store(true)
	if got := sends(down, "ops@maas.example", "").Status; got != http.StatusServiceUnavailable {
		t.Errorf("a list that the mail server does not take is answered %d", got)
	}
	office.Refuses.Store(false)
	c.Get(address("/agent")).Has(`data-state="unconfirmed"`)
	for range 30 {
		sends(c, "ops@maas.example", "")
	}
	if got := sends(c, "ops@maas.example", "").Status; got != http.StatusConflict || len(office.Mails()) != 29 {
		t.Errorf("after %d mails within an hour another one is answered %d", len(office.Mails()), got)
	}
}

// TestAgentListWithoutMail holds that the list is there without a mail server, and sends nothing.
func TestAgentListWithoutMail(t *testing.T) {
	_, c := crewOfThree(t)
	c.Get(address("/agent")).Has("No mail server is set up", "SAILORA/MARIA", "not booked yet")
	if got := sends(c, "ops@maas.example", "ops@maas.example").Status; got != http.StatusUnprocessableEntity {
		t.Errorf("a list is sent without a mail server: %d", got)
	}
}
