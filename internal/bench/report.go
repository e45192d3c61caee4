package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/access"
)

// What the report may cost beside the bare work. Whole rows are kept as text, so that they may take less.
const (
	reportTarget   = 0.7
	wholeTarget    = 1.5
	containsTarget = 0.9
	pageBeside     = 1.3 // a filtered page at p99, while bookings are made
	commitMedian   = 1.2 // the commit of a booking, while everything is exported
	commitWorst    = 2.0 // the same at p99
	exportLater    = 1.2 // the last quarter of an export, against the first
	exportMemory   = 64  // MB above the process's memory after the first pages
)

// How long each of two sides is measured.
const (
	queryTime  = 3 * time.Second
	besideTime = 4 * time.Second // of besideTurns
)

const besideTurns = 4

// A reportQuery is one of the queries that a report is measured by: what is asked of the service, and the
// same of the floor.
type reportQuery struct {
	name   string
	target float64
	ask    func(chance *rand.Rand, b *reportBench) (ours string, floor url.Values)
}

// reportQueries are those of a BI tool's day.
var reportQueries = []reportQuery{
	{"Q1 first page, whole rows", wholeTarget, func(*rand.Rand, *reportBench) (string, url.Values) { return "", nil }},
	{"Q2 three months in a state", reportTarget, func(chance *rand.Rand, b *reportBench) (string, url.Values) {
		from := b.fleet.made(chance.IntN(b.fleet.bookings * 9 / 10)).Truncate(24 * time.Hour)
		to, state := from.AddDate(0, 3, 0), []string{"issued", "cancelled", "confirmed"}[chance.IntN(3)]
		return fmt.Sprintf("$filter=CreatedAt ge %s and CreatedAt lt %s and State eq '%s'&$top=100",
				from.Format(time.RFC3339), to.Format(time.RFC3339), state), floorValues("from", from.UnixMilli(), "to",
				to.UnixMilli(), "state", state)
	}},
	{"Q3 contains a piece of a name", containsTarget, func(chance *rand.Rand, b *reportBench) (string, url.Values) {
		name := b.fleet.crew(chance.IntN(b.fleet.bookings)).LastName
		piece := name[max(0, len(name)-6):]
		return "$filter=contains(PassengerLastName,'" + piece + "')", floorValues("piece", piece)
	}},
	{"Q4 newest, 5000 skipped", reportTarget, func(*rand.Rand, *reportBench) (string, url.Values) {
		return "$orderby=CreatedAt desc&$top=50&$skip=5000", nil
	}},
	{"Q5 counted, by state and price", reportTarget, func(chance *rand.Rand, b *reportBench) (string, url.Values) {
		price, state := 200+chance.IntN(1200), []string{"issued", "cancelled", "confirmed"}[chance.IntN(3)]
		return fmt.Sprintf("$count=true&$filter=State eq '%s' and PriceTotal gt %d&$top=100", state, price),
			floorValues("from", price*1000, "state", state)
	}},
	{"Q6 five columns", reportTarget, func(*rand.Rand, *reportBench) (string, url.Values) {
		return "$select=BookingId,State,CreatedAt,PriceTotal,PriceCurrency&$top=1000", nil
	}},
	{"Q7 one row by its key", reportTarget, func(chance *rand.Rand, b *reportBench) (string, url.Values) {
		id := b.fleet.id(chance.IntN(b.fleet.bookings))
		return "('" + id + "')", floorValues("key", id)
	}},
}

// floorValues are arguments of the floor: names and values in turns.
func floorValues(pairs ...any) url.Values {
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i].(string), fmt.Sprint(pairs[i+1]))
	}
	return q
}

// A reportBench is an account with a report, a process that serves it, and one that serves the floor.
type reportBench struct {
	fleet          reportFleet
	name, password string
	ours, floor    *childServer
	client         http.Client
	pages          []string // addresses of all pages, as the links of the export led to them
}

