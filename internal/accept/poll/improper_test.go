package poll_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// improper are answers with status 200 that are none, with what is said of them.
var improper = map[string]string{
	`{"success":false,"error":"token expired"}`:               `"success" in its answer is false`,
	`{"Ok":0,"data":[]}`:                                      `"Ok" in its answer is 0`,
	`{"error":"token expired","data":[]}`:                     `its answer has "error" and no records`,
	`{"error":"db down"}`:                                     `its answer has "error" and no records: "db down"`,
	`{"ok":false,"message":"session expired"}`:                `"ok" in its answer is false: "session expired"`,
	`{"error":{"code":5,"message":"no such ship"},"data":[]}`: `its answer has "error" and no records: "no such ship"`,
	`[{"error":"token expired"}]`:                             "1 record was refused: record 0: ",
	`[{"first_name":"Ana"},{"vessel":7}]`:                     "2 records were refused: record 0: ",
}

// TestErrorUnderAGoodStatusIsNoAnswer: what a system told last of a day stays when it answers an error with status 200,
// and the booker and the feed's history have it that the system does not answer properly.
func TestErrorUnderAGoodStatusIsNoAnswer(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d, c := newDesk(t, db), newCustomer(t)
		d.set(gangway.CrewChangesFlow, c.URL, reads)
		day := gangway.Ask{Date: "2026-12-05"}
		c.has(`[{"vessel":"Nordlys","onsigners":[{"last_name":"Reyes","first_name":"Ana"}]}]`)
		d.asks(gangway.CrewChangesFlow, day, true)
		for doc, because := range improper {
			d.later(2 * time.Minute)
			d.poller = d.another() // whose breaker is closed
			c.has(doc)
			a := d.asks(gangway.CrewChangesFlow, day, false)
			if !strings.HasPrefix(a.Error, "the system does not answer properly: "+because) {
				t.Errorf("%s: %+v; want %q", doc, a, because)
			}
			history, err := d.in.FeedRuns(t.Context(), "crew", 0, 1)
			if err != nil || len(history) != 1 || history[0].Error != a.Error {
				t.Errorf("%s: history %+v, %v; want %q", doc, history, err, a.Error)
			}
			d.changes(1)
		}
		for _, doc := range []string{`[]`, `{"success":true,"data":[]}`, `{"error":null,"data":[]}`,
			`{"errors":[],"data":[]}`,
			`{"error":"1 skipped","data":[{"vessel":"Nordlys","onsigners":[{"last_name":"Reyes","first_name":"Ana"}]}]}`} {
			d.later(2 * time.Minute)
			d.poller = d.another()
			c.has(doc)
			d.asks(gangway.CrewChangesFlow, day, true)
		}
	})
}

// TestListOfNothingInAWrapper: an answer whose list is empty says that there is nobody, wherever the list is and
// without a mapping; what says that something is wrong does not.
func TestListOfNothingInAWrapper(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	d.set(gangway.CrewChangesFlow, c.URL)
	day := gangway.Ask{Date: "2026-12-05"}
	soap := `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>%s</s:Body></s:Envelope>`
	for doc, left := range map[string]int{
		`{"value":[]}`: 0, `{"items":[],"total":0}`: 0, `{"success":true,"data":[]}`: 0, `{"data":{"items":[]}}`: 0,
		`<crew_changes/>`: 0, `<crew_changes total="0"></crew_changes>`: 0, fmt.Sprintf(soap, ""): 0,
		fmt.Sprintf(soap, `<GetCrewResponse xmlns="urn:crew"><GetCrewResult/></GetCrewResponse>`): 0,
		`{"message":"session expired","errors":[]}`:                                               1,
		`{"message":"session expired","debug":{"stack":[]}}`:                                      1,
		`{"status":"success","date":"2026-12-05","data":[]}`:                                      0,
		`{"status":"error","data":[]}`:                                                            1,
		`{"code":500,"data":[]}`:                                                                  1,
		`{"vessel":"Nordlys","notes":[]}`:                                                         1, `{}`: 1, `{"data":null}`: 1, `<error/>`: 1,
		`<fault><text>session expired</text><hint/></fault>`: 1,
	} {
		d.later(2 * time.Minute)
		d.poller = d.another()
		c.has(`[{"vessel":"Nordlys","onsigners":[{"last_name":"Reyes","first_name":"Ana"}]}]`)
		d.asks(gangway.CrewChangesFlow, day, true)
		d.later(2 * time.Minute)
		c.has(doc)
		d.asks(gangway.CrewChangesFlow, day, left == 0)
		d.changes(left)
	}
	d.later(2 * time.Minute)
	d.poller = d.another()
	c.says(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		fmt.Fprint(w, "ERROR: session expired\n")
	})
	if a := d.asks(gangway.CrewChangesFlow, day, false); !strings.HasSuffix(a.Error, "one cell, and no records") {
		t.Errorf("a table of one cell: %+v", a)
	}
}

