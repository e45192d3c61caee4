package report

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A behindPage lists the bookings behind a figure of the report.
type behindPage struct {
	Filters Filters
	Of      string
	Rows    []behindRow
	More    url.Values // the address of the rows that follow; nil: there are none
	First   url.Values // that of the first page; nil: this is it
	Report  url.Values
}

// A behindRow is a booking, as the report has it.
type behindRow struct {
	BookingID                                                                                string `json:"BookingId"`
	Locator, PassengerLastName, PassengerFirstName, VesselName, FirstOrigin, LastDestination string
	State, PriceCurrency, RefundCurrency                                                     string
	CreatedAt, DepartureAt                                                                   *time.Time
	PriceTotal, RefundTotal                                                                  json.Number
}

// Day is one of UTC, as the report counts them; empty: it is not known.
func (behindRow) Day(at *time.Time) gangway.Date {
	if at == nil {
		return ""
	}
	return gangway.DateOf(at.UTC())
}

// Money writes an amount.
func (behindRow) Money(n json.Number, currency string) string {
	if known, ok := new(big.Rat).SetString(n.String()); ok {
		return currency + " " + amount(known, currency)
	}
	return ""
}

// StateWords names the state.
func (r behindRow) StateWords() string { return stateWords(gangway.State(r.State)) }

// behinds are the bookings that figures are made of, among those that the filters select.
var behinds = map[string]struct{ words, condition string }{
	"tickets":  {"with tickets", hasTicket},
	"standing": {"neither cancelled, declined nor waiting for a refund", stands},
	"given":    {"with tickets given back", hasTicket + " and " + given},
}

// behindShown is how many rows a page has.
const behindShown = 50

var behindColumns = []string{"BookingId", "Locator", "PassengerLastName", "PassengerFirstName", "VesselName",
	"FirstOrigin", "LastDestination", "State", "CreatedAt", "DepartureAt", "PriceTotal", "PriceCurrency",
	"RefundTotal", "RefundCurrency"}

const behindPlace = "where a page of the bookings behind a figure begins"

// behind returns where the bookings behind a figure are listed: of those at an address, which are of a kind.
func behind(at url.Values, of string) url.Values {
	q := shell.CloneQuery(at)
	q.Del("rank")
	if of != "" {
		q.Set("of", of)
	}
	return q
}

// Behind lists the bookings behind a figure, the newest first.
func (room *Room) Behind(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	q := r.URL.Query()
	p := behindPage{Filters: ReadFilters(q, gangway.DateOf(room.Now().UTC())), Of: q.Get("of")}
	if len(p.Filters.Wrong) > 0 {
		return room.Redirect(w, r, "/report?"+r.URL.RawQuery) // which says what is wrong
	}
	p.Report = p.Filters.Values()
	kind, known := behinds[p.Of]
	if p.Of != "" && !known {
		return gangway.Errorf(gangway.NotFound, "the report has no figure of %.40q", p.Of)
	}
	v, _ := shell.VisitorOf(r.Context())
	rows, err := room.rowsOf(r.Context(), in, v.User.ID, choice{Filters: p.Filters, Set: query.Schema.Sets[0],
		Columns: behindColumns, also: kind.condition})
	if err == nil {
		err = p.read(r, rows)
	}
	if err != nil {
		return err
	}
	answer := p.Filters.words()
	if known {
		answer += " · " + kind.words
	}
	return room.Show(w, r, shell.Page{Template: "behind", Section: "report", Title: "Report › Bookings", Answer: answer,
		Data: p})
}

// read reads a page of rows.
func (p *behindPage) read(r *http.Request, rows *chosenRows) (err error) {
	req, last := rows.req, ""
	req.Limit = behindShown + 1
	if at := shell.Unsealed(r.Context(), behindPlace, r.URL.Query().Get("at")); at != "" {
		if req.After, err = query.ParsePosition(req.Query, at); err != nil {
			return gangway.Errorf(gangway.NotFound, "these rows cannot be found again: open the report once more")
		}
		p.First = behind(p.Report, p.Of)
	}
	return rows.read(r.Context(), req, store.ReportAnswer{Row: func(row query.Row) error {
		if len(p.Rows) == behindShown {
			p.More = behind(p.Report, p.Of)
			p.More.Set("at", shell.Sealed(r.Context(), behindPlace, last))
			return nil
		}
		one := behindRow{}
		if err := json.Unmarshal(append(row.AppendMembers([]byte("{")), '}'), &one); err != nil {
			return fmt.Errorf("read a booking of the report: %w", err)
		}
		p.Rows, last = append(p.Rows, one), row.Position().Text()
		return nil
	}})
}
