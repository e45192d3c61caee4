package crew_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

const (
	boardOf   = "/crew-changes/board?key=id%3AGEN-00"
	boardForm = "/crew-changes/board?aim=cheapest&key=id%3AGEN-00"
)

// movedCrew holds seats for eight people to Brussels, buys the tickets of the last of them, and moves the ship three
// days and to Amsterdam.
func movedCrew(t *testing.T, s *apptest.Site, c *apptest.Client, tickets int) {
	t.Helper()
	s.Upload(t, "2036-12-05", apptest.Sailors(8))
	path := c.BookEverybody("BRU")
	list := s.Bookings(t)
	if len(list) != 8 {
		t.Fatalf("%d are booked; want 8", len(list))
	}
	slices.SortFunc(list, func(a, b gangway.Booking) int { return strings.Compare(b.Passenger.ID, a.Passenger.ID) })
	for _, b := range list[:tickets] {
		c.Submit("/bookings/" + b.ID + "/issue")
	}
	c.Post(path+"/move", url.Values{"airport": {"AMS"}, "date": {"2036-12-08"}})
}

// crewNow is how everybody stands.
func crewNow(t *testing.T, s *apptest.Site) book.Crew {
	t.Helper()
	crew, err := book.CrewOf(t.Context(), apptest.Production(s), "id:GEN-00", s.Now())
	if err != nil {
		t.Fatal(err)
	}
	return crew
}

// ways counts the rows of a board by what is done.
func ways(a apptest.Answer) map[string]int {
	n := map[string]int{}
	for _, row := range strings.Split(a.Body, " data-person data-state=\"")[1:] {
		way, _, _ := strings.Cut(row, `"`)
		n[way]++
	}
	return n
}

