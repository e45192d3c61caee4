package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// reported is how many bookings the report tells of.
const reported = 6000

// A reportRow is what the queries are made of.
type reportRow struct {
	BookingId, State, PassengerLastName string
	CreatedAt                           time.Time
}

// reportQueries are Q1 to Q7, about a row of the report.
var reportQueries = []func(chance *rand.Rand, of reportRow) string{
	func(*rand.Rand, reportRow) string { return "" },
	func(_ *rand.Rand, of reportRow) string {
		from := of.CreatedAt.Truncate(24 * time.Hour)
		return fmt.Sprintf("$filter=CreatedAt ge %s and CreatedAt lt %s and State eq '%s'&$top=100",
			from.Format(time.RFC3339), from.AddDate(0, 3, 0).Format(time.RFC3339), of.State)
	},
	func(_ *rand.Rand, of reportRow) string {
		name := []rune(of.PassengerLastName)
		piece := string(name[max(0, len(name)-4):])
		return "$filter=contains(PassengerLastName,'" + strings.ReplaceAll(piece, "'", "''") + "')"
	},
	func(*rand.Rand, reportRow) string { return "$orderby=CreatedAt desc&$top=50&$skip=5000" },
	func(chance *rand.Rand, of reportRow) string {
		return fmt.Sprintf("$count=true&$filter=State eq '%s' and PriceTotal gt %d&$top=100", of.State,
			200+chance.IntN(1200))
	},
	func(*rand.Rand, reportRow) string {
		return "$select=BookingId,State,CreatedAt,PriceTotal,PriceCurrency&$top=1000"
	},
	func(_ *rand.Rand, of reportRow) string { return "('" + of.BookingId + "')" },
}

// reportContest has the service answer a query.
func reportContest(n int) func(context.Context, *place) (contest, error) {
	return func(ctx context.Context, p *place) (contest, error) {
		s := p.served
		if p.report == nil {
			if err := s.reporting(ctx, p); err != nil {
				return contest{}, err
			}
		}
		chance := rand.New(rand.NewPCG(5, 8))
		return contest{31, each(6, func(ctx context.Context, _ int) error {
			query := reportQueries[n](chance, p.report[chance.IntN(len(p.report))])
			_, err := get(ctx, http.DefaultClient, s.set()+inURL(query), "Authorization", s.login(),
				"Accept-Encoding", "gzip")
			return err
		})}, nil
	}
}

// reporting makes bookings up, of which the report tells, and reads them there.
func (s *served) reporting(ctx context.Context, p *place) error {
	var made any
	if err := s.Command(ctx, &made, "", "sample", "bookings", "--customer", s.ID, "--environment", "development",
		"--count", strconv.Itoa(reported)); err != nil {
		return err
	}
	for next := s.set(); next != ""; {
		var page struct {
			Value []reportRow
			Next  string `json:"@odata.nextLink"`
		}
		doc, err := get(ctx, http.DefaultClient, next, "Authorization", s.login())
		if err != nil {
			return err
		}
		if err := json.Unmarshal(doc, &page); err != nil {
			return err
		}
		p.report, next = append(p.report, page.Value...), page.Next
	}
	return p.vacuum(ctx)
}

// set is the address of the report's bookings.
func (s *served) set() string { return s.URL("/reporting/v2/odata/FlightBookingDetailed") }

// inURL writes a query as the end of an address.
func inURL(query string) string {
	if query == "" || query[0] == '(' {
		return query
	}
	return "?" + strings.NewReplacer("%3D", "=", "%26", "&", "%24", "$").Replace(url.QueryEscape(query))
}

// login is the header of the development account's report login.
func (s *served) login() string {
	e := s.Development
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(e.ReportUser+":"+e.ReportPassword))
}
