package app_test

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/gangway/judgetest"
	"gangway/internal/store"
	"gangway/internal/web/access"
	"gangway/internal/web/app/apptest"
)

// A stand is how a person stands.
type stand struct {
	*soul
	judgetest.Verdict
	plan gangway.Plan
	live []gangway.Booking
}

// words are the values as rows carry them.
func (s stand) words() string {
	first, also := s.Words()
	return strings.TrimSpace(first + " " + strings.Join(also, " "))
}

// String is what may change while somebody looks.
func (s stand) String() string {
	text := s.FirstName + " " + s.words()
	for _, b := range s.live {
		text += fmt.Sprint(" ", b.Locator, b.Version)
	}
	return text
}

// misses are the values of flights that do not serve the plan.
var misses = []gangway.Standing{"no_longer_travelling", "wrong_place", "too_late", "leaves_before_ship", "too_early",
	"waits_too_long"}

// serves reports whether the flights of a verdict serve the plan.
func serves(v judgetest.Verdict) bool {
	return !slices.ContainsFunc(v.Values, func(s gangway.Standing) bool { return slices.Contains(misses, s) })
}

// plan is the plan for a person, made from what was sent.
func (l *story) plan(p *soul) gangway.Plan {
	plan := gangway.Plan{Side: p.side}
	if !p.on {
		plan.Unneeded = gangway.LeftOut
		return plan
	}
	port, day := gangway.Place(l.port), l.day.AddDays(p.own)
	plan.ShipDay, plan.New, plan.Rules = l.day, !p.was, l.hours
	plan.Who = gangway.Traveller{LastName: p.LastName, FirstName: p.FirstName}
	plan.Roads = map[gangway.Place]map[gangway.Airport]time.Duration{port: {}}
	ends, err := flight.Ends(port)
	l.must(err)
	for _, e := range ends {
		plan.Roads[port][e.Airport] = e.Ground
	}
	loc, err := time.LoadLocation(map[gangway.Place]string{"AMS": "Europe/Amsterdam", "BRU": "Europe/Brussels",
		"HAM": "Europe/Berlin"}[port])
	l.must(err)
	plan.Zones = map[gangway.Place]*time.Location{port: loc}
	plan.Legs = []gangway.Leg{{Destination: port, ArriveOn: day}}
	if plan.Hour = l.hours.BoardBy; p.side == gangway.OffSigner {
		plan.Hour, plan.Legs = l.hours.LeaveFrom, []gangway.Leg{{Origin: port, Date: day}}
	}
	return plan
}

// stands are how everybody stands, as far as they are listed.
func (l *story) stands() (list []stand) {
	bookings := l.all(store.BookingQuery{Live: true})
	for _, p := range l.people {
		s := stand{soul: p, plan: l.plan(p)}
		elsewhere := false
		for _, b := range bookings {
			switch leaves := gangway.DateOf(b.Itinerary.Departure()); {
			case b.Passenger.FirstName != p.FirstName:
			case b.Purpose.Change == l.key:
				s.live = append(s.live, b)
			case b.Passenger.LastName == p.LastName:
				day := l.day.AddDays(p.own)
				elsewhere = elsewhere || day.AddDays(-3) <= leaves && leaves <= day.AddDays(3)
			}
		}
		if s.Verdict = judgetest.Judge(s.plan, s.live, elsewhere, l.now()); p.on || len(s.live) > 0 {
			list = append(list, s)
		}
	}
	return list
}

// check holds what is promised after each step.
func (l *story) check(read reader) {
	l.t.Helper()
	l.keepSeats(l.stands())
	l.pairs(false)
	for { // what a run still does in the background may come in between
		l.differs = nil
		all := l.stands()
		l.compare(all, read)
		if fmt.Sprint(all) == fmt.Sprint(l.stands()) {
			break
		}
	}
	for _, words := range l.differs {
		l.t.Error(words)
	}
}