// reads has a feed read what is in "data", or a list.
func reads(f *gangway.Feed) { f.Mapping = `(.data? // .)[]? | select(type == "object")` }

// TestErrorInPlaceOfAListChangesNothing: the same of all travellers, which are fetched; a document that somebody gives
// is stored as far as it can be, as ever.
func TestErrorInPlaceOfAListChangesNothing(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	d.set(gangway.TravellersFlow, c.URL)
	for doc := range improper {
		c.has(doc)
		d.fails("the system does not answer properly: ")
	}
	c.has(crew("Ana", "Bea"))
	d.run(2, 2, 0, 0, 0, 0)
	for doc := range improper {
		c.has(doc)
		d.fails("the system does not answer properly: ")
	}
	d.there("Ana", "Bea")
	history, err := d.in.FeedRuns(t.Context(), "crew", 0, 1)
	if err != nil || history[0].Documents != 1 {
		t.Errorf("history: %+v, %v; want what it answered kept", history, err)
	}
	no := false
	d.set(gangway.TravellersFlow, c.URL, func(f *gangway.Feed) { f.Complete = &no })
	if run := d.gives(text(`[{"first_name":"Ana"}]`)); run.Failed() || run.Refused != 1 {
		t.Errorf("a document that was given: %+v; want its record refused", run)
	}
}

// TestOnePageOfSeveralRemovesNobody: an answer that says that there is more is stored, and warned of, and nobody is
// removed because of it; the admins are told once. A feed may say that one page is everything.
func TestOnePageOfSeveralRemovesNobody(t *testing.T) {
	people := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"id":"C-%d","last_name":"Reyes","first_name":"%cna"}`, i, 'A'+i))
		}
		return strings.Join(list, ",")
	}
	for _, doc := range []string{
		`{"items":[%s],"hasMore":true}`, `{"items":[%s],"links":[{"rel":"self"},{"rel":"next","href":"/2"}]}`,
		`{"items":[%s],"page":1,"total_pages":2}`, `{"items":[%s],"totalResults":4000}`,
		`{"data":[%s],"meta":{"pagination":{},"next_cursor":"YQ"}}`,
		`{"count":12,"next":"https://hr.example/?page=2","results":[%s]}`,
	} {
		d, c := newDesk(t, storetest.New(t)), newCustomer(t)
		all := func(f *gangway.Feed) { f.Mapping = "(.items? // .data? // .results? // .)[]" }
		d.set(gangway.TravellersFlow, c.URL, all)
		c.has("[" + people(11) + "]")
		d.run(11, 11, 0, 0, 0, 0)
		c.has(fmt.Sprintf(doc, people(10)))
		run := d.run(10, 0, 0, 10, 0, 0)
		if len(run.Warnings) != 1 || !run.Warnings[0].Whole ||
			!strings.HasPrefix(run.Warnings[0].Message, "The answer seems to be one page of several: ") {
			t.Errorf("%s: warnings %+v; want one", doc, run.Warnings)
		}
		c.says(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"v1"`)
			if r.Header.Get("If-None-Match") != "" {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			fmt.Fprintf(w, doc, people(10))
		})
		d.run(10, 0, 0, 10, 0, 0)
		again := d.run(0, 0, 0, 0, 0, 0)
		if run.Notice.Text == "" || again.Notice != run.Notice || !again.NotModified {
			t.Errorf("%s: told %+v, then %+v; want it told once, and not read again", doc, run.Notice, again)
		}
		d.set(gangway.TravellersFlow, c.URL, all, func(f *gangway.Feed) {
			f.Transport.Settings = []byte(`{"url":"` + c.URL + `","paging":"none"}`)
		})
		if run := d.run(10, 0, 0, 10, 1, 0); len(run.Warnings) > 0 {
			t.Errorf("%s is everything: %+v", doc, run.Warnings)
		}
	}
}

