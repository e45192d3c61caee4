package bookings_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestDeadlinesByVessel holds that holds are grouped by vessel and day with their sum, and that the page opens on what
// the badge counts.
func TestDeadlinesByVessel(t *testing.T) {
	s := apptest.NewClockedSite(t)
	c := s.SignedIn(t, gangway.Booker)
	people := apptest.Sailors(3)
	s.Upload(t, "2036-12-05", people)
	path := c.SearchEverybody("BRU")
	c.Get(path + "?wait=1")
	c.Finish(c.Post(path+"/book-all", c.Get(path+"/book-all").Form(path+"/book-all", "unissued", "let-go")))
	one, _, _ := strings.Cut(c.Hold("issue").Path, "?")
	held := s.Bookings(t)
	sum := held[0].Price.Total
	for _, b := range held[1:] {
		if b.Purpose.Change != "" {
			sum = sum.Add(b.Price.Total)
		}
	}
	if held[0].Purpose.Change == "" {
		sum = sum.Sub(held[0].Price.Total)
	}
	all := c.Get("/deadlines?show=all").Has("All holds 4", "issues itself", "3 on hold · "+sum.Words(),
		`name="booking" value="`+held[0].ID+`" form="bulk"`, `data-tick-all`, one)
	if n := strings.Count(all.Body, `form="bulk"`); n != 4 {
		t.Errorf("%d bookings can be ticked; want 4", n)
	}
	needs := c.Get("/deadlines")
	n := strings.Count(needs.Body, `form="bulk"`)
	needs.Has("Needs you " + string(rune('0'+n)))
	if n > 0 {
		needs.Has(`class="count waiting">` + string(rune('0'+n)))
	}
	if strings.Contains(needs.Body, `value="`+strings.TrimPrefix(one, "/bookings/")+`"`) {
		t.Error("a booking that issues itself needs somebody")
	}
}

// TestHoldAgain holds that a hold that ran out is listed until somebody has seen it, and that its seats are held again
// as a new booking: at once at the same price, and for nobody twice.
func TestHoldAgain(t *testing.T) {
	s := apptest.NewClockedSite(t)
	c := s.SignedIn(t, gangway.Booker)
	path, _, _ := strings.Cut(c.Hold("let-go").Path, "?")
	b := s.Bookings(t)[0]
	c.Get(path+"/hold-again").Is(http.StatusConflict, " is still live.")
	s.WantBookings(t, 1)

	s.Passed.Store(int64(b.HoldUntil.Sub(apptest.Today) + time.Hour))
	apptest.Done(t, s.Desk.Tick(t.Context()))
	c = s.SignedIn(t, gangway.Booker) // days have passed
	for _, at := range []string{"/", "/deadlines"} {
		c.Get(at).Has("released <time", path+"/hold-again", "Mark all as seen")
	}
	c.Get("/").Has("Seats lost", "1 thing needs you")
	c.Get(path).Has("Released <time", path+"/hold-again").Lacks("seen by")

	form := c.Get(path+"/hold-again").Form(path+"/hold-again", "unissued", "let-go")
	c.Post(path+"/hold-again", form).Has("Held as ", apptest.LetGo)
	made := s.Bookings(t)
	s.WantBookings(t, 2)
	for _, now := range made {
		if now.Live() && (now.ID == b.ID || now.Locator == b.Locator || now.Purpose.Search != b.Purpose.Search ||
			now.AutoIssue || !now.Itinerary.SameSeats(b.Itinerary)) {
			t.Errorf("held again: %+v", now)
		}
	}
	c.Get("/").Lacks("Seats lost")
	c.Get(path).Has("seen by Ingrid Holm")
	c.Get(path + "/hold-again").Has("This traveller is booked already: ")
	c.Post(path+"/hold-again", form)
	s.WantBookings(t, 2)
}