// wrong notes what differs.
func (l *story) wrong(format string, args ...any) {
	l.differs = append(l.differs, fmt.Sprintf(format, args...))
}

// A reader is how pages are read.
type reader func(path string) (page string)

// byHTTP reads pages from any of the sites, and the board as an open one is brought up to date.
func (l *story) byHTTP() reader {
	c := l.site().SignedIn(l.t, gangway.Booker)
	return func(path string) string {
		if path == l.board() {
			return l.live(c, path+"&step="+fmt.Sprint(len(l.log)))
		}
		return c.Get(path).Body
	}
}

// compare compares what everything says with how everybody stands.
func (l *story) compare(all []stand, read reader) {
	l.impact(all)
	by, needed := map[string]string{}, map[string]bool{}
	for _, s := range all {
		by[s.FirstName], needed[s.FirstName] = s.words(), true
	}
	plan := "/crew-changes/plan?key=" + url.QueryEscape(l.key)
	l.rows(plan, read(plan), by, needed)
	if l.search.ID != "" && l.search.Change == l.key {
		in, members := maps.Clone(by), map[string]bool{}
		for _, m := range l.search.Members {
			members[m.Traveller.FirstName] = needed[m.Traveller.FirstName]
			if in[m.Traveller.FirstName] == "" {
				in[m.Traveller.FirstName] = "no_longer_travelling" // in the search, and not in the crew change
			}
		}
		l.rows("the search", read("/searches/"+l.search.ID), in, members)
	}
	acts, rows := map[string]bool{}, maps.Clone(by)
	alone, bookings := map[string]string{}, map[string]bool{}
	for _, s := range all {
		acts[s.FirstName] = by[s.FirstName] != "fits"
		for _, b := range s.live {
			v := stand{Verdict: judgetest.Judge(s.plan, []gangway.Booking{b}, false, l.now())}
			alone[b.Locator], bookings[b.Locator] = v.words(), true
			if !s.on && len(s.live) > 1 { // each of these ends, and has a row
				delete(acts, s.FirstName)
				delete(rows, s.FirstName)
				rows[b.Locator] = v.words()
			}
		}
	}
	l.rows("the board", read(l.board()), rows, acts)
	if len(bookings) > 50 { // the page has that many
		clear(bookings)
	}
	l.rows("/bookings", read("/bookings"), alone, bookings)
	l.counts(read, all)
}

// live is a page as an open one is brought up to date: it asks nobody anything.
func (l *story) live(c *apptest.Client, path string) string {
	req, err := http.NewRequestWithContext(l.t.Context(), http.MethodGet, c.Site.URL+path, nil)
	l.must(err)
	mark := pageMark.FindStringSubmatch(c.Get("/settings").Body)
	req.Header.Set(access.LiveHeader, html.UnescapeString(mark[1]))
	return c.Do(req).Body
}

var pageMark = regexp.MustCompile(`data-live="[^"]*for=([^"&]*)`)

var (
	tableRow = regexp.MustCompile(`(?s)<tr([^>]*)>(.*?)</tr>`)
	rowSays  = regexp.MustCompile(`data-standing="([^"]*)"`)
	rowAlso  = regexp.MustCompile(`data-also="([^"]*)"`)
)

// rows compares what the rows of a page say with what they should, by a word that each row has; those of needed are
// there.
func (l *story) rows(page, body string, want map[string]string, needed map[string]bool) {
	found := map[string]bool{}
	for _, row := range tableRow.FindAllStringSubmatch(body, -1) {
		says := rowSays.FindStringSubmatch(row[1])
		if says == nil || says[1] == "" { // nobody is judged
			continue
		}
		also := rowAlso.FindStringSubmatch(row[1])
		said := says[1]
		if also != nil {
			said = strings.TrimSpace(said + " " + also[1])
		}
		for word, is := range want {
			if !strings.Contains(row[2], ", "+word) && !strings.Contains(row[2], ">"+word+"<") {
				continue
			}
			if found[word] = true; said != is {
				l.wrong("%s says %q of %s; want %q", page, said, word, is)
			}
			if said != "fits" && strings.Contains(row[2], "badge good") {
				l.wrong("%s is green where it says %q of %s", page, said, word)
			}
		}
	}
	for word, is := range needed {
		if is && !found[word] {
			l.wrong("%s does not say that %s is %q", page, word, want[word])
		}
	}
}