func TestBoard(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	movedCrew(t, s, c, 3)
	page := c.Get(boardOf + "&wait=1")
	c.Run("everybody has a way to the new plan, with the money of all in one button", func(t *testing.T,
		c *apptest.Client) {
		n := ways(page)
		if n["anew"]+n["change"] != 8 {
			t.Errorf("%v; want eight who change or are booked anew\n%s", n, page.Body)
		}
		page.Has("GENOA STAR · AMS Amsterdam · Mon 8 Dec", "3 ticketed", "5 on hold (free to release)",
			"Do 8 · USD ").Lacks(" others") // nobody can take them beside a booking
	})
	c.Run("the list and the crew change lead to it", func(t *testing.T, c *apptest.Client) {
		for _, path := range []string{"/crew-changes?from=2036-12-01&to=2036-12-31",
			"/crew-changes/plan?key=id%3AGEN-00"} {
			c.Get(path).Has(`href="` + boardOf + `"`)
		}
	})
	c.Run("another of the three ways is a link", func(t *testing.T, c *apptest.Client) {
		c.Get(boardOf + "&aim=plan").Has(`aria-current="true" data-aim="plan"`)
	})
	c.Run("without a script the sums of other ticks are a button away, and nothing is done", func(t *testing.T,
		c *apptest.Client) {
		form := page.Sent(boardForm)
		form["tick"], form["show"] = form["tick"][:2], []string{"1"}
		c.Post(boardOf, form).Has("Do 2 · ")
	})
	c.Run("what was unticked or selected stays when everything is quoted again, and when the reader comes back",
		func(t *testing.T, c *apptest.Client) {
			form := page.Sent(boardForm)
			off := form["tick"][0]
			form["tick"], form["again"] = form["tick"][1:], []string{"1"}
			again := c.Post(boardOf, form).Has("Do 7 · ", "off="+off+".")
			c.Get(again.Path).Has("Do 7 · ")
			always := gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}}
			storetest.Settings(t, apptest.Production(s), always) // so that nothing of what was quoted holds
			c.Post(boardOf, form).Has("off=" + off + ".")
			storetest.Settings(t, apptest.Production(s), gangway.Settings{})
			sent := c.Get(boardOf + "&wait=1&aim=plan&off=" + off + ".anew")
			got := sent.Sent("/crew-changes/board?aim=plan&key=id%3AGEN-00&off=" + off + ".anew")
			if slices.Contains(got["tick"], off) ||
				!strings.HasPrefix(got.Get("do."+off), "anew ") || len(got["tick"]) != 7 {
				t.Errorf("%v", got)
			}
			c.Get(boardOf + "&wait=1&off=*").Has("Do 0")
		})
	c.Run("what moved since is refused by row, with both amounts, and nothing is done", func(t *testing.T,
		c *apptest.Client) {
		form := page.Sent(boardForm)
		id := form["tick"][0]
		value := strings.SplitN(form.Get("do."+id), " ", 3)
		form.Set("do."+id, value[0]+" other 1.00")
		answer := c.Post(boardOf, form).Is(http.StatusConflict)
		answer.Has("It was 1.00 and is now "+strings.ReplaceAll(value[2], "+", "&#43;")+".", "Do 8 · ")
		form.Set("do."+id, value[0]+" "+value[1]+" 1.00")
		c.Post(boardOf, form).Is(http.StatusConflict, "Do 8 · ")
		form.Set("do."+id, "hold "+value[1]+" "+value[2])
		c.Post(boardOf, form).Is(http.StatusConflict, "is no longer possible.", "Do 7 · ")
		form.Set("run", "chosen")
		c.Post(boardOf, form).Is(http.StatusConflict)
		s.WantBookings(t, 8)
	})
	c.Run("a plan that changed meanwhile is named, and what is ticked stays", func(t *testing.T, c *apptest.Client) {
		form := page.Sent(boardForm)
		off := form["tick"][0]
		form["tick"] = form["tick"][1:]
		path := "/searches/" + s.Bookings(t)[0].Purpose.Search + "/move"
		c.Post(path, url.Values{"airport": {"AMS"}, "date": {"2036-12-09"}})
		still := c.Post(boardOf, form).Is(http.StatusConflict, "Nothing was done: the plan changed meanwhile. Moved "+
			"5 Dec → AMS 9 Dec by Ingrid Holm", " and is now ", "off="+off+".")
		if n := strings.Count(still.Body, `" checked`); n == 0 || n > 7 {
			t.Errorf("%d are ticked; want those whose way is still possible", n)
		}
		c.Post(path, url.Values{"airport": {"AMS"}, "date": {"2036-12-08"}})
		page = c.Get(boardOf + "&wait=1")
	})
	c.Run("nothing is ticked", func(t *testing.T, c *apptest.Client) {
		form := page.Sent(boardForm)
		form.Del("tick")
		c.Post(boardOf, form).Is(http.StatusUnprocessableEntity)
	})
	c.Run("another customer's people see none of it", func(t *testing.T, c *apptest.Client) {
		s.InDevelopment(t, gangway.Booker).Get(boardOf).Is(http.StatusNotFound)
	})
	c.Run("one button, one run, however often it is sent", func(t *testing.T, c *apptest.Client) {
		form := page.Sent(boardForm)
		run := c.Post(boardOf, form)
		again := c.Post(boardOf, form)
		if !strings.HasPrefix(run.Path, "/runs/") || again.Path != run.Path {
			t.Fatalf("it leads to %s and %s\n%s", run.Path, again.Path, run.Body)
		}
		for deadline := time.Now().Add(apptest.Patience); strings.Count(run.Body, `<tr data-state="done"`) < 8; {
			if run = c.Get(run.Path); time.Now().After(deadline) {
				t.Fatal(run.Body)
			}
		}
		for _, p := range crewNow(t, s).People {
			if !p.Serves() {
				t.Errorf("%s stands as %s, %v", p.Traveller.LastName, p.Standing, p.Also)
			}
		}
		c.Get(boardOf + "&wait=1").Lacks("being quoted")
	})
}

