package crew_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// Whoever books is told that a crew change without an identifier moved, and is asked where nobody can know.
func TestShipThatMovedWithoutAnIdentifier(t *testing.T) {
	s := apptest.NewSite(t)
	send := func(date gangway.Date, people []gangway.CrewMember) {
		t.Helper()
		s.SendChanges(t, s.Now().Add(time.Second), gangway.CrewChange{Vessel: "GENOA STAR", Flag: "PA",
			ChangeDate: date, OnSigners: people})
	}
	const green = `</span>all 2</span>`
	crew := apptest.Sailors(2)
	send("2036-12-03", crew)
	c := s.SignedIn(t, gangway.Booker)
	key, list := "on:2036-12-03:PA:genoa star", "/crew-changes?from=2036-12-01&to=2036-12-31"
	plan := "/crew-changes/plan?key=" + url.QueryEscape(key)
	path, _, _ := strings.Cut(c.Post("/crew-changes/search", url.Values{"key": {key}, "airport": {"AMS"}}).Path, "?")
	c.Get(path + "?wait=1")
	c.Finish(c.Submit(path + "/book-all"))
	c.Get(list).Has(green, "Wed 3 Dec")

	send("2036-12-09", crew)
	c.Get(list).Has("Tue 9 Dec", "2 for the old plan", "0 of 2").Lacks(green, "Wed 3 Dec", "moved?")
	c.Get(plan).Has("Moved from", "by the rule", "6 days apart, 2 of 2 people the same", "Undo the move")
	c.Get(path + "?wait=1").Has("The ship is now at AMS on Tue 9 Dec")

	c.Post("/crew-changes/undo-move", url.Values{"key": {key}}).Has("The move was undone")
	c.Get(list).Has("2 crew changes", "moved?").Lacks(green)
	asked := c.Get(plan).Has("Is this the same crew change, moved?", "the move was undone", "Yes, moved to",
		"No, two crew changes")
	other := asked.Form("/crew-changes/moved").Get("newer")
	c.Get("/crew-changes/plan?key=" + url.QueryEscape(other)).Has("Is this the same crew change, moved?")
	again, _, _ := strings.Cut(c.Post("/crew-changes/search", url.Values{"key": {other}, "airport": {"AMS"}}).Path, "?")
	c.Get(again + "?wait=1").Has("Is this the same crew change, moved?")
	form := c.Get(again+"/book-all").Has("Is this the same crew change, moved?", "Nobody is held before the answer").
		Lacks("Hold all 2", "Total for")
	c.Post(again+"/book-all", form.Form(again+"/book-all", "unissued", "let-go")).Is(http.StatusConflict)
	s.WantBookings(t, 2)
	for _, page := range []string{path, again} {
		c.Get(page+"?wait=1&view=map").Has(`data-grade=""`).Lacks(`<span class="badge good`, `"flown good"`)
	}
	c.Get("/bookings/"+s.Bookings(t)[0].ID).Has("Did the ship move?",
		"Nobody has said yet whether its crew change moved.")
	answer := form.Form("/crew-changes/moved", "same", "no")
	c.Post("/crew-changes/moved", answer).Has("These are two crew changes.").
		Lacks("Is this the same crew change, moved?")
	c.Get(list).Has(green, "0 of 2").Lacks("moved?")
	s.SignedIn(t, gangway.Admin).Get("/settings/audit").Has("Crew change moved", "Crew change: asked whether it moved",
		"Crew change: not moved", "Crew change: move undone")
	c.Post("/crew-changes/moved", answer).Is(http.StatusConflict)
	send("2036-12-09", crew)
	c.Get(list).Lacks("moved?")
}

// TestNewsOfAnUpload holds that a crew change's page and its search say what the last upload changed.
func TestNewsOfAnUpload(t *testing.T) {
	s := apptest.NewSite(t)
	crew := apptest.Sailors(3)
	send := func(after time.Duration, date gangway.Date, people []gangway.CrewMember) {
		t.Helper()
		s.SendChanges(t, s.Now().Add(after), gangway.CrewChange{TravelRequestID: "CC-1", Vessel: "GENOA STAR",
			Flag: "PA", ChangeDate: date, ChangeAirport: "SIN", OnSigners: people})
	}
	const plan, news = "/crew-changes/plan?key=id:CC-1", `data-state="news"`
	c := s.SignedIn(t, gangway.Booker)
	send(0, "2036-12-03", crew[:2])
	c.Get(plan).Lacks(news)
	found := c.Post("/crew-changes/search", url.Values{"key": {"id:CC-1"}, "airport": {"SIN"}})
	path, _, _ := strings.Cut(found.Path, "?")
	c.Get(path + "?wait=1").Lacks(news)
	send(time.Second, "2036-12-06", crew[1:])
	const words = "Moved SIN 3 Dec → SIN 6 Dec by your crewing system, "
	c.Get(plan).Has(news, words, " · 1 removed, 1 new")
	c.Get(path+"?wait=1").Has(news, words)
}