// TestOnePageOfADay: the same of what somebody waits for: what was told of that day before stays.
func TestOnePageOfADay(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d, c := newDesk(t, db), newCustomer(t)
		d.set(gangway.CrewChangesFlow, c.URL, reads)
		day := gangway.Ask{Date: "2026-12-05"}
		ship := `{"vessel":"%s","onsigners":[{"last_name":"Reyes","first_name":"Ana"}]}`
		c.has("[" + fmt.Sprintf(ship, "Nordlys") + "," + fmt.Sprintf(ship, "Aurora") + "]")
		d.asks(gangway.CrewChangesFlow, day, true)
		c.has(`{"data":[` + fmt.Sprintf(ship, "Nordlys") + `],"has_more":true}`)
		for range 2 {
			d.later(2 * time.Minute)
			d.asks(gangway.CrewChangesFlow, day, true)
		}
		d.changes(2)
		if run := d.history(1)[0]; run.Failed() || run.Notice.Text == "" || !d.stored().Failing.IsZero() {
			t.Errorf("the run: %+v; want it said once, and the feed well", run)
		}
	})
}

// TestBodyThatBreaksOff: an answer without a length that breaks off in the middle changes nothing.
func TestBodyThatBreaksOff(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	d.set(gangway.TravellersFlow, c.URL)
	c.has(crew("Ana", "Bea", "Cas"))
	d.run(3, 3, 0, 0, 0, 0)
	for body, because := range map[string]string{
		"Crew ID;Surname;Given name;Sex\nC-1;Reyes;Ana;F\nC-2;Reyes;Bea;F": "it seems to be cut off",
		`{"id":"C-1","last_name":"Reyes","first_name":"Ana"}` + "\n" +
			`{"id":"C-2","last_name":"Reyes","first_name":"Bea"}`: "it seems to be cut off",
		`[{"id":"C-1","last_name":"Reyes","first_name":"Ana"},`: "it ends too early",
	} {
		c.says(func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n%s", body)
		})
		d.fails(because)
		d.there("Ana", "Bea", "Cas")
	}
}

