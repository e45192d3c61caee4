package main

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// suggestions is how many travellers are shown while somebody types.
const suggestions = 10

// measureSuggest compares the desk's suggestions with the bare indexed query, among all travellers
// of one account: first on an idle server, then while an upload of 50,000 to the same account
// runs over HTTP.
func measureSuggest(ctx context.Context, p place, s scale) ([]line, error) {
	ours, err := newUploader(ctx, p)
	if err != nil {
		return nil, err
	}
	defer ours.close()
	if err := fill(ctx, ours.in, s.travellers); err != nil {
		return nil, err
	}
	bare, err := newBareQuery(ctx, ours.url)
	if err != nil {
		return nil, err
	}
	defer bare.close()
	typed := func() string {
		return string([]rune(gangway.Fold(crewMember(rand.IntN(s.travellers)).LastName))[:3])
	}
	lookups := [2]func(text string) error{
		func(text string) error { return bare.suggest(ctx, ours.in.Scope().Account, text) },
		func(text string) error {
			list, err := book.Suggest(ctx, ours.in, text, suggestions)
			if err == nil && len(list) == 0 {
				err = errors.New("nobody was suggested for " + text)
			}
			return err
		},
	}
	inPeace, err := timeLookups(typed, lookups, func(n int) bool { return n < s.lookups })
	if err != nil {
		return nil, err
	}
	uploads, err := keepUploading(ctx, ours, s.travellers)
	if err != nil {
		return nil, err
	}
	during, err := timeLookups(typed, lookups, func(n int) bool { return n < s.lookups || uploads.done() < 3 })
	if err := errors.Join(err, uploads.stop()); err != nil {
		return nil, err
	}
	calm := wait("suggestion, p99", 2, inPeace[0], inPeace[1])
	busy := wait("the same during an upload, against the bare query meanwhile", 2, during[0], during[1])
	busy.spread += ", the bare query when idle: " + short(quantile(inPeace[0], 0.99))
	return []line{calm, busy}, nil
}

// wait compares the slowest answers of two queries.
func wait(measure string, target float64, floor, ours []time.Duration) line {
	l := line{measure: measure, target: target, atMost: true, floor: quantile(floor, 0.99), ours: quantile(ours, 0.99)}
	l.spread = "medians " + short(median(floor)) + ", " + short(median(ours))
	l.ratio = float64(l.ours) / float64(l.floor)
	return l
}

// timeLookups times lookups in turns, so that neither benefits more from the caches.
func timeLookups(typed func() string, lookups [2]func(string) error,
	more func(n int) bool) (times [2][]time.Duration, err error) {
	for n := 0; more(n); n++ {
		for i := range lookups {
			who, text := (i+n)%2, typed()
			began := time.Now()
			if err := lookups[who](text); err != nil {
				return times, err
			}
			if n >= 100 { // the first ones warm up
				times[who] = append(times[who], time.Since(began))
			}
			// People type; they do not keep a processor busy.
			time.Sleep(200 * time.Microsecond)
		}
	}
	return times, nil
}

// fill gives the account so many travellers.
func fill(ctx context.Context, in store.Scoped, travellers int) error {
	const atOnce = 50_000
	for from := 0; from < travellers; from += atOnce {
		list := make([]gangway.Traveller, min(atOnce, travellers-from))
		for i := range list {
			list[i] = crewMember(from + i)
		}
		if _, err := in.UpsertTravellers(ctx, list); err != nil {
			return err
		}
	}
	return nil
}

// A bareQuery is the one indexed query that every suggestion needs.
type bareQuery struct {
	db   *sql.DB
	stmt *sql.Stmt
}

func newBareQuery(ctx context.Context, url string) (*bareQuery, error) {
	driver, name := "pgx", url
	if file, ok := strings.CutPrefix(url, "sqlite:"); ok {
		driver, name = "sqlite", "file:"+file+
			"?_pragma=query_only(1)&_pragma=cache_size(-65536)&_pragma=mmap_size(1073741824)"
	}
	db, err := sql.Open(driver, name)
	if err != nil {
		return nil, err
	}
	stmt, err := db.PrepareContext(ctx, `
		SELECT doc
		FROM traveller
		WHERE account = $1 AND surname >= $2 AND surname < $3
		ORDER BY surname, given
		LIMIT $4`)
	return &bareQuery{db, stmt}, err
}

func (q *bareQuery) suggest(ctx context.Context, account, text string) error {
	rows, err := q.stmt.QueryContext(ctx, account, text, text+"\U0010FFFF", suggestions)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var doc string
		if err := rows.Scan(&doc); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (q *bareQuery) close() { q.db.Close() }

// An uploading is a series of uploads, each of 50,000 travellers whom the account did not have
// before.
type uploading struct {
	count  chan struct{} // a value for each upload that is done
	quit   chan struct{}
	result chan error
	seen   int
}

func keepUploading(ctx context.Context, u *uploader, from int) (*uploading, error) {
	const size, uploads = 50_000, 6
	var bodies [uploads][]byte
	for i := range bodies {
		var err error
		if bodies[i], err = uploadBody(from+i*size, size); err != nil {
			return nil, err
		}
	}
	run := &uploading{count: make(chan struct{}, 1000), quit: make(chan struct{}), result: make(chan error, 1)}
	go func() {
		for i := 0; ; i++ {
			select {
			case <-run.quit:
				run.result <- nil
				return
			default:
			}
			if err := u.upload(ctx, bodies[i%uploads]); err != nil {
				run.result <- err
				return
			}
			run.count <- struct{}{}
		}
	}()
	return run, nil
}

// done returns how many uploads are done.
func (u *uploading) done() int {
	for {
		select {
		case <-u.count:
			u.seen++
		default:
			return u.seen
		}
	}
}

func (u *uploading) stop() error {
	close(u.quit)
	return <-u.result
}
