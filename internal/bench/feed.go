package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"gangway/internal/accept/poll"
	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/transport/endpoint"
)

const (
	fedAtOnce     = 100_000 // travellers of a feed whose speed is measured
	mostForFeed   = 96      // MB above rest that fetching a long feed may take
	feedRounds    = 5
	feedTask      = "feed"
	feedAddress   = "GANGWAY_BENCH_FEED"
	feedTravelers = "GANGWAY_BENCH_RECORDS"
)

// germanCrew maps what germanRow writes.
const germanCrew = `.[] | {id: .PersNr, last_name: .Nachname, first_name: .Vorname, dob: (.Geburtsdatum | date("DMY")),
	nationality: (.Staat | country), gender: (.Geschlecht | gender), doc_country: (.Passland | country),
	doc_number: .Passnummer, doc_expire: (.Passablauf | date("DMY")), home_airport: .Flughafen, email: .Mail, phone: .Telefon}`

var germanHeader = []string{"PersNr", "Nachname", "Vorname", "Geburtsdatum", "Staat", "Geschlecht", "Passland",
	"Passnummer", "Passablauf", "Flughafen", "Mail", "Telefon"}

func germanRow(t gangway.Traveller) []string {
	return []string{t.ID, t.LastName, t.FirstName, german(t.DOB), string(t.Nationality), t.Gender, string(t.DocCountry),
		t.DocNumber, german(t.DocExpire), string(t.HomeAirport), t.Email, t.Phone}
}

func german(d gangway.Date) string { return string(d[8:] + "." + d[5:7] + "." + d[:4]) }

// writeGerman writes count travellers as a crew system exports them. In another
// version one of a hundred has another phone, and one is not there any more.
func writeGerman(w io.Writer, count, version int) error {
	buf := bufio.NewWriter(w)
	out := csv.NewWriter(buf)
	out.Comma = ';'
	if err := out.Write(germanHeader); err != nil {
		return err
	}
	for i := range count {
		t := crewMember(i)
		switch {
		case version > 0 && i%100 == 7:
			t.Phone = fmt.Sprint("+4940", version, i)
		case version > 0 && i%100 == 13:
			continue
		}
		if err := out.Write(germanRow(t)); err != nil {
			return err
		}
	}
	out.Flush()
	return errors.Join(out.Error(), buf.Flush())
}

// measureFeed compares a feed, fetched by HTTP, decoded, mapped, checked and
// stored, with decoding its document and writing it in bulk; and measures what a
// long one takes of memory, and of suggestions meanwhile.
func measureFeed(ctx context.Context, p place, s scale) ([]line, error) {
	floor, err := newUploadFloor(ctx, p)
	if err != nil {
		return nil, err
	}
	defer floor.close()
	db, _, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	var doc bytes.Buffer
	if err := writeGerman(&doc, fedAtOnce, 0); err != nil {
		return nil, err
	}
	customer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write(doc.Bytes())
	}))
	defer customer.Close()
	var times [2][]time.Duration
	for i := range feedRounds + 1 {
		account, _, err := db.CreateCustomer(ctx, operator, "Halcyon Tankers", time.Now())
		if err != nil {
			return nil, err
		}
		in := db.In(account.Scope())
		if err := setFeed(ctx, in, customer.URL); err != nil {
			return nil, err
		}
		work := [2]func() error{
			func() error { return floor.feed(ctx, fmt.Sprintf("floor%05d", i), doc.Bytes()) },
			func() error { return fetch(ctx, db, in, fedAtOnce) },
		}
		for turn := range work {
			who := (turn + i) % 2
			began := time.Now()
			if err := work[who](); err != nil {
				return nil, err
			}
			if took := time.Since(began); i > 0 { // the first round warms up
				times[who] = append(times[who], took)
			}
		}
	}
	target := 0.40
	if p.name == "sqlite" {
		target = 0.25
	}
	lines := []line{speed("a feed of 100,000 travellers, mapped", target, times[0], times[1])}
	long, err := measureLongFeed(ctx, p, s)
	return append(lines, long...), err
}

// feed does the bare work of a feed: decode, and upsert in bulk.
func (f *uploadFloor) feed(ctx context.Context, account string, doc []byte) error {
	r := csv.NewReader(bytes.NewReader(doc))
	r.Comma, r.ReuseRecord = ';', true
	if _, err := r.Read(); err != nil {
		return err
	}
	var text bytes.Buffer
	enc := stdjson.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	var rows [][4]string
	for {
		c, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		t := record{c[0], c[1], c[2], gangway.Date(c[3]), gangway.Country(c[4]), c[5], gangway.Country(c[6]), c[7],
			gangway.Date(c[8]), gangway.Airport(c[9]), c[10], c[11]}
		text.Reset()
		if err := enc.Encode(t); err != nil {
			return err
		}
		rows = append(rows, [4]string{"id:" + c[0], gangway.Fold(c[1]), gangway.Fold(c[2]), text.String()})
	}
	slices.SortFunc(rows, func(x, y [4]string) int { return strings.Compare(x[0], y[0]) })
	return f.upsert(ctx, account, rows)
}

