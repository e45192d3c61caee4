package main

import (
	"bytes"
	"context"
	stdjson "encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/access"
	"gangway/internal/web/api"

	"github.com/go-json-experiment/json"
)

// uploadSize is how many travellers an upload has.
const uploadSize = 10_000

// measureUpload compares uploads of travellers over HTTP with the bare work: new travellers, and
// then the same ones again.
func measureUpload(ctx context.Context, p place, s scale) ([]line, error) {
	floor, err := newUploadFloor(ctx, p)
	if err != nil {
		return nil, err
	}
	defer floor.close()
	ours, err := newUploader(ctx, p)
	if err != nil {
		return nil, err
	}
	defer ours.close()
	body, err := uploadBody(0, uploadSize)
	if err != nil {
		return nil, err
	}
	var fresh, again [2][]time.Duration
	for i := range s.repeats + 1 {
		if err := ours.newAccount(ctx); err != nil {
			return nil, err
		}
		account := fmt.Sprintf("floor%05d", i)
		upload := [2]func() error{
			func() error { return floor.upload(ctx, account, body) },
			func() error { return ours.upload(ctx, body) },
		}
		for _, times := range []*[2][]time.Duration{&fresh, &again} {
			for turn := range upload {
				who := (turn + i) % 2 // who goes first alternates as well
				began := time.Now()
				if err := upload[who](); err != nil {
					return nil, err
				}
				if took := time.Since(began); i > 0 { // the first round warms up
					times[who] = append(times[who], took)
				}
			}
		}
	}
	return []line{
		speed("upload of 10,000", 0.6, fresh[0], fresh[1]),
		speed("the same again", 0.8, again[0], again[1]),
	}, nil
}

// speed compares how fast two did the same work. The ratio is the median of the rounds' ratios,
// because in each round both met the same conditions.
func speed(measure string, target float64, floor, ours []time.Duration) line {
	ratios := make([]float64, len(floor))
	for i := range floor {
		ratios[i] = float64(floor[i]) / float64(ours[i])
	}
	slices.Sort(ratios)
	l := line{measure: measure, target: target, ratio: ratios[len(ratios)/2], spread: spread(floor, ours)}
	l.floor, l.ours = median(floor), median(ours)
	return l
}

// A record is a traveller as an upload has them.
type record struct {
	ID          string          `json:"id"`
	LastName    string          `json:"last_name"`
	FirstName   string          `json:"first_name"`
	DOB         gangway.Date    `json:"dob"`
	Nationality gangway.Country `json:"nationality"`
	Gender      string          `json:"gender"`
	DocCountry  gangway.Country `json:"doc_country"`
	DocNumber   string          `json:"doc_number"`
	DocExpire   gangway.Date    `json:"doc_expire"`
	HomeAirport gangway.Airport `json:"home_airport"`
	Email       string          `json:"email"`
	Phone       string          `json:"phone"`
}

// uploadBody writes count travellers, starting with number from.
func uploadBody(from, count int) ([]byte, error) {
	list := make([]record, count)
	for i := range list {
		list[i] = recordOf(crewMember(from + i))
	}
	return json.Marshal(list)
}

func recordOf(t gangway.Traveller) record {
	return record{t.ID, t.LastName, t.FirstName, t.DOB, t.Nationality, t.Gender, t.DocCountry, t.DocNumber, t.DocExpire,
		t.HomeAirport, t.Email, t.Phone}
}

// An uploader posts to a real server with the whole integration surface.
type uploader struct {
	db     *store.DB
	url    string // of the database
	server *httptest.Server
	key    string
	in     store.Scoped
	logged func() // ends the writing of the request log
}

func newUploader(ctx context.Context, p place) (*uploader, error) {
	db, url, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	u := &uploader{db: db, url: url}
	surface, logged := serveAPI(ctx, db, io.Discard)
	u.server, u.logged = httptest.NewServer(surface), logged
	return u, u.newAccount(ctx)
}