// TestEndedByColleague holds that what a person ended is found by the others, with who it was, for as long as nobody is
// booked instead, and that no badge counts it.
func TestEndedByColleague(t *testing.T) {
	s := apptest.NewSite(t)
	mara, helen := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Admin)
	people := apptest.Sailors(3)
	s.Upload(t, "2036-12-05", people)
	mara.BookEverybody("BRU")
	var ids []string
	held := s.Bookings(t)
	for _, b := range held {
		ids = append(ids, b.ID)
		mara.Submit("/bookings/" + b.ID + "/cancel")
	}
	helen.Get("/deadlines").Has("Ended by a person", "released by Ingrid Holm", "3<")
	helen.Get("/").Has("Nothing needs you now", "3 bookings ended by a person").Lacks("released by")
	mara.Get("/bookings").Has("Released</span>")
	mara.Get("/bookings/" + ids[0]).Has("Released</span>").Lacks("Cancelled</span>")

	again := "/bookings/" + ids[0] + "/hold-again"
	mara.Post(again, mara.Get(again).Form(again, "unissued", "let-go")).Has("Held as ")
	page := helen.Get("/deadlines").Lacks(`value="`+ids[0]+`"`).Has(`value="`+ids[1]+`"`, `value="`+ids[2]+`"`)
	s.Upload(t, "2036-12-05", slices.DeleteFunc(people, func(p gangway.CrewMember) bool {
		return p.LastName == held[2].Passenger.LastName
	}))
	left := 0
	for _, id := range ids {
		if strings.Contains(helen.Get("/deadlines").Body, `name="booking" value="`+id+`"><button`) {
			left++
		}
	}
	if left != 1 {
		t.Errorf("%d are listed; want the one who still travels and is not booked", left)
	}
	helen.Post("/seen", page.Form("/seen")).Lacks("Ended by a person")
}

// TestSeen holds that what was seen is seen for everybody, and that the first who saw it is named.
func TestSeen(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	path := c.Booked("")
	c.Lost(strings.TrimPrefix(path, "/bookings/"))
	c.Get("/").Has("1 thing needs you", "cancelled by airline")
	form := c.Get("/deadlines").Form("/seen")
	s.SignedIn(t, gangway.Admin).Post("/seen", url.Values{"booking": form["booking"]}).Shows("/",
		"1 booking marked as seen.", "Nothing needs you now")
	c.Post("/seen", form).Shows("/deadlines", "0 bookings marked as seen.")
	if b := s.Bookings(t)[0]; b.Attention.Open() || b.Attention.HandledBy != "admin@example.com" {
		t.Errorf("what happened to it is handled by %q", b.Attention.HandledBy)
	}
}

// TestHandled holds that what no rule can settle is listed on the first page until somebody has handled it.
func TestHandled(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	c.Get("/attention").Shows("/", "Nothing needs you now")
	path := c.Booked("")
	in := apptest.Production(s)
	b, err := in.UpdateBooking(t.Context(), strings.TrimPrefix(path, "/bookings/"), "",
		func(b *gangway.Booking) (gangway.Action, error) {
			b.Raise("Nobody knows what this is.", apptest.Today)
			return gangway.Action{}, nil
		})
	apptest.Done(t, err)
	page := c.Get("/").Has("1 thing needs you", "Nobody knows what this is.", `class="count waiting">1<`)
	c.Post(path+"/handled", page.Form(path+"/handled")).Shows("/", b.Locator+": handled.").
		Lacks("Nobody knows what this is.")
	c.Get(path).Has("Done by Ingrid Holm")
	c.Post(path+"/handled", nil).Shows(path, "needs nobody to look at it")
}

// TestScheduleChange holds that a change by the airline is compared, quoted and answered on one page.
func TestScheduleChange(t *testing.T) {
	open := func(t *testing.T) (*apptest.Client, string, apptest.Answer) {
		t.Helper()
		c := apptest.NewSite(t).SignedIn(t, gangway.Booker)
		path := c.Disturbed()
		c.Get("/").Has("Schedule changes", path+"/schedule-change")
		return c, path, c.Get(path+"/schedule-change").Has("Booked", "Offered instead", "If you reject: ", `class="differs"`)
	}
	t.Run("rejected, it brings what was quoted", func(t *testing.T) {
		c, path, page := open(t)
		form := page.Form(path + "/reject-change")
		c.Post(path+"/reject-change", form).Shows(path, "Rejected and cancelled.", "Still issued",
			"rejected the other flights")
		b := c.Site.Bookings(t)[0]
		if b.Refund == nil || !strings.Contains(page.Body, "Reject and cancel · "+b.Refund.Amount.Words()+" back") {
			t.Errorf("refunded: %+v; want what the page says", b.Refund)
		}
		c.Post(path+"/reject-change", form).Is(409)
	})
	t.Run("other flights are chosen, and confirmed on the next page", func(t *testing.T) {
		c, path, page := open(t)
		c.Post(path+"/choose-other", page.Form(path+"/choose-other")).Shows(path, "Other flights are chosen. Confirm")
		if b := c.Site.Bookings(t)[0]; b.Change == nil || b.Change.ByAirline {
			t.Errorf("the change is %+v", b.Change)
		}
	})
	t.Run("a quote of a change that is another one now does nothing", func(t *testing.T) {
		c, path, page := open(t)
		form := page.Form(path + "/reject-change")
		form.Set("notice", "n0")
		c.Post(path+"/reject-change", form).Is(409)
		if b := c.Site.Bookings(t)[0]; b.State != gangway.ChangePending {
			t.Errorf("it is %s", b.State)
		}
	})
}