func setFeed(ctx context.Context, in store.Scoped, url string) error {
	settings, err := stdjson.Marshal(map[string]string{"url": url})
	if err != nil {
		return err
	}
	f := gangway.Feed{Name: "crew", Flow: gangway.TravellersFlow, Mapping: germanCrew,
		Transport: gangway.Transport{Kind: "endpoint", Settings: settings}}
	_, err = in.SetFeed(ctx, operator, f.Name,
		func(store.StoredFeed) (gangway.Feed, error) { return f, nil }, time.Now(),
		time.Now())
	return err
}

// fetch runs the account's feed, which has so many travellers.
func fetch(ctx context.Context, db *store.DB, in store.Scoped, want int) error {
	poller := poll.New(poll.Config{DB: db, Kinds: []transport.Kind{endpoint.Kind}, Now: time.Now,
		Log:     slog.New(slog.NewTextHandler(io.Discard, nil)),
		Options: transport.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}})
	run, err := poller.Fetch(ctx, in, "crew", poll.Ask{})
	if err == nil && (run.Failed() || run.Received != want || run.Refused+run.Warned > 0) {
		err = fmt.Errorf("the feed: %+v; want %d travellers", run, want)
	}
	return err
}

// measureLongFeed measures what a feed of many travellers takes of memory: all of
// them new, and then refreshed, and how long suggestions take meanwhile.
func measureLongFeed(ctx context.Context, p place, s scale) ([]line, error) {
	db, url, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	if err := db.Close(); err != nil {
		return nil, err
	}
	version := 0
	customer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = writeGerman(w, s.document, version)
	}))
	defer customer.Close()
	var lines []line
	for _, what := range []string{fmt.Sprintf("a feed of %d", s.document), "the same, refreshed"} {
		f, err := fetchLong(ctx, url, customer.URL, s.document, version)
		if err != nil {
			return nil, err
		}
		mb := (f.kb + 1023) / 1024
		lines = append(lines, line{measure: what, ours: f.took, got: fmt.Sprintf("+%d MB", mb),
			want: fmt.Sprintf("≤ +%d MB", mostForFeed), ok: mb <= mostForFeed})
		if version > 0 {
			lines = append(lines, line{measure: "suggestion meanwhile, p99, against the bare query", target: 2,
				atMost: true, floor: f.bare, ours: f.suggested, ratio: float64(f.suggested) / float64(f.bare)})
		}
		version++
	}
	return lines, nil
}

// A longFetch is what the process that fetches a long feed measures.
type longFetch struct {
	took, bare, suggested time.Duration
	kb                    int
}

// fetchLong has a new process fetch a long feed.
func fetchLong(ctx context.Context, url, address string, records, version int) (f longFetch, err error) {
	self, err := os.Executable()
	if err != nil {
		return f, err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), childTask+"="+feedTask, childDatabase+"="+url, feedAddress+"="+address,
		fmt.Sprintf("%s=%d %d", feedTravelers, records, version))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return f, err
	}
	_, err = fmt.Sscan(string(out), (*int64)(&f.took), &f.kb, (*int64)(&f.bare), (*int64)(&f.suggested))
	return f, err
}

// answerFeed is what the process of fetchLong does. It returns memory to the system as the program does.
func answerFeed(ctx context.Context) error {
	debug.SetGCPercent(50)
	var records, version int
	if _, err := fmt.Sscan(os.Getenv(feedTravelers), &records, &version); err != nil {
		return err
	}
	url := os.Getenv(childDatabase)
	db, err := store.Open(ctx, url)
	if err != nil {
		return err
	}
	defer db.Close()
	in, err := accountOf(ctx, db, "Halcyon Tankers")
	if err != nil {
		return err
	}
	want := records
	if version > 0 {
		want -= records / 100
	}
	if err := setFeed(ctx, in, os.Getenv(feedAddress)); err != nil {
		return err
	}
	if err := fillCaches(ctx, in); err != nil {
		return err
	}
	bare, err := newBareQuery(ctx, url)
	if err != nil {
		return err
	}
	defer bare.close()
	debug.FreeOSMemory()
	rest, err := privateMemory(os.Getpid())
	if err != nil {
		return err
	}
	began, most := time.Now(), watchMemory(os.Getpid())
	fetched := make(chan error, 1)
	go func() { fetched <- fetch(ctx, db, in, want) }()
	var took time.Duration
	ended := false
	typed := func() string { return string([]rune(gangway.Fold(crewMember(rand.IntN(records)).LastName))[:3]) }
	times, err := timeLookups(typed, [2]func(string) error{
		func(text string) error { return bare.suggest(ctx, in.Scope().Account, text) },
		func(text string) error { _, err := book.Suggest(ctx, in, text, suggestions); return err },
	}, func(int) bool {
		select {
		case err = <-fetched:
			took, ended = time.Since(began), true
		default:
		}
		return !ended
	})
	peak, watched := most()
	if err := errors.Join(err, watched); err != nil {
		return err
	}
	fmt.Println(int64(took), peak-rest, int64(quantile(times[0], 0.99)), int64(quantile(times[1], 0.99)))
	return nil
}
