package main

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"
)

// A bareReport is what a good programmer would write who has to answer Q1 to Q7 and nothing else: a prepared statement
// for each, rows scanned into a struct and encoded by encoding/json. It knows neither logins nor OData.
type bareReport struct {
	*bareTables
	address  string
	rows     []reportRow // all of them
	prepared sync.Map    // statements by their text
}

// A reportRow is a row as its reader gets it.
type reportRow struct {
	BookingId, Locator, State                                        string
	Co2EmissionsKg, MileageKm                                        *float64
	CreatedAt                                                        string
	DepartureAt, ArrivalAt, CancelledAt                              *string
	FirstOrigin, LastDestination, FullRoute                          *string
	TotalConnectionDuration                                          *int64
	TenantId                                                         string
	NoShow                                                           *bool
	RejectReason, RejectedAt, ApprovedAt, PaymentMethod              *string
	FrequentFlyerNumberUsed                                          bool
	PassengerLastName, PassengerFirstName, TermsFareType             *string
	VesselName, VesselFlag                                           *string
	PriceTotal                                                       *float64
	PriceCurrency                                                    *string
	CreatedByUserName, ApprovedByUserName, RejectedByUserName        *string
	CancelledByUserName, CustomFieldsMap, FlightNumbers, PNRs        *string
	FarePlatingCarriers, AirlineNames, TicketNumbers, InvoiceNumbers *string
	RefundTotal                                                      *float64
	RefundCurrency                                                   *string
}

// fewColumns is a row of Q6.
type fewColumns struct {
	BookingId, State, CreatedAt string
	PriceTotal                  *float64
	PriceCurrency               *string
}

// fields returns pointers to the fields of a row, and names their columns.
func fields(row any) (names []string, pointers []any) {
	v := reflect.ValueOf(row).Elem()
	for i := range v.NumField() {
		names, pointers = append(names, v.Type().Field(i).Name), append(pointers, v.Field(i).Addr().Interface())
	}
	return names, pointers
}

// reporting makes bookings up, of which the report tells, and returns the floor with the same rows.
func (s *served) reporting(ctx context.Context, p *place) (*bareReport, error) {
	if p.report != nil {
		return p.report, nil
	}
	var made any
	if err := s.Command(ctx, &made, "", "sample", "bookings", "--customer", s.ID, "--environment", "development",
		"--count", strconv.Itoa(reported)); err != nil {
		return nil, err
	}
	bare := p.bare
	b := &bareReport{bareTables: bare}
	for next := s.set(); next != ""; {
		var page struct {
			Value []reportRow
			Next  string `json:"@odata.nextLink"`
		}
		if err := s.readReport(ctx, next, &page); err != nil {
			return nil, err
		}
		b.rows, next = append(b.rows, page.Value...), page.Next
	}
	p.report = b
	b.address = p.serveBare(b.answer)
	return b, cmp.Or(b.fill(ctx), p.vacuum(ctx))
}

// fill creates the table and writes its rows.
func (b *bareReport) fill(ctx context.Context) error {
	names, pointers := fields(new(reportRow))
	columns := make([]string, len(names))
	for i, name := range names {
		switch pointers[i].(type) {
		case *string, **string:
			columns[i] = name + " TEXT"
		case **float64:
			columns[i] = name + " DOUBLE PRECISION"
		case **int64:
			columns[i] = name + " BIGINT"
		default:
			columns[i] = name + " BOOLEAN"
		}
	}
	if err := b.create(ctx, "report ("+strings.Join(columns, ", ")+", at BIGINT, PRIMARY KEY (BookingId))",
		"report_at ON report (at, BookingId)", "report_state ON report (State, at, BookingId)"); err != nil {
		return err
	}
	rows := make([][]any, len(b.rows))
	for i := range b.rows {
		_, pointers := fields(&b.rows[i])
		for _, field := range pointers {
			rows[i] = append(rows[i], reflect.ValueOf(field).Elem().Interface())
		}
		rows[i] = append(rows[i], instant(b.rows[i].CreatedAt))
	}
	for i := range names {
		names[i] = strings.ToLower(names[i])
	}
	return b.insert(ctx, "report", append(names, "at"), rows)
}

// some returns any row.
func (b *bareReport) some(chance *rand.Rand) *reportRow { return &b.rows[chance.IntN(len(b.rows))] }

// instant reads a time in milliseconds.
func instant(text string) int64 {
	at, _ := time.Parse(time.RFC3339, text)
	return at.UnixMilli()
}

// An envelope is what rows are answered in.
type envelope[T any] struct {
	Context string `json:"@odata.context"`
	Count   *int64 `json:"@odata.count,omitempty"`
	Value   []T    `json:"value"`
}

// newestFirst is the order of rows.
const newestFirst = ` ORDER BY at DESC, BookingId DESC LIMIT `

// bareQuery asks the floor for rows: which is what follows the table in a statement.
func bareQuery(which string, args ...any) url.Values {
	q := url.Values{"which": {which}}
	for _, arg := range args {
		q.Add("arg", fmt.Sprint(arg))
	}
	return q
}

// floorPackers are the compressors that are not in use.
var floorPackers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	return z
}}

// answer answers a bareQuery, compressed as the service does it.
func (b *bareReport) answer(w http.ResponseWriter, r *http.Request) error {
	answer, err := b.query(r.Context(), r.URL.Query())
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Encoding", "gzip")
	z := floorPackers.Get().(*gzip.Writer)
	defer floorPackers.Put(z)
	z.Reset(w)
	enc := json.NewEncoder(z)
	enc.SetEscapeHTML(false)
	return cmp.Or(enc.Encode(answer), z.Close())
}

func (b *bareReport) query(ctx context.Context, q url.Values) (any, error) {
	which, args := q.Get("which"), []any(nil)
	for _, text := range q["arg"] {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			args = append(args, n)
		} else {
			args = append(args, text)
		}
	}
	if q.Has("few") {
		return page[fewColumns](ctx, b, which, args...)
	}
	answer, err := page[reportRow](ctx, b, which, args...)
	switch {
	case err != nil:
		return nil, err
	case q.Has("one") && len(answer.Value) == 1:
		return answer.Value[0], nil
	case q.Has("count"):
		condition, _, _ := strings.Cut(which, newestFirst)
		answer.Count = new(int64)
		err = b.db.QueryRowContext(ctx, `SELECT count(*) FROM report`+condition, args...).Scan(answer.Count)
	}
	return answer, err
}

// page answers with rows: which is what follows the table.
func page[T any](ctx context.Context, b *bareReport, which string, args ...any) (*envelope[T], error) {
	var row T
	names, into := fields(&row)
	text := `SELECT ` + strings.Join(names, ", ") + ` FROM report` + which
	known, ok := b.prepared.Load(text)
	if !ok {
		stmt, err := b.db.PrepareContext(ctx, text)
		if err != nil {
			return nil, err
		}
		known, _ = b.prepared.LoadOrStore(text, stmt)
	}
	rows, err := known.(*sql.Stmt).QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	answer := &envelope[T]{Context: "/$metadata#FlightBookingDetailed", Value: []T{}}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		answer.Value = append(answer.Value, row)
	}
	return answer, rows.Err()
}