// impact compares what the call says.
func (l *story) impact(all []stand) {
	var said struct {
		ChangeDate gangway.Date `json:"change_date"`
		People     []struct {
			First                 string `json:"first_name"`
			Plan, Arrives, Leaves string
			Also, Bookings        []string
			Nights                int
		}
		Counts map[string]int
	}
	by := url.Values{"vessel": {"GENOA STAR"}, "flag": {"PA"}, "change_date": {string(l.day)}}
	if l.id != "" {
		by = url.Values{"travel_request_id": {l.id}}
	}
	l.ask("/crew-changes/impact?"+by.Encode(), &said)
	if said.ChangeDate != l.day || len(said.People) != len(all) {
		l.wrong("the call has %d people on %s; want %d on %s", len(said.People), said.ChangeDate, len(all), l.day)
	}
	counts := map[string]int{}
	for _, p := range said.People {
		i := slices.IndexFunc(all, func(s stand) bool { return s.FirstName == p.First })
		if i < 0 {
			l.wrong("the call has %s, who is not in the crew change", p.First)
			continue
		}
		s, at, locators := all[i], "", []string{}
		if !s.At.IsZero() {
			at = s.At.In(s.plan.Zones[s.plan.AtShip()]).Format(time.RFC3339)
		}
		for _, b := range s.live {
			locators = append(locators, b.Locator)
		}
		got := strings.TrimSpace(p.Plan + " " + strings.Join(p.Also, " "))
		if got != s.words() || p.Nights != s.Nights || p.Arrives+p.Leaves != at || !slices.Equal(p.Bookings, locators) {
			l.wrong("the call says of %s: %q, %d nights, %s %s; want %q, %d, %s %s", s.FirstName, got, p.Nights,
				p.Arrives+p.Leaves, p.Bookings, s.words(), s.Nights, at, locators)
		}
		counts[p.Plan]++
	}
	for value, n := range said.Counts {
		if n != counts[value] {
			l.wrong("the call counts %d as %s; want %d", n, value, counts[value])
		}
	}
	if len(said.Counts) != 15 {
		doc, _ := json.Marshal(said.Counts)
		l.wrong("the call counts %s", doc)
	}
}

var bookedOf = regexp.MustCompile(`([0-9]+) of ([0-9]+)|>all ([0-9]+)<`)

// counts compares what the list of crew changes and Today count.
func (l *story) counts(read reader, all []stand) {
	booked, size, good, old, removed := 0, 0, 0, 0, 0
	for _, s := range all {
		if s.on {
			size++
		}
		switch {
		case len(s.live) == 0:
		case !s.on:
			removed++
		case serves(s.Verdict):
			booked++
		default:
			old++
		}
		if s.words() == "fits" {
			good++
		}
	}
	words := fmt.Sprintf("%d of %d", booked, size)
	if good == size && removed == 0 {
		words = fmt.Sprintf(">all %d<", size)
	}
	for _, path := range []string{"/crew-changes?from=" + string(l.day), "/"} {
		today := path == "/"
		if today && (l.day > gangway.DateOf(l.now()).AddDays(14) || l.day < gangway.DateOf(l.now())) {
			continue
		}
		found := false
		for _, row := range tableRow.FindAllStringSubmatch(read(path), -1) {
			if !strings.Contains(row[2], "GENOA STAR") || bookedOf.FindString(row[2]) == "" {
				continue
			}
			text := html.UnescapeString(row[2])
			said := bookedOf.FindString(text)
			if found = true; said != words && !(today && said == fmt.Sprintf("%d of %d", booked, size)) {
				l.wrong("%s says %q; want %q", path, said, words)
			}
			if has := strings.Contains(text, fmt.Sprintf("%d removed, still booked", removed)); has != (removed > 0) {
				l.wrong("%s does not say that %d are removed and booked: %s", path, removed, text)
			}
			if path != "/" && strings.Contains(text, "badge good") != (good == size && removed == 0) {
				l.wrong("%s is green: %d of %d are as planned, %d removed", path, good, size, removed)
			}
		}
		if !found {
			l.wrong("%s does not have the crew change on %s", path, l.day)
		}
	}
}