// A booking that takes the place of one that stands is only released, when the ship moves once more: that one is on the
// board then.
func TestBoardOfAReplacement(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	movedCrew(t, s, c, 1)
	storetest.Settings(t, apptest.Production(s), gangway.Settings{Approval: gangway.ApprovalPolicy{
		Mode: gangway.ApproveAlways}})
	page := c.Get(boardOf + "&wait=1")
	anew := regexp.MustCompile(`name="do\.([^"]*)".*?value="(anew [^"]*)"`).FindStringSubmatch(page.Body)
	form := page.Sent(boardForm)
	form["tick"] = anew[1:2]
	form.Set("do."+anew[1], html.UnescapeString(anew[2]))
	c.Finish(c.Post(boardOf, form))
	_, amount, _ := strings.Cut(html.UnescapeString(anew[2])[len("anew "):], " ") // the approver reads the same
	c.Get("/approvals").Has(strings.TrimLeft(amount, "+− ")+"</span><span class=\"sub muted\">", "It replaces ")
	var old, b gangway.Booking
	for _, one := range s.Bookings(t) {
		if b = one; b.Replaces.Open() {
			old = apptest.Must(apptest.Production(s).Booking(t.Context(), b.Replaces.Booking))(t)
			break
		}
	}
	c.Get("/bookings/" + old.ID).Has(`href="/bookings/` + b.ID + `"`)
	waits := c.Get(boardOf+"&wait=1").Has("Replacements not sure yet 1", " · 1 more to be replaced: 1 ")
	pair := rowOf(waits, b.Passenger.LastName)
	if !strings.Contains(pair, old.Locator+" stays until this is approved, ") || !strings.Contains(pair, " disabled>") {
		t.Errorf("%s\nwant that %s waits, and until when %s stays", pair, b.Locator, old.Locator)
	}
	s.Upload(t, "2036-12-12", apptest.Sailors(8))
	row := func() string {
		_, row, _ := strings.Cut(c.Get(boardOf+"&wait=1").Body, `<tr id="p-`+anew[1]+`"`)
		row, _, _ = strings.Cut(row, "</tr>")
		return row
	}
	if row := row(); !strings.Contains(row, `data-state="release"`) || strings.Contains(row, "data-way=\"anew") ||
		!strings.Contains(row, b.Locator+" replaces "+old.Locator+", which still stands: release it first.") {
		t.Errorf("%s\nwant that it can only be released", row)
	}
	if row := row(); !strings.Contains(row, `also <a class="code" href="/bookings/`+old.ID+`"`) {
		t.Errorf("%s\nwant the other booking", row)
	}
	others := slices.DeleteFunc(apptest.Sailors(8), func(m gangway.CrewMember) bool { return m.ID == b.Passenger.ID })
	s.Upload(t, "2036-12-12", others)
	page = c.Get(boardOf+"&wait=1").Has("No longer travelling 2", `<a data-row href="/bookings/`+old.ID+`"`,
		`<a data-row href="/bookings/`+b.ID+`"`)
	if n, ticked := ways(page), page.Sent(boardForm)["tick"]; n["release"]+n["cancel"] != 2 || len(ticked) != 9 ||
		len(slices.Compact(slices.Sorted(slices.Values(ticked)))) != 9 {
		t.Errorf("%v, %v; want seven people, and two bookings that end", n, ticked)
	}
	s.Upload(t, "2036-12-12", apptest.Sailors(8))
	move := "/searches/" + old.Purpose.Search + "/move"
	c.Post(move, url.Values{"airport": {"BRU"}, "date": {"2036-12-05"}})
	page = c.Get(boardOf+"&wait=1").Has(`data-state="release"`, `<a data-row href="/bookings/`+b.ID+`"`)
	if n := ways(page); n["release"] != 1 || n["cancel"] != 0 {
		t.Errorf("%v; want the replacement released, since what it replaces fits", n)
	}
	c.Post(move, url.Values{"airport": {"AMS"}, "date": {"2036-12-12"}})
	c.Submit("/bookings/" + b.ID + "/cancel")
	c.Get("/bookings/" + old.ID).Lacks(`href="/bookings/` + b.ID + `"`)
	if row := row(); !strings.Contains(row, old.Locator) || !strings.Contains(row, "value=\"anew") {
		t.Errorf("%s\nwant %s, which may be replaced", row, old.Locator)
	}
}

// Terms that have ended are shown to nobody: the row says so until they are asked anew.
func TestBoardOfTermsThatEnd(t *testing.T) {
	s := apptest.NewClockedSite(t)
	c := s.SignedIn(t, gangway.Booker)
	movedCrew(t, s, c, 1)
	var b gangway.Booking
	for _, one := range s.Bookings(t) {
		if b = one; b.Ticketed() {
			break
		}
	}
	s.Passed.Store(int64(b.VoidUntil.Add(-time.Minute).Sub(apptest.Today)))
	c = s.SignedIn(t, gangway.Booker)
	page := c.Get(boardOf+"&wait=1").Has("rebook, void", "void "+b.VoidUntil.UTC().Format("15:04"))
	s.Passed.Add(int64(time.Minute))
	_, mark, _ := strings.Cut(page.Body, "/live?for=")
	mark, _, _ = strings.Cut(mark, `"`)
	live := apptest.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+boardOf, nil))(t)
	live.Header.Set("Gangway-Live", mark) // asks no airline
	c.Do(live).Has("Its terms ended at " + b.VoidUntil.UTC().Format("15:04") + " and are asked anew.").
		Lacks("rebook, void")
	c.Get(boardOf+"&wait=1").Has("rebook, ").Lacks("rebook, void", "Its terms ended")
}

