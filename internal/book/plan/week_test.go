package plan_test

import (
	"testing"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// TestDaysAround holds that the days around a search show the cheapest fare for crew of what the account has looked for
// lately, that the airlines are asked for the rest only, and that nothing of another account is shown.
func TestDaysAround(t *testing.T) {
	db := storetest.New(t)
	p := newPort(t, db, 1)
	c := newCounter(p.sells)
	searches, in := p.replica(db, 0, c.all)
	any, bag := gangway.Settings{}, gangway.Settings{Fares: gangway.FareRule{Bag: true}}
	known := func(s gangway.Search, by gangway.Settings) (n int) {
		for _, day := range searches.Week(in, by, s) {
			if day.Done && day.Price.Minor > 0 {
				n++
			}
		}
		return n
	}
	whole(t, searches.Of(in, p.search, false))
	sunday := must(plan.OnDay(p.search, "2026-11-30"))(t)
	sunday.ID, sunday.Vessel = book.NewID(), "Another" // somebody's search for another vessel
	whole(t, searches.Of(in, sunday, false))

	week := searches.Week(in, bag, p.search)
	if len(week) != 7 || week[0].Date != "2026-11-28" || !week[3].On || known(p.search, bag) != 2 {
		t.Fatalf("the week is %+v; want seven days, two of them known", week)
	}
	if light := searches.Week(in, any, p.search); light[3].Price.Minor >= week[3].Price.Minor {
		t.Errorf("any fare costs %s, one with a bag %s; want less", light[3].Price, week[3].Price)
	}
	if none := searches.Week(in, gangway.Settings{Fares: bag.Fares, Avoid: "AF,KL"}, p.search); !none[3].Done {
		t.Errorf("the day is %+v with other settings; want it known", none[3])
	}
	other := newPort(t, db, 1)
	if there := searches.Week(db.In(other.in.Scope()), any, p.search); there[3].Begun {
		t.Error("another account sees what was searched")
	}

	asked := c.asked.Load()
	days := searches.SearchWeek(in, bag, p.search, searches.Of(in, p.search, false), "2026-11-29") // the first is over
	for _, day := range days {
		whole(t, day)
	}
	if n := c.asked.Load() - asked; len(days) != 4 || n != 4 || known(p.search, bag) != 6 {
		t.Errorf("the airlines were asked for %d days, %d times, %d are known; want 4, 4 and 6", len(days), n,
			known(p.search, bag))
	}
	tuesday := must(plan.OnDay(p.search, "2026-12-02"))(t)
	tuesday.ID = book.NewID()
	searches.Adopt(in, tuesday)
	if st := whole(t, searches.Of(in, tuesday, false)); len(st.Members[0].Offers) == 0 || c.asked.Load() != asked+4 {
		t.Error("the day was searched again; want what was found just now")
	}
	refused(t, gangway.Invalid)(plan.OnDay(p.search, "2026-12-05"))
	refused(t, gangway.Invalid)(plan.OnDay(p.search, ""))
}