// measureReport times the report's queries, its export, and what reports and bookings do to each other.
func measureReport(ctx context.Context, p place, s scale) (lines []line, err error) {
	b, err := openReport(ctx, p, s)
	if err != nil {
		return nil, err
	}
	defer b.end()
	for _, q := range reportQueries {
		if s.query != "" && !strings.HasPrefix(q.name, s.query) {
			continue
		}
		l, err := b.query(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.name, err)
		}
		lines = append(lines, l)
	}
	for _, of := range []struct {
		name string
		run  func(context.Context) ([]line, error)
	}{{"Q8", b.export}, {"pages", b.pagesBesideBookings}, {"commits", b.bookingsBesideExport}} {
		if s.query != "" && s.query != of.name {
			continue
		}
		more, err := of.run(ctx)
		if err != nil {
			return nil, err
		}
		lines = append(lines, more...)
	}
	return lines, nil
}

// openReport opens a database with a report: one that was kept, or a fresh one that it fills.
func openReport(ctx context.Context, p place, s scale) (b *reportBench, err error) {
	url, filled, err := p.kept(ctx, fmt.Sprintf("report-%d", s.rows))
	if err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, url)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	var account gangway.Account
	if filled == nil {
		account, err = onlyAccount(ctx, db)
	} else {
		account, _, err = db.CreateCustomer(ctx, operator, "Halcyon Tankers", fleetNow)
	}
	if err != nil {
		return nil, err
	}
	b = &reportBench{fleet: reportFleet{fleet{account.ID, s.rows, fleetNow}, account.Customer.ID},
		name: store.NewID("report"), password: access.NewPassword()}
	in := db.In(account.Scope())
	if err := in.CreateCredential(ctx, operator, store.Credential{Kind: store.ReportLogin, ID: b.name,
		CreatedAt: time.Now()}, access.HashKey(b.password)); err != nil {
		return nil, err
	}
	if filled != nil {
		if err := b.fleet.fill(ctx, url); err != nil {
			return nil, err
		}
		if err := filled(); err != nil {
			return nil, err
		}
	}
	for some := true; some; { // what a migration wants
		if some, err = db.BuildReports(ctx); err != nil {
			return nil, err
		}
	}
	b.client.Transport = &http.Transport{DisableCompression: true} // what comes is not unpacked while time runs
	if b.floor, err = serveTask(ctx, p, s, reportFloorTask, url); err != nil {
		return nil, err
	}
	b.ours, err = serveTask(ctx, p, s, reportTask, url)
	return b, err
}

func (b *reportBench) end() {
	b.ours.end()
	b.floor.end()
}

// A reportAnswer is what came, packed, and how long it took.
type reportAnswer struct {
	packed []byte
	took   time.Duration
}

// get requests an address, and reads the answer to its end.
func (b *reportBench) get(ctx context.Context, address string) (a reportAnswer, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return a, err
	}
	r.Header.Set("Accept-Encoding", "gzip")
	r.SetBasicAuth(b.name, b.password)
	began := time.Now()
	w, err := b.client.Do(r)
	if err != nil {
		return a, err
	}
	defer w.Body.Close()
	a.packed, err = io.ReadAll(w.Body)
	a.took = time.Since(began)
	if err == nil && w.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", address, w.Status, a.packed)
	}
	return a, err
}

