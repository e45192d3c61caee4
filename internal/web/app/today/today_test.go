package today_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// TestTodayOfAShip follows a crew change over the first page: nothing is booked, it is booked, the ship moves, it is
// ticketed, and the ship moves.
func TestTodayOfAShip(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	people := apptest.Sailors(2)
	s.Upload(t, "2036-12-01", people)
	tick := func() {
		t.Helper()
		apptest.Done(t, s.Desk.Tick(t.Context()))
	}
	c.Get("/").Shows("/", "Nothing needs you now", "Crew changes, next 14 days", "0 of 2 booked")
	path := c.SearchEverybody("BRU")
	c.Get(path + "?wait=1")
	c.Finish(c.Post(path+"/book-all", c.Get(path+"/book-all").Form(path+"/book-all", "unissued", "let-go")))
	c.Get("/").Has("2 of 2 booked")
	tick()
	s.Upload(t, "2036-12-09", people)
	tick()
	moved := c.Get("/").Has("1 thing needs you", "Not booked as planned", "2 on hold", "/crew-changes/board?key=")
	moved.Lacks("Ends before", "/issue")
	s.Upload(t, "2036-12-01", people)
	tick()
	c.Get("/").Lacks("Not booked as planned")
	for _, b := range s.Bookings(t) {
		c.Submit("/bookings/" + b.ID + "/issue")
	}
	tick()
	c.Get("/").Has("Nothing needs you now", "2 of 2 booked")
	s.Upload(t, "2036-12-09", people)
	tick()
	c.Get("/").Has("1 thing needs you", "Not booked as planned", "2 issued", "/crew-changes/board?key=",
		`class="count waiting">1<`)
	s.Upload(t, "2036-12-09", people[:1])
	tick()
	c.Get("/").Has("2 issued", "arrives 1 Dec → ship 9 Dec<")
	s.Upload(t, "2036-12-01", people)
	tick()
	c.Get("/").Has("Nothing needs you now", "2 of 2 booked")
	none := 0
	apptest.Must(apptest.Production(s).UpdateSettings(t.Context(), storetest.Operator, apptest.Today,
		func(settings *gangway.Settings) error {
			settings.Crew = gangway.CrewRules{BoardBy: "00:01", Nights: &none}
			return nil
		}))(t)
	tick()
	c.Get("/").Has("1 thing needs you", "Not booked as planned", "2 issued", "0 of 2 booked")
}

// TestTodayByRole holds that approvals are told above the list to those who approve, and that they count for nothing in
// it. What ends before the next duty is over needs somebody.
func TestTodayByRole(t *testing.T) {
	s := apptest.NewSite(t)
	storetest.Settings(t, apptest.Production(s), gangway.Settings{Approval: gangway.ApprovalPolicy{
		Mode: gangway.ApproveAlways}, Duty: apptest.Must(gangway.ParseDuty("Mon-Sun 08:00-18:00 Europe/Oslo"))(t)})
	c := s.SignedIn(t, gangway.Booker)
	c.Booked("")
	const waits = "1 booking waits for approval"
	c.Get("/").Lacks(waits)
	approver := s.SignedIn(t, gangway.Approver)
	approver.Get("/").Has(waits, `href="/approvals"`)
	if page := approver.Get("/"); strings.Contains(page.Body, "Ends before") {
		page.Has("Ends before Fri 21 Nov 18:00 CET", "Approve…")
	}
}

// TestNote holds that the note for the next shift says who wrote it, and that nobody loses one that they have not read.
func TestNote(t *testing.T) {
	s := apptest.NewSite(t)
	mara, helen := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Admin)
	form := mara.Get("/").Form("/note")
	form.Set("note", "The agent calls at six.")
	theirs := helen.Get("/deadlines").Form("/note")
	mara.Post("/note", form).Shows("/", "The note is saved.")
	theirs.Set("note", "Another one.")
	helen.Post("/note", theirs).Shows("/deadlines", "Somebody has written another note meanwhile",
		"The agent calls at six.", "Ingrid Holm")
	form = mara.Get("/").Form("/note")
	form.Set("note", strings.Repeat("x", 501))
	mara.Post("/note", form).Is(http.StatusBadRequest)
	s.InDevelopment(t, gangway.Booker).Get("/").Lacks("The agent calls")
	mara.Post("/note", url.Values{"note": {""}, "seen": {form.Get("seen")}}).Shows("/").Lacks("The agent calls")
}
