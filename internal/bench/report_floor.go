package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"gangway/internal/store"

	"github.com/klauspost/compress/gzip"
)

// A reportFloor is what a good programmer would write who has to serve the report's queries and nothing
// else: a prepared statement for each, rows scanned into a struct, the struct encoded by encoding/json,
// compressed at level 1 by the same library. It knows neither logins nor OData, holds nobody back, and never
// gives anything up.
type reportFloor struct {
	db       *sql.DB
	account  string
	customer string
	prepared sync.Map // statements by their text
}

// reportPage is how many rows a page has at most.
const reportPage = 1000

// floorColumns are the columns of a floorRow, in its order.
const floorColumns = `booking_id, locator, state, co2_emissions_kg, mileage_km, created_at, departure_at, arrival_at,
	cancelled_at, first_origin, last_destination, full_route, total_connection_duration, no_show, reject_reason,
	rejected_at, approved_at, payment_method, frequent_flyer_number_used, passenger_last_name, passenger_first_name,
	terms_fare_type, vessel_name, vessel_flag, price_total, price_currency, created_by_user_name,
	approved_by_user_name, rejected_by_user_name, cancelled_by_user_name, custom_fields_map, flight_numbers, pnrs,
	fare_plating_carriers, airline_names, ticket_numbers, invoice_numbers, refund_total, refund_currency`

// A floorRow is a row as its reader gets it.
type floorRow struct {
	BookingId               string
	Locator                 string
	State                   string
	Co2EmissionsKg          *float64
	MileageKm               *float64
	CreatedAt               string
	DepartureAt             *string
	ArrivalAt               *string
	CancelledAt             *string
	FirstOrigin             *string
	LastDestination         *string
	FullRoute               *string
	TotalConnectionDuration *int64
	TenantId                string
	NoShow                  *bool
	RejectReason            *string
	RejectedAt              *string
	ApprovedAt              *string
	PaymentMethod           *string
	FrequentFlyerNumberUsed bool
	PassengerLastName       *string
	PassengerFirstName      *string
	TermsFareType           *string
	VesselName              *string
	VesselFlag              *string
	PriceTotal              *float64
	PriceCurrency           *string
	CreatedByUserName       *string
	ApprovedByUserName      *string
	RejectedByUserName      *string
	CancelledByUserName     *string
	CustomFieldsMap         *string
	FlightNumbers           *string
	PNRs                    *string
	FarePlatingCarriers     *string
	AirlineNames            *string
	TicketNumbers           *string
	InvoiceNumbers          *string
	RefundTotal             *float64
	RefundCurrency          *string
}

// A fewColumns is a row of which five columns were asked for.
type fewColumns struct {
	BookingId     string
	State         string
	CreatedAt     string
	PriceTotal    *float64
	PriceCurrency *string
}

// An envelope is what rows are answered in.
type envelope[T any] struct {
	Context string `json:"@odata.context"`
	Count   *int64 `json:"@odata.count,omitempty"`
	Value   []T    `json:"value"`
	Next    string `json:"@odata.nextLink,omitempty"`
}

// scanWhole reads a whole row, and returns when it was made, in milliseconds.
func (f *reportFloor) scanWhole(rows *sql.Rows, r *floorRow) (made int64, err error) {
	var carbon, km, departs, arrives, cancelled, rejected, approved, price, refund, noShow *int64
	var ffn int64
	err = rows.Scan(&r.BookingId, &r.Locator, &r.State, &carbon, &km, &made, &departs, &arrives, &cancelled,
		&r.FirstOrigin, &r.LastDestination, &r.FullRoute, &r.TotalConnectionDuration, &noShow, &r.RejectReason,
		&rejected, &approved, &r.PaymentMethod, &ffn, &r.PassengerLastName, &r.PassengerFirstName, &r.TermsFareType,
		&r.VesselName, &r.VesselFlag, &price, &r.PriceCurrency, &r.CreatedByUserName, &r.ApprovedByUserName,
		&r.RejectedByUserName, &r.CancelledByUserName, &r.CustomFieldsMap, &r.FlightNumbers, &r.PNRs,
		&r.FarePlatingCarriers, &r.AirlineNames, &r.TicketNumbers, &r.InvoiceNumbers, &refund, &r.RefundCurrency)
	r.TenantId, r.FrequentFlyerNumberUsed, r.CreatedAt = f.customer, ffn != 0, *instantText(&made)
	r.Co2EmissionsKg, r.MileageKm = thousandth(carbon), thousandth(km)
	r.PriceTotal, r.RefundTotal = thousandth(price), thousandth(refund)
	r.DepartureAt, r.ArrivalAt, r.CancelledAt = instantText(departs), instantText(arrives), instantText(cancelled)
	r.RejectedAt, r.ApprovedAt = instantText(rejected), instantText(approved)
	if noShow != nil {
		missed := *noShow != 0
		r.NoShow = &missed
	}
	return made, err
}

func thousandth(n *int64) *float64 {
	if n == nil {
		return nil
	}
	v := float64(*n) / 1000
	return &v
}

func instantText(ms *int64) *string {
	if ms == nil {
		return nil
	}
	text := time.UnixMilli(*ms).UTC().Format("2006-01-02T15:04:05.999Z")
	return &text
}

// query runs a statement, which is prepared once.
func (f *reportFloor) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	known, ok := f.prepared.Load(text)
	if !ok {
		stmt, err := f.db.PrepareContext(ctx, text)
		if err != nil {
			return nil, err
		}
		known, _ = f.prepared.LoadOrStore(text, stmt)
	}
	return known.(*sql.Stmt).QueryContext(ctx, append([]any{f.account}, args...)...)
}

