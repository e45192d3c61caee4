package report_test

import (
	"fmt"
	"html"
	"math/big"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

var nextPage = regexp.MustCompile(`<a class="button tight" href="([^"]+)">Next`)

// behind returns the rows of all pages that list the bookings behind a figure.
func behind(c *apptest.Client, at string) (rows [][]string) {
	for at != "" {
		page := c.Get(at)
		rows = append(rows, table(strings.Replace(page.Body, `<div class="panel" id="list"`,
			`<section class="panel" id="list"`, 1), "list")...)
		next := nextPage.FindStringSubmatch(page.Body)
		if at = ""; next != nil {
			at = html.UnescapeString(next[1])
		}
	}
	return rows
}

// TestFiguresLeadToTheirBookings: each figure is a link to just the bookings that it is made of, page by page.
func TestFiguresLeadToTheirBookings(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		s := apptest.NewSiteOn(t, db)
		list := apptest.Reported(t, apptest.Production(s), 120)
		c := s.SignedIn(t, gangway.Booker)
		page := c.Get(everything)
		rows := behind(c, tile(t, page, "Bookings", "120"))
		if len(rows) != 120 || !strings.HasPrefix(rows[0][0], "R00119") {
			t.Errorf("behind 120 bookings are %d rows, from %q; want all, the newest first", len(rows), rows[0])
		}
		tickets := 0
		for _, b := range list {
			if paid(b) && b.Price.Total.Currency == "USD" {
				tickets++
			}
		}
		spend := new(big.Rat)
		rows = behind(c, tile(t, page, "Spend, USD", ""))
		for _, r := range rows {
			n, _ := new(big.Rat).SetString(strings.ReplaceAll(strings.TrimPrefix(r[7], "USD "), ",", ""))
			spend.Add(spend, n)
		}
		tile(t, page, "Spend, USD", thousands(spend.FloatString(2)))
		if len(rows) != tickets {
			t.Errorf("behind the spend in USD are %d bookings; want %d", len(rows), tickets)
		}
		cells := regexp.MustCompile(`data-label="Bookings" class="number"><span class="amount"><a href="([^"]+)">([0-9]+)</a>`).
			FindAllStringSubmatch(page.Body, -1)
		if len(cells) < 20 {
			t.Fatalf("%d numbers of bookings are links", len(cells))
		}
		for _, cell := range cells[:5] {
			if rows := behind(c, html.UnescapeString(cell[1])); fmt.Sprint(len(rows)) != cell[2] {
				t.Errorf("behind %s bookings are %d: %s", cell[2], len(rows), cell[1])
			}
		}
	})
	s := apptest.NewSite(t)
	apptest.Reported(t, apptest.Production(s), 3)
	c := s.SignedIn(t, gangway.Booker)
	c.Get("/report/bookings?of=nothing").Is(http.StatusNotFound)
	c.Get("/report/bookings?from=&to=&at=guessed").Has("R00002")
	c.Get("/report/bookings?origin=Manila").Is(http.StatusUnprocessableEntity)
}

// TestYearBefore: beside each figure stands that of the same days a year before, where days are given.
func TestYearBefore(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.Reported(t, apptest.Production(s), 150)
	c := s.SignedIn(t, gangway.Booker)
	was := c.Get("/report?from=2035-09-01&to=2035-11-20")
	page := c.Get("/report?from=2036-09-01&to=2036-11-20")
	n := regexp.MustCompile(`<dt>Bookings</dt><dd><a [^>]+><strong>([0-9]+)<`).FindStringSubmatch(was.Body)[1]
	page.Has("The year before: Booked from Sat 1 Sep 2035 to Tue 20 Nov 2035.", ">a year before "+n+" (")
	vessels := map[string]string{}
	for _, r := range append(table(was.Body, "vessels"), table(was.Body, "routes")...) {
		vessels[r[0]] = r[3]
	}
	compared := 0
	for _, r := range append(table(page.Body, "vessels"), table(page.Body, "routes")...) {
		_, before, _ := strings.Cut(r[3], " was ")
		if shown := vessels[r[0]]; shown != "" { // the smallest are only among the others
			if compared++; shown != before {
				t.Errorf("%s had %s bookings a year before; want %s", r[0], before, shown)
			}
		}
	}
	if compared == 0 {
		t.Error("no vessel has figures of the year before")
	}
	c.Get(everything).Lacks("a year before")
}

// TestOwnFieldsFilterAndGroup: bookings are grouped by a field of the customer's own, and each value leads to its
// report, which has the same figures.
func TestOwnFieldsFilterAndGroup(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		s := apptest.NewSiteOn(t, db)
		all := map[string]*figures{}
		for _, b := range apptest.Reported(t, apptest.Production(s), 60) {
			of(all, b.Purpose.CustomFields["rank"]).add(b, "USD")
		}
		c := s.SignedIn(t, gangway.Booker)
		page := c.Get(everything + "&field=rank").Has(`<option value="cost centre">`)
		rows := table(page.Body, "fields")
		if len(rows) != 5 {
			t.Fatalf("the report has %d ranks; want three, those not given, and all", len(rows))
		}
		for _, r := range rows[:4] {
			f := all[strings.Replace(r[0], "Not given", "", 1)]
			if f == nil {
				t.Fatalf("there is no rank %q", r[0])
			}
			want(t, r, []string{r[0], f.paid(), f.tonnes(), fmt.Sprint(f.bookings)})
		}
		relief := `2/O "relief"`
		at := everything + "&field=rank&value=2%2FO+%22relief%22"
		to := tile(t, c.Get(at), "Bookings", fmt.Sprint(all[relief].bookings))
		if rows := behind(c, to); len(rows) != all[relief].bookings {
			t.Errorf("behind the rank %s are %d bookings; want %d", relief, len(rows), all[relief].bookings)
		}
		c.Get(everything + "&field=rank&value=2%2FO").Has("No bookings here")
		c.Get(everything + "&value=AB").Is(http.StatusUnprocessableEntity)
	})
}