// What somebody chose on the search is what the board proposes, and says who chose it; what cannot be had is not
// replaced by other flights without a person.
func TestBoardProposesWhatWasChosen(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	movedCrew(t, s, c, 0)
	s.Upload(t, "2036-12-08", apptest.Sailors(9))
	others := regexp.MustCompile(`/searches/[^?"]*\?member=[0-9]+`)
	path := others.FindString(rowOf(c.Get(boardOf+"&wait=1"), "Sailori"))
	page := c.Get(path + "&wait=1")
	search := s.Search(t, path)
	member := apptest.Number(path[strings.LastIndex(path, "=")+1:])
	keys := offerKey.FindAllStringSubmatch(page.Body, -1)
	choose := "/searches/" + search.ID + "/choose"
	form := page.Form(choose)
	form.Set("key", keys[1][1])
	c.Post(choose, form)
	board := c.Get(boardOf + "&wait=1").Has(" · chosen by ")
	row := rowOf(board, search.Members[int(member)].Traveller.LastName)
	if !strings.Contains(row, `data-state="hold"`) || !strings.Contains(row, " checked") ||
		!regexp.MustCompile(`data-cell="flies">[^<]* · chosen by `).MatchString(row) {
		t.Errorf("the row of whom flights were chosen for:\n%s", row)
	}
	if n := strings.Count(board.Body, `data-cell="flies">`) -
		strings.Count(board.Lacks("cannot be had").Body, " checked"); n != 0 {
		t.Errorf("%d are not ticked", n)
	}
	search = s.Search(t, path)
	search.Members[int(member)].Chosen = "sold out"
	s.Save(t, search)
	row = rowOf(c.Get(boardOf+"&wait=1"), search.Members[int(member)].Traveller.LastName)
	if !strings.Contains(row, " chose cannot be had") || strings.Contains(row, " checked") {
		t.Errorf("the row of whom sold-out flights were chosen for:\n%s", row)
	}
}

// rowOf is the row of a person on a board.
func rowOf(a apptest.Answer, lastName string) string {
	for _, row := range strings.Split(a.Body, "<tr ")[1:] {
		if row, _, _ = strings.Cut(row, "</tr>"); strings.Contains(row, ">"+lastName+", ") {
			return row
		}
	}
	return ""
}

// A board asks airlines once for all who look, and asks nothing for a page that is only brought up to date. It knows
// what needs approval now, and an approver does not move somebody away from where the ship is again.
func TestBoardAsksOnce(t *testing.T) {
	s := apptest.NewSite(t)
	c, d := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
	movedCrew(t, s, c, 0)
	before := c.Get(boardOf + "&wait=1").Sent(boardForm)
	after := d.Get(boardOf).Lacks("being quoted").Sent(boardForm)
	for _, id := range before["tick"] {
		if got, want := after.Get("do."+id), before.Get("do."+id); got != want {
			t.Errorf("%q and %q", got, want)
		}
	}
	storetest.Settings(t, apptest.Production(s), gangway.Settings{Approval: gangway.ApprovalPolicy{
		Mode: gangway.ApproveAlways}})
	approved := c.Get(boardOf+"&wait=1").Has("approval: Ingrid Holm, until ", " for ", // it knows of the new policy
		`data-cell="approval">approval</span>`, "now: nothing")
	_, until, _ := strings.Cut(approved.Body, "approval: Ingrid Holm, until ")
	until, _, _ = strings.Cut(until, " for ")
	asked := approved.Sent(boardForm)
	run := c.Finish(c.Post(boardOf, asked)).Has("needed by "+until, "from Ingrid Holm")
	c.Get(boardOf+"&wait=1&off=*").Has(">decide<", "Waits for approval until ").Lacks("approval: Ingrid Holm")
	if fmt.Sprint(before["tick"]) != fmt.Sprint(after["tick"]) {
		t.Errorf("%v and %v", before["tick"], after["tick"])
	}
	list := s.Bookings(t)
	changing := list[slices.IndexFunc(list, func(b gangway.Booking) bool { return b.Change != nil })]
	d.Post("/approvals", d.Get("/approvals").Form("/approvals", "decline", changing.ID, "reason-"+changing.ID,
		"too dear"))
	const declined = "Ingrid Holm declined the change: too dear."
	c.Get("/").Has(declined)
	c.Get(run.Path).Has(declined, "✕</span>not done", " · 1 not done")
	again := c.Get(boardOf + "&wait=1")
	row := rowOf(again, changing.Passenger.LastName)
	change := regexp.MustCompile(`name="do\.([^"]*)".*?value="(change [^"]*)"`).FindStringSubmatch(row)
	form := again.Sent(boardForm)
	if do := "do." + change[1]; !strings.Contains(row, declined) || form.Get(do) == asked.Get(do) {
		t.Errorf("%s\nwant who declined the change, and something else proposed", row)
	}
	form["tick"] = change[1:2] // a person may ask for a change again
	form.Set("do."+change[1], html.UnescapeString(change[2]))
	c.Finish(c.Post(boardOf, form))
	c.Post("/searches/"+changing.Purpose.Search+"/move", url.Values{"airport": {"BRU"}, "date": {"2036-12-05"}})
	d.Post("/approvals", d.Get("/approvals").Form("/approvals", "only", changing.ID)).Is(http.StatusConflict,
		changing.Locator+" fit today&#39;s plan, and those of the change do not: ")
}