// TestHowManyMayGo: a run that would remove more than three in ten of at least ten stops, or more than the feed says;
// also where as many others have come. Of more than a tenth, and five people, the admins are told once.
func TestHowManyMayGo(t *testing.T) {
	list := func(from, to int) string {
		doc := "Crew ID;Surname;Given name;Sex\n"
		for i := from; i < to; i++ {
			doc += fmt.Sprintf("C-%d;Reyes;N%c%c;F\n", i, 'a'+i/26, 'a'+i%26)
		}
		return doc
	}
	for _, tt := range []struct {
		had, from, to, limit int
		stops                string
		told                 string
	}{
		{100, 0, 69, 0, "it lacks 31 of the 100 records that it had", ""},
		{100, 0, 70, 0, "", "30 of the 100 records that it had are gone"},
		{100, 0, 55, 50, "", "45 of the 100 records that it had are gone"},
		{100, 0, 95, 4, "it lacks 5 of the 100 records that it had", ""},
		{100, 31, 131, 0, "it lacks 31 of the 100 records that it had and brought 31 new", ""}, // others came for them
		{100, 0, 90, 0, "", ""},
		{40, 0, 35, 0, "", "5 of the 40 records that it had are gone"},
		{30, 0, 26, 0, "", ""},
		{9, 0, 1, 0, "", ""},
		{9, 0, 0, 0, "it lacks 9 of the 9 records that it had", ""},
	} {
		d, c := newDesk(t, storetest.New(t)), newCustomer(t)
		d.set(gangway.TravellersFlow, c.URL, func(f *gangway.Feed) { f.RemovalLimit = tt.limit })
		fetch := func() gangway.FeedRun {
			t.Helper()
			d.later(time.Second)
			return d.fetch(poll.Ask{})
		}
		c.has(list(0, tt.had))
		fetch()
		c.has(list(tt.from, tt.to))
		run := fetch()
		if run.Failed() != (tt.stops != "") || !strings.HasPrefix(run.Error, tt.stops) || run.Notice.Text != tt.told {
			t.Errorf("%+v: %q, told %q, removed %d", tt, run.Error, run.Notice.Text, run.Removed)
		}
		if next := fetch(); tt.told != "" && next.Notice != run.Notice {
			t.Errorf("%+v: the next run tells %+v; want %+v", tt, next.Notice, run.Notice)
		}
		d.later(24 * time.Hour)
		if next := fetch(); next.Notice.Text != "" {
			t.Errorf("%+v: a day later it tells %+v", tt, next.Notice)
		}
	}
}

// TestDaysThatAreNotKnownComeFirst: of several days those are asked about first of which nothing is known, and the
// others are asked also when whoever waited has gone, so that the next one finds them; until then it is said which are
// missing.
func TestDaysThatAreNotKnownComeFirst(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	d.set(gangway.CrewChangesFlow, c.URL)
	days := func(n int) (asks []gangway.Ask) {
		for i := range n {
			asks = append(asks, gangway.Ask{Date: gangway.Date(fmt.Sprintf("2026-12-0%d", i+1))})
		}
		return asks
	}
	answer := func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `[{"vessel":"Ship of %s","onsigners":[{"last_name":"Reyes","first_name":"Ana"}]}]`,
			r.URL.Query().Get("date"))
	}
	c.says(answer)
	if a, err := d.poller.Ask(t.Context(), d.in, gangway.CrewChangesFlow, days(4)...); err != nil || a[0].Error != "" {
		t.Fatal(a, err)
	}
	d.later(time.Minute)
	four, release := make(chan struct{}, 7), make(chan struct{})
	c.says(func(w http.ResponseWriter, r *http.Request) {
		four <- struct{}{}
		if r.URL.Query().Get("date") != "2026-12-05" {
			<-release
		}
		answer(w, r)
	})
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		for range 5 { // the fifth, too, is asked about: the first of them was answered
			<-four
		}
		leave()
	}()
	answers, err := d.poller.Ask(ctx, d.in, gangway.CrewChangesFlow, days(7)...)
	first := c.requests()[4:9] // four at a time, in no order, and the one that the answer made room for
	slices.Sort(first)
	if err != nil || !slices.Equal(first, []string{"date=2026-12-01", "date=2026-12-02", "date=2026-12-05",
		"date=2026-12-06", "date=2026-12-07"}) {
		t.Errorf("asked %q first, %v; want the days that are not known, and two more", first, err)
	}
	want := []gangway.Date{"2026-12-01", "2026-12-02", "2026-12-03", "2026-12-04", "2026-12-06", "2026-12-07"}
	if len(answers) != 1 || answers[0].Error == "" || !slices.Equal(answers[0].Missing, want) {
		t.Errorf("%+v; want these missing: %s", answers, want)
	}
	close(release)
	d.poller.Rest()
	c.says(answer)
	answers, err = d.poller.Ask(t.Context(), d.in, gangway.CrewChangesFlow, days(7)...)
	if err != nil || answers[0].Error != "" || answers[0].Missing != nil {
		t.Errorf("then: %+v, %v; want all days", answers, err)
	}
	if n := len(c.requests()); n != 11 {
		t.Errorf("%d requests; want 4 and 7: what was answered in the background is not asked again", n)
	}
}