// page answers with whole rows: condition is what follows the account in WHERE, tail what follows that.
func (f *reportFloor) page(ctx context.Context, answer *envelope[floorRow], most int, condition, tail string,
	args ...any) (made int64, err error) {
	rows, err := f.query(ctx, `SELECT `+floorColumns+` FROM report_booking WHERE account = $1`+condition+tail, args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	answer.Value = make([]floorRow, 0, most)
	for rows.Next() {
		answer.Value = append(answer.Value, floorRow{})
		if made, err = f.scanWhole(rows, &answer.Value[len(answer.Value)-1]); err != nil {
			return 0, err
		}
	}
	return made, rows.Err()
}

const floorContext = "/$metadata#FlightBookingDetailed"

// newestFirst is the order of rows.
const newestFirst = ` ORDER BY created_at DESC, booking_id DESC LIMIT `

// answer makes the answer to a query of reportQueries, with its arguments.
func (f *reportFloor) answer(ctx context.Context, name string, q url.Values) (any, error) {
	answer := &envelope[floorRow]{Context: floorContext}
	from, _ := strconv.ParseInt(q.Get("from"), 10, 64)
	to, _ := strconv.ParseInt(q.Get("to"), 10, 64)
	switch name {
	case "Q1":
		_, err := f.page(ctx, answer, reportPage, ``, newestFirst+`1000`)
		return answer, err
	case "Q2":
		_, err := f.page(ctx, answer, 100, ` AND created_at >= $2 AND created_at < $3 AND state = $4`,
			newestFirst+`100`, from, to, q.Get("state"))
		return answer, err
	case "Q3":
		_, err := f.page(ctx, answer, reportPage, f.contains(), newestFirst+`1000`, q.Get("piece"))
		return answer, err
	case "Q4":
		_, err := f.page(ctx, answer, 50, ``, newestFirst+`50 OFFSET 5000`)
		return answer, err
	case "Q5":
		const condition = ` AND state = $2 AND price_total > $3`
		rows, err := f.query(ctx, `SELECT count(*) FROM report_booking WHERE account = $1`+condition, q.Get("state"), from)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		answer.Count = new(int64)
		for rows.Next() {
			if err := rows.Scan(answer.Count); err != nil {
				return nil, err
			}
		}
		rows.Close()
		_, err = f.page(ctx, answer, 100, condition, newestFirst+`100`, q.Get("state"), from)
		return answer, err
	case "Q6":
		return f.few(ctx)
	case "Q7":
		if _, err := f.page(ctx, answer, 1, ` AND booking_id = $2`, ``, q.Get("key")); err != nil {
			return nil, err
		}
		if len(answer.Value) == 0 {
			return nil, errors.New("there is no such row")
		}
		return answer.Value[0], nil
	case "Q8":
		condition, args := ``, []any(nil)
		if q.Has("after") {
			condition, args = ` AND (created_at, booking_id) < ($2, $3)`, []any{from, q.Get("after")}
		}
		made, err := f.page(ctx, answer, reportPage, condition, newestFirst+`1000`, args...)
		if len(answer.Value) == reportPage {
			answer.Next = fmt.Sprintf("?from=%d&after=%s", made, answer.Value[reportPage-1].BookingId)
		}
		return answer, err
	}
	return nil, fmt.Errorf("there is no query %s", name)
}

// contains is the condition of a piece of a surname, in the way that each database is fastest with.
func (f *reportFloor) contains() string {
	if f.postgres() {
		return ` AND passenger_last_name LIKE '%' || $2 || '%'`
	}
	return ` AND instr(passenger_last_name, $2) > 0`
}

func (f *reportFloor) postgres() bool {
	return strings.Contains(fmt.Sprintf("%T", f.db.Driver()), "stdlib")
}

// few answers with five columns of a page.
func (f *reportFloor) few(ctx context.Context) (any, error) {
	rows, err := f.query(ctx, `SELECT booking_id, state, created_at, price_total, price_currency FROM report_booking
		WHERE account = $1`+newestFirst+`1000`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	answer := envelope[fewColumns]{Context: floorContext, Value: make([]fewColumns, 0, reportPage)}
	for rows.Next() {
		var r fewColumns
		var made int64
		var price *int64
		if err := rows.Scan(&r.BookingId, &r.State, &made, &price, &r.PriceCurrency); err != nil {
			return nil, err
		}
		r.CreatedAt, r.PriceTotal = *instantText(&made), thousandth(price)
		answer.Value = append(answer.Value, r)
	}
	return answer, rows.Err()
}

// floorPackers are the compressors that are not in use.
var floorPackers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	return z
}}

// ServeHTTP answers /Q1 to /Q8.
func (f *reportFloor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer, err := f.answer(r.Context(), strings.TrimPrefix(r.URL.Path, "/"), r.URL.Query())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Encoding", "gzip")
	z := floorPackers.Get().(*gzip.Writer)
	defer floorPackers.Put(z)
	z.Reset(w)
	enc := json.NewEncoder(z)
	enc.SetEscapeHTML(false)
	enc.Encode(answer)
	z.Close()
}

// newReportFloor opens the database at url as the service does, but for reading alone.
func newReportFloor(url, account, customer string) (*reportFloor, error) {
	driver, name := "pgx", url
	if file, ok := strings.CutPrefix(url, "sqlite:"); ok {
		driver, name = "sqlite", "file:"+file+
			"?_pragma=mmap_size(1073741824)&_pragma=query_only(1)&_pragma=cache_size(-8192)"
	}
	db, err := sql.Open(driver, name)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(store.ReportsAtOnce)
	db.SetMaxIdleConns(store.ReportsAtOnce)
	return &reportFloor{db: db, account: account, customer: customer}, nil
}