// Who is too early may wait, at the price of the nights; somebody new stands beside the one of the same rank and home
// whom they replace; and who is on the way is called.
func TestBoardOfAShipThatIsLate(t *testing.T) {
	s := apptest.NewClockedSite(t)
	c := s.SignedIn(t, gangway.Booker)
	storetest.Settings(t, apptest.Production(s), gangway.Settings{Currency: "USD", Crew: gangway.CrewRules{
		NightPrice: gangway.Money{Minor: 100, Currency: "USD"}}})
	people := apptest.Sailors(10)
	for i := range people {
		people[i].Metadata, people[i].Phone = map[string]string{"rank": "Cook"}, "+63 2 555 0100"
	}
	s.Upload(t, "2036-12-05", people[:8])
	c.BookEverybody("BRU")
	var first gangway.Booking
	for _, b := range s.Bookings(t) {
		if b.Passenger.LastName == "Sailora" {
			first = b
		}
	}
	c.Submit("/bookings/" + first.ID + "/issue")
	s.Upload(t, "2036-12-08", append(append([]gangway.CrewMember{}, people[:5]...), people[6], people[7], people[9]))

	board := func(aim string) apptest.Answer { return c.Get(boardOf + "&wait=1&aim=" + aim) }
	t.Run("who can wait", func(t *testing.T) {
		n := ways(board("wait"))
		if n["keep"] != 5 || n["change"]+n["anew"] != 2 || n["hold"] != 1 || n["release"] != 1 {
			t.Errorf("%v; want five who wait, two who change, one new and one released", n)
		}
		release := rowOf(board("wait"), "Sailorf")
		if !strings.Contains(release, "USD -") || !strings.Contains(release, `data-now=""`) {
			t.Errorf("%s\nwant that a hold counts when it is released, and brings nothing back", release)
		}
		board("wait").Has("too early · 3 nights", "15 nights")
	})
	t.Run("a night costs what is set for the account, for the port, or for the crew change, in whatever currency",
		func(t *testing.T) {
			eur, usd := gangway.Money{Minor: 700, Currency: "EUR"}, gangway.Money{Minor: 250, Currency: "USD"}
			in := apptest.Production(s)
			costs := func(sum string, night gangway.Money) {
				t.Helper()
				for _, m := range (plan.BoardState{}).People(crewNow(t, s), gangway.Settings{}) {
					if m.MayWait() && m.Night != night {
						t.Errorf("a night costs %v; want %v", m.Night, night)
					}
				}
				board("wait").Has("15 nights", sum).Lacks("no price", "without a price")
			}
			for _, rules := range []gangway.CrewRules{{NightPrice: usd}, {NightPrices: "BRU 2.50 USD\n"}} {
				storetest.Settings(t, in, gangway.Settings{Crew: rules})
				costs("USD ", usd)
			}
			apptest.Done(t, in.SetCrewRules(t.Context(), storetest.Operator, "id:GEN-00", s.Now(),
				func(gangway.CrewChange) (gangway.CrewRules, error) { return gangway.CrewRules{NightPrice: eur}, nil }))
			costs("EUR 105.00", eur)
			storetest.Settings(t, in, gangway.Settings{Currency: "USD", Rates: "1 EUR = 1.5 USD, 1 Nov 2036, ECB"})
			board("wait").Has("ECB").Lacks("EUR 105.00")
		})
	t.Run("everybody to the new plan", func(t *testing.T) {
		if n := ways(board("plan")); n["keep"] != 0 || n["change"]+n["anew"] != 7 {
			t.Errorf("%v; want nobody who waits", n)
		}
	})
	t.Run("names for names", func(t *testing.T) {
		board("plan").Has("Sailorj, Maria replaces")
	})
	t.Run("on the way", func(t *testing.T) {
		s.Passed.Store(int64(first.Itinerary.Departure().Add(-time.Hour).Sub(apptest.Today)))
		c := s.SignedIn(t, gangway.Booker)
		page := c.Get(boardOf+"&wait=1").Has(`data-state="under-way"`, `href="tel:`, "lands BRU ")
		if strings.Count(page.Body, `data-state="under-way"`) != 1 {
			t.Error(page.Body)
		}
	})
}