// keepSeats fails if somebody had a booking that serves today's plan, and has none because of us. Airlines may have
// taken it, holds lapse, people give bookings up.
func (l *story) keepSeats(all []stand) {
	l.t.Helper()
	seats := map[string]gangway.Booking{}
	for _, s := range all {
		if !s.on {
			continue
		}
		for _, b := range s.live {
			if serves(judgetest.Judge(s.plan, []gangway.Booking{b}, false, l.now())) {
				seats[s.FirstName] = b
			}
		}
		had, is := l.seats[s.FirstName]
		if _, has := seats[s.FirstName]; has || !is ||
			!serves(judgetest.Judge(s.plan, []gangway.Booking{had}, false, l.now())) { // the plan is another one
			continue
		}
		b, err := l.in.Booking(l.t.Context(), had.ID)
		l.must(err)
		lapsed := !b.HoldUntil.IsZero() && !l.now().Before(b.HoldUntil) && !had.Ticketed()
		changed := b.Live() && !b.Itinerary.SameTimes(had.Itinerary)
		if !l.ended[b.ID] && !lapsed && !changed {
			l.t.Errorf("%s had %s, which serves the plan, and is without a seat: it is %s, by %s, at %s; held until %s",
				s.FirstName, b.Locator, b.State, b.CancelledBy, b.CancelledAt, b.HoldUntil)
		}
	}
	l.seats = seats
}

// pairs fails unless of two bookings of which one replaces the other one is over, or a person is asked with both
// locators, or it goes on; in the end none goes on.
func (l *story) pairs(over bool) {
	l.t.Helper()
	for _, b := range l.all(store.BookingQuery{}) {
		if b.Replaces == nil {
			continue
		}
		old, err := l.in.Booking(l.t.Context(), b.Replaces.Booking)
		l.must(err)
		if r := b.Replaces; strings.HasPrefix(r.Settled, old.Locator+" was ") { // it was ended for b
			history, err := l.in.History(l.t.Context(), b.ID)
			l.must(err)
			if !slices.ContainsFunc(history, func(a gangway.Action) bool {
				sure := a.Name == gangway.Issued || a.Name == gangway.Confirmed && !r.Ticketed
				return sure && !a.At.After(r.SettledAt)
			}) {
				l.t.Errorf("%s was ended for %s before that was sure: %+v", old.Locator, b.Locator, history)
			}
		}
		switch r := b.Replaces; {
		case !r.Open() && b.Live() && old.Live():
			l.t.Errorf("%s replaces %s, both stand, and it is settled: %s", b.Locator, old.Locator, r.Settled)
		case r.Open() && r.Person != "" && b.Live() && old.Live():
			if a := b.Attention; !a.Open() || !strings.Contains(r.Person, b.Locator) || !strings.Contains(r.Person,
				old.Locator) {
				l.t.Errorf("nobody is asked about %s and %s: %+v", b.Locator, old.Locator, a)
			}
			page := l.site().SignedIn(l.t, gangway.Booker).Get("/").Body
			why := b.Attention.Why
			if strings.Contains(why, old.Locator) && !strings.Contains(page, html.EscapeString(why)) {
				l.t.Errorf("Today does not say: %s", why)
			}
		case over && r.GoesOn():
			l.t.Errorf("%s (%s) replaces %s (%s), and nothing has come of it", b.Locator, b.State, old.Locator,
				old.State)
		}
	}
}
