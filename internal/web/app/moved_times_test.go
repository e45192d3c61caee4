package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/access"
	"gangway/internal/web/api"
	"gangway/internal/web/app/apptest"
)

// TestTrialMovedTimes moves a ship for which 200 people are booked, 20 times by the interface, and says how long it
// takes until every open page says the truth, and until an open board has its three totals. What it holds is the work:
// a board asks for each home, port and day once.
func TestTrialMovedTimes(t *testing.T) {
	need.Trial(t)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		m := newMovedShip(t, db)
		t.Run("every open page", m.pages)
		t.Run("three totals", m.board)
	})
}

// A movedShip has 200 people booked, a quarter of them with tickets.
type movedShip struct {
	site   *apptest.Site
	calls  *httptest.Server
	key    string
	asked  sync.Map // the questions to the airlines
	search string
	homes  int
}

// A searching supplier notes what it is asked: who sells real flights answers the same question once.
type searching struct {
	flight.Supplier
	asked *sync.Map
}

func (s searching) Search(ctx context.Context, ask flight.Ask, found func([]flight.Offer)) error {
	s.asked.Store(fmt.Sprintf("%+v", ask), true)
	return s.Supplier.Search(ctx, ask, found)
}

func newMovedShip(t *testing.T, db *store.DB) *movedShip {
	m := &movedShip{site: apptest.NewSiteOn(t, db)}
	m.site.Line = func(s flight.Supplier) flight.Supplier { return searching{s, &m.asked} }
	in := apptest.Production(m.site)
	plain, hash, shown := access.NewKey(gangway.Production)
	if err := in.CreateCredential(t.Context(), storetest.Operator, store.Credential{Kind: store.APIKey,
		ID: "key_" + plain[8:16], Shown: shown, CreatedAt: apptest.Today}, hash); err != nil {
		t.Fatal(err)
	}
	m.key = plain
	m.calls = httptest.NewServer(api.New(api.Config{DB: db, Now: m.site.Now, Log: slog.New(slog.DiscardHandler)}))
	t.Cleanup(m.calls.Close)
	m.upload(t, 1)
	c, err := in.CrewChange(t.Context(), "id:CC-1")
	if err != nil {
		t.Fatal(err)
	}
	s := book.SearchForCrewChange(c, "", "booker@example.com", m.site.Now())
	s.Uploaded, m.search = true, s.ID
	if err := in.SaveSearch(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	offers := map[int][]flight.Offer{}
	if err := m.site.Desk.Search(t.Context(), in, s, func(f book.FoundOffers) {
		mu.Lock()
		defer mu.Unlock()
		offers[f.Member] = append(offers[f.Member], f.Offers...)
	}); err != nil {
		t.Fatal(err)
	}
	booker := gangway.User{ID: "u_booker", Email: "booker@example.com", Role: gangway.Booker,
		Customer: m.site.Production.Customer.ID}
	for i := range s.Members {
		booked := false
		for n := 0; n < len(offers[i]) && !booked; n++ {
			o := offers[i][(i+n)%len(offers[i])]
			b, err := m.site.Desk.Book(t.Context(), in, booker, book.BookAsk{ID: book.NewID(), Search: s.ID, Member: i,
				Offer: o.ID, Price: o.Price.Total})
			if booked = err == nil; booked && i%4 == 0 {
				_, err = m.site.Desk.Issue(t.Context(), in, booker, b.ID, b.Price.Total)
			}
			if booked && err != nil {
				t.Fatal(err)
			}
		}
		if !booked {
			t.Fatalf("member %d has %d offers and is not booked", i, len(offers[i]))
		}
	}
	return m
}

// upload sends the crew change for a day of December.
func (m *movedShip) upload(t *testing.T, day int) {
	t.Helper()
	homes := []string{"MNL", "CEB", "GDN", "BOM", "DEL", "SIN", "HAM", "CPH", "OSL", "LIS"}
	m.homes = len(homes)
	date := fmt.Sprintf("2036-12-%02d", day)
	sides := map[string][]any{}
	for i := range 200 {
		who := map[string]any{"id": fmt.Sprint("C-", i), "last_name": "Sailor " + string(rune('A'+i%26)),
			"first_name": "Person " + string(rune('A'+i/26)), "dob": "1990-04-30", "nationality": "PH", "gender": "M",
			"doc_country": "PH", "doc_number": fmt.Sprintf("P%07d", i), "doc_expire": "2045-01-01",
			"home_airport": homes[i%len(homes)]}
		side, call := "onsigners", "arrive"
		if i%2 == 1 {
			side, call = "offsigners", "depart"
		}
		who[call] = map[string]string{"port": "AMS", "date": date}
		sides[side] = append(sides[side], who)
	}
	doc, err := json.Marshal([]any{map[string]any{"vessel": "GENOA STAR", "flag": "PA", "change_date": date,
		"travel_request_id": "CC-1", "onsigners": sides["onsigners"], "offsigners": sides["offsigners"]}})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, m.calls.URL+"/travel-requests",
		bytes.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", m.key)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if res.Body.Close(); res.StatusCode != http.StatusOK {
		t.Fatalf("the upload is answered with %d", res.StatusCode)
	}
}