// serveAPI returns the integration surface, with its request log being written as beside "gangway serve", until the
// function returned is called.
func serveAPI(ctx context.Context, db *store.DB, log io.Writer) (surface *api.API, end func()) {
	to := slog.New(slog.NewTextHandler(log, nil))
	requests := web.NewRequestLog(db, to, time.Now)
	running, stop := context.WithCancel(ctx)
	var writing sync.WaitGroup
	writing.Go(func() { requests.Run(running) })
	return api.New(api.Config{DB: db, Now: time.Now, Log: to, Requests: requests}), func() {
		stop()
		writing.Wait()
	}
}

// newAccount assigns the following uploads to a new customer.
func (u *uploader) newAccount(ctx context.Context) error {
	account, _, err := u.db.CreateCustomer(ctx, operator, "Halcyon Tankers", time.Now())
	if err != nil {
		return err
	}
	u.in = u.db.In(account.Scope())
	plain, hash, shown := access.NewKey(gangway.Production)
	u.key = plain
	return u.in.CreateCredential(ctx, operator, store.Credential{Kind: store.APIKey, ID: shown + account.ID,
		Shown: shown, CreatedAt: time.Now()}, hash)
}

func (u *uploader) upload(ctx context.Context, body []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.server.URL+"/passenger", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("X-Api-Key", u.key)
	r.Header.Set("Content-Type", "application/json")
	w, err := u.server.Client().Do(r)
	if err != nil {
		return err
	}
	defer w.Body.Close()
	answer, err := io.ReadAll(w.Body)
	if err == nil && w.StatusCode != http.StatusOK {
		err = fmt.Errorf("upload: %s: %s", w.Status, answer)
	}
	return err
}

func (u *uploader) close() {
	u.server.Close()
	u.logged()
	u.db.Close()
}

// An uploadFloor does the bare work of an upload: decode strictly with the same library, validate
// by the same rules, upsert in bulk in the fastest way we know. It has no HTTP, no keys, no limits,
// no paths to fields, no duplicate records, no unknown members, and counts nothing.
type uploadFloor struct {
	db     *store.DB // only holds the tables
	upsert func(ctx context.Context, account string, rows [][4]string) error
	end    func()
}

func newUploadFloor(ctx context.Context, p place) (*uploadFloor, error) {
	db, url, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	f := &uploadFloor{db: db}
	f.upsert, f.end, err = bareUpsert(ctx, url)
	return f, err
}

func (f *uploadFloor) close() {
	f.end()
	f.db.Close()
}

func (f *uploadFloor) upload(ctx context.Context, account string, body []byte) error {
	var list []record
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	today := gangway.TodayAt(time.Now())
	var problems gangway.Problems
	var doc bytes.Buffer
	enc := stdjson.NewEncoder(&doc) // for writing, the faster of the two
	enc.SetEscapeHTML(false)
	rows := make([][4]string, len(list))
	for i, r := range list {
		t := gangway.Traveller{
			ID: r.ID, LastName: r.LastName, FirstName: r.FirstName, DOB: r.DOB, Nationality: r.Nationality,
			Gender: r.Gender, DocCountry: r.DocCountry,
			DocNumber: r.DocNumber, DocExpire: r.DocExpire, HomeAirport: r.HomeAirport, Email: r.Email, Phone: r.Phone,
		}
		t.Check(&problems, gangway.ProblemPath{Record: i}, gangway.UploadedTraveller, today)
		doc.Reset()
		if err := enc.Encode(&list[i]); err != nil {
			return err
		}
		rows[i] = [4]string{t.Key(), gangway.Fold(t.LastName), gangway.Fold(t.FirstName), doc.String()}
	}
	if err := problems.Err(); err != nil {
		return err
	}
	slices.SortFunc(rows, func(x, y [4]string) int { return strings.Compare(x[0], y[0]) })
	return f.upsert(ctx, account, rows)
}