// document returns what came, unpacked.
func (a reportAnswer) document() ([]byte, error) {
	if len(a.packed) > 0 && a.packed[0] == '{' { // too short to be packed
		return a.packed, nil
	}
	z, err := gzip.NewReader(strings.NewReader(string(a.packed)))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// set is the address of the set that is measured.
func (b *reportBench) set() string {
	return b.ours.address + "/reporting/v2/odata/FlightBookingDetailed"
}

// asked returns the address of a query at the service.
func (b *reportBench) asked(query string) string {
	if query == "" || query[0] == '(' {
		return b.set() + query
	}
	return b.set() + "?" + strings.NewReplacer("%3D", "=", "%26", "&", "%24", "$").Replace(url.QueryEscape(query))
}

// query has the service and the floor answer a query in turns, after it made sure that both answer the
// same.
func (b *reportBench) query(ctx context.Context, q reportQuery) (line, error) {
	var times [2][]time.Duration
	chance, spent := rand.New(rand.NewPCG(5, 8)), time.Duration(0)
	for n := 0; n < 8 || spent < 2*queryTime; n++ {
		ours, floor := q.ask(chance, b)
		addresses := [2]string{b.floor.address + "/" + q.name[:2] + "?" + floor.Encode(), b.asked(ours)}
		var answers [2]reportAnswer
		for turn := range addresses {
			who := (turn + n) % 2
			var err error
			if answers[who], err = b.get(ctx, addresses[who]); err != nil {
				return line{}, err
			}
			if n >= 3 { // the first ones warm up
				times[who] = append(times[who], answers[who].took)
				spent += answers[who].took
			}
		}
		if n < 3 {
			if err := alike(answers); err != nil {
				return line{}, fmt.Errorf("%s: %w", ours, err)
			}
		}
	}
	return speed("report: "+q.name, q.target, times[0], times[1]), nil
}

// alike returns an error unless both answers have the same rows.
func alike(answers [2]reportAnswer) error {
	var found [2]any
	for i, a := range answers {
		doc, err := a.document()
		if err != nil {
			return err
		}
		var all map[string]any
		if err := json.Unmarshal(doc, &all); err != nil {
			return err
		}
		if all["value"] == nil { // one row
			delete(all, "@odata.context")
			found[i] = all
		} else {
			found[i] = []any{all["@odata.count"], all["value"]}
		}
	}
	if !reflect.DeepEqual(found[0], found[1]) {
		return fmt.Errorf("the floor answers\n%.2000v\nand the service\n%.2000v", found[0], found[1])
	}
	return nil
}

// export reads everything page by page from both, in turns, a page each.
func (b *reportBench) export(ctx context.Context) ([]line, error) {
	next := [2]string{b.floor.address + "/Q8", b.set()}
	var times [2][]time.Duration
	most := func() (int, error) { return 0, nil }
	rest := 0
	for pages := 0; next[1] != ""; pages++ {
		if pages == 50 { // by then the process has what it needs for a page
			var err error
			if rest, err = privateMemory(b.ours.cmd.Process.Pid); err != nil {
				return nil, err
			}
			most = watchMemory(b.ours.cmd.Process.Pid)
		}
		for turn := range next {
			who := (turn + pages) % 2
			a, err := b.get(ctx, next[who])
			if err != nil {
				return nil, err
			}
			link, err := a.nextLink()
			if err != nil {
				return nil, err
			}
			if who == 0 && link != "" {
				link = b.floor.address + "/Q8" + link
			}
			if who == 1 {
				b.pages = append(b.pages, next[who])
			}
			next[who] = link
			times[who] = append(times[who], a.took)
		}
	}
	peak, err := most()
	if err != nil {
		return nil, err
	}
	if len(times[0])*reportPage < b.fleet.bookings {
		return nil, errors.New("not everything was exported")
	}
	sums, quarters := [2]time.Duration{}, [4]time.Duration{}
	for who := range times {
		for i, t := range times[who] {
			sums[who] += t
			if who == 1 {
				quarters[min(3, i*4/len(times[who]))] += t
			}
		}
	}
	grown := (peak - rest + 1023) / 1024
	return []line{
		{measure: "report: Q8 full export", floor: sums[0], ours: sums[1], ratio: float64(sums[0]) / float64(sums[1]),
			target: wholeTarget, spread: fmt.Sprintf("%.0f, %.0f rows a second",
				float64(b.fleet.bookings)/sums[0].Seconds(), float64(b.fleet.bookings)/sums[1].Seconds())},
		{measure: "report: last quarter of the export, against the first", floor: quarters[0], ours: quarters[3],
			ratio: float64(quarters[3]) / float64(quarters[0]), target: exportLater, atMost: true,
			spread: fmt.Sprintf("quarters %s, %s, %s, %s", short(quarters[0]), short(quarters[1]), short(quarters[2]),
				short(quarters[3]))},
		{measure: "report: memory of the export, over the first 50 pages", got: fmt.Sprintf("+%d MB", grown),
			want: fmt.Sprintf("≤ +%d MB", exportMemory), ok: grown <= exportMemory,
			spread: fmt.Sprintf("%d MB by then", rest/1024)},
	}, nil
}

// nextLink returns where the next page is.
func (a reportAnswer) nextLink() (string, error) {
	doc, err := a.document()
	if err != nil {
		return "", err
	}
	_, tail, found := strings.Cut(string(doc[max(0, len(doc)-2000):]), `"@odata.nextLink":`)
	if !found {
		return "", nil
	}
	var link string
	return link, json.NewDecoder(strings.NewReader(tail)).Decode(&link)
}

// filtered reads filtered pages for a while.
func (b *reportBench) filtered(ctx context.Context, chance *rand.Rand, d time.Duration) (times []time.Duration,
	err error) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		query, _ := reportQueries[1].ask(chance, b)
		a, err := b.get(ctx, b.asked(query))
		if err != nil {
			return nil, err
		}
		times = append(times, a.took)
	}
	return times, nil
}