// An openPage is a page that a colleague has open: it hears of news, and asks for what it shows now.
type openPage struct {
	t    *testing.T
	c    *apptest.Client
	path string
	mark string
	news chan struct{}
}

func openNow(t *testing.T, s *apptest.Site, path string) *openPage {
	p := &openPage{t: t, c: s.SignedIn(t, gangway.Booker), path: path, news: make(chan struct{}, 1)}
	live := pageMark.FindStringSubmatch(p.c.Get(path).Body)
	if live == nil {
		t.Fatalf("%s is not live", path)
	}
	p.mark = html.UnescapeString(live[1])
	stream := p.c.OpenStream("/live?for=" + p.mark)
	go func() {
		for stream.Scan() {
			select {
			case p.news <- struct{}{}:
			default:
			}
		}
	}()
	return p
}

// now is what the page is brought up to date with.
func (p *openPage) now() string {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.c.Site.URL+p.path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set(access.LiveHeader, p.mark)
	return p.c.Do(req).Body
}

// until follows the page until it says something, and returns that.
func (p *openPage) until(says func(body string) bool) string {
	p.t.Helper()
	ctx, stop := context.WithTimeout(p.t.Context(), apptest.Patience)
	defer stop()
	for {
		if body := p.now(); says(body) {
			return body
		}
		select {
		case <-p.news:
		case <-ctx.Done():
			p.t.Fatalf("%s never says it", p.path)
		}
	}
}

var pageSays = regexp.MustCompile(`data-(?:standing|also)="[^"]*"|data-grade="[^"]*"|[0-9]+ of [0-9]+|all [0-9]+<|` +
	`datetime="2036-12-[0-9]+"|[0-9]+ (?:too early|waits too long|for the old plan|booked for the old plan)`)

// truth is what a page says of people and days.
func truth(body string) string { return strings.Join(pageSays.FindAllString(body, -1), "\n") }

func (m *movedShip) pages(t *testing.T) {
	paths := []string{"/crew-changes/plan?key=id%3ACC-1", "/crew-changes?from=2036-12-01&to=2036-12-31",
		"/crew-changes/board?key=id%3ACC-1", "/searches/" + m.search, "/bookings", "/"}
	var open []*openPage
	for _, path := range paths {
		open = append(open, openNow(t, m.site, path))
	}
	are := map[string]map[int]string{} // by page and day, as it is when loaded anew
	var took []time.Duration
	for n := range 22 {
		day := 1 + 3*(n%2)
		began := time.Now()
		m.upload(t, day)
		if n < 2 {
			for _, p := range open {
				if are[p.path] == nil {
					are[p.path] = map[int]string{}
				}
				are[p.path][day] = truth(p.until(func(string) bool { return true }))
			}
			continue
		}
		var all sync.WaitGroup
		for _, p := range open {
			all.Go(func() { p.until(func(body string) bool { return truth(body) == are[p.path][day] }) })
		}
		all.Wait()
		took = append(took, time.Since(began))
	}
	for path, by := range are {
		if by[1] == by[4] {
			t.Errorf("%s says the same of both days:\n%s", path, by[1])
		}
	}
	report(t, "upload until six open pages say the truth, 200 booked", took)
}

func (m *movedShip) board(t *testing.T) {
	const path = "/crew-changes/board?key=id%3ACC-1"
	p := openNow(t, m.site, path)
	var took []time.Duration
	for n := range 20 {
		day := fmt.Sprintf("2036-12-%02d", 9+n%18)
		m.asked.Clear()
		began := time.Now()
		m.upload(t, 9+n%18)
		body := p.until(func(body string) bool { return strings.Contains(body, "data-stream=") || n%18 != n })
		if of := streamOf.FindStringSubmatch(body); of != nil {
			stream := p.c.OpenStream(html.UnescapeString(of[1]))
			for stream.Scan() && !strings.HasPrefix(stream.Text(), "event: end") {
			}
		}
		body = p.until(func(body string) bool { return !strings.Contains(body, "data-stream=") })
		took = append(took, time.Since(began))
		asked := 0
		m.asked.Range(func(any, any) bool { asked++; return true })
		if asked > 2*m.homes {
			t.Errorf("for %s the airlines were asked %d questions; want one for each of %d homes and each way", day,
				asked, m.homes)
		}
		if strings.Count(body, `data-aim="`) != 3 {
			t.Fatalf("there are no three totals: %s", body)
		}
	}
	report(t, "upload until the open board has its three totals, 200 booked", took)
}

var streamOf = regexp.MustCompile(`data-stream="([^"]*board/stream[^"]*)"`)

// report prints the median and the 95th percentile.
func report(t *testing.T, what string, took []time.Duration) {
	slices.Sort(took)
	t.Logf("%s: median %s, p95 %s of %d", what, took[len(took)/2].Round(time.Millisecond),
		took[(len(took)*95+99)/100-1].Round(time.Millisecond), len(took))
}