// bookings has bookings made for a while.
func (b *reportBench) bookings(ctx context.Context, d time.Duration) (times []time.Duration, err error) {
	a, err := b.get(ctx, b.ours.address+"/book?for="+d.String())
	if err == nil {
		err = json.Unmarshal(a.packed, &times)
	}
	return times, err
}

// beside does one thing while another is going on, and returns when both have ended.
func beside(one, other func() error) error {
	done := make(chan error, 1)
	go func() { done <- other() }()
	return errors.Join(one(), <-done)
}

// pagesBesideBookings times filtered pages, in turns with bookings being made and without.
func (b *reportBench) pagesBesideBookings(ctx context.Context) ([]line, error) {
	var times [2][]time.Duration
	chance := rand.New(rand.NewPCG(9, 2))
	for range besideTurns {
		for who := range times {
			read := func() error {
				list, err := b.filtered(ctx, chance, besideTime)
				times[who] = append(times[who], list...)
				return err
			}
			book := func() error {
				if who == 0 {
					return nil
				}
				_, err := b.bookings(ctx, besideTime)
				return err
			}
			if err := beside(read, book); err != nil {
				return nil, err
			}
		}
	}
	return []line{wait(fmt.Sprintf("report: a filtered page beside %d bookings a second, p99", bookingsASecond),
		pageBeside, times[0], times[1])}, nil
}

// bookingsBesideExport times the commits of bookings, in turns with everything being exported and without.
func (b *reportBench) bookingsBesideExport(ctx context.Context) ([]line, error) {
	if b.pages == nil {
		if _, err := b.export(ctx); err != nil {
			return nil, err
		}
	}
	var times [2][]time.Duration
	for range besideTurns {
		for who := range times {
			reading, stop := context.WithCancel(ctx)
			book := func() error {
				defer stop()
				list, err := b.bookings(ctx, besideTime)
				times[who] = append(times[who], list...)
				return err
			}
			read := func() error {
				if who == 0 {
					return nil
				}
				return b.exportUntil(reading)
			}
			if err := beside(book, read); err != nil {
				return nil, err
			}
		}
	}
	middle := wait("report: a booking's commit beside an export, median", commitMedian, times[0], times[1])
	middle.floor, middle.ours = median(times[0]), median(times[1])
	middle.ratio = float64(middle.ours) / float64(middle.floor)
	middle.spread = spread(times[0], times[1])
	return []line{middle,
		wait("report: a booking's commit beside an export, p99", commitWorst, times[0], times[1])}, nil
}

// exportUntil reads page after page until ctx ends. It knows where they are: a reader elsewhere would unpack
// them with processors of its own.
func (b *reportBench) exportUntil(ctx context.Context) error {
	for n := 0; ; n++ {
		_, err := b.get(ctx, b.pages[n%len(b.pages)])
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
