package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// reported is how many bookings the report tells of.
const reported = 6000

// reportQueries are Q1 to Q7: what the service is asked, and the same of the floor.
var reportQueries = []func(chance *rand.Rand, b *bareReport) (ours string, floor url.Values){
	func(*rand.Rand, *bareReport) (string, url.Values) { return "", bareQuery(newestFirst + `1000`) },
	func(chance *rand.Rand, b *bareReport) (string, url.Values) {
		row := b.some(chance)
		from, _ := time.Parse(time.DateOnly, row.CreatedAt[:10])
		to := from.AddDate(0, 3, 0)
		return fmt.Sprintf("$filter=CreatedAt ge %s and CreatedAt lt %s and State eq '%s'&$top=100",
				from.Format(time.RFC3339), to.Format(time.RFC3339), row.State),
			bareQuery(` WHERE State = $1 AND at >= $2 AND at < $3`+newestFirst+`100`, row.State, from.UnixMilli(),
				to.UnixMilli())
	},
	func(chance *rand.Rand, b *bareReport) (string, url.Values) {
		name := []rune(*b.some(chance).PassengerLastName)
		piece := string(name[max(0, len(name)-4):])
		return "$filter=contains(PassengerLastName,'" + strings.ReplaceAll(piece, "'", "''") + "')",
			bareQuery(` WHERE PassengerLastName LIKE '%' || $1 || '%'`+newestFirst+`1000`, piece)
	},
	func(*rand.Rand, *bareReport) (string, url.Values) {
		return "$orderby=CreatedAt desc&$top=50&$skip=5000", bareQuery(newestFirst + `50 OFFSET 5000`)
	},
	func(chance *rand.Rand, b *bareReport) (string, url.Values) {
		price, state := 200+chance.IntN(1200), b.some(chance).State
		q := bareQuery(` WHERE State = $1 AND PriceTotal > $2`+newestFirst+`100`, state, price)
		q.Set("count", "yes")
		return fmt.Sprintf("$count=true&$filter=State eq '%s' and PriceTotal gt %d&$top=100", state, price), q
	},
	func(*rand.Rand, *bareReport) (string, url.Values) {
		q := bareQuery(newestFirst + `1000`)
		q.Set("few", "yes")
		return "$select=BookingId,State,CreatedAt,PriceTotal,PriceCurrency&$top=1000", q
	},
	func(chance *rand.Rand, b *bareReport) (string, url.Values) {
		q := bareQuery(` WHERE BookingId = $1`, b.some(chance).BookingId)
		q.Set("one", "yes")
		return "('" + q.Get("arg") + "')", q
	},
}

// reportContest has the service and the floor answer a query. Before, it makes sure that both answer the same.
func reportContest(n int) func(context.Context, *place) (contest, error) {
	return func(ctx context.Context, p *place) (contest, error) {
		s := p.served
		b, err := s.reporting(ctx, p)
		if err != nil {
			return contest{}, err
		}
		const rounds, times = 31, 6
		var asked [(rounds + 1) * times][2]string // of the floor, and of the service
		chance := rand.New(rand.NewPCG(5, 8))
		for i := range asked {
			ours, floor := reportQueries[n](chance, b)
			asked[i] = [2]string{b.address + "?" + floor.Encode(), s.set() + inURL(ours)}
		}
		if err := s.alike(ctx, asked[0]); err != nil {
			return contest{}, err
		}
		answered := func(who int) side {
			return each(times, func(ctx context.Context, n int) error {
				_, err := get(ctx, bareClient, asked[n][who], "Authorization", s.login(), "Accept-Encoding", "gzip")
				return err
			})
		}
		return contest{rounds, answered(0), answered(1)}, nil
	}
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

// readReport requests an address and decodes the answer.
func (s *served) readReport(ctx context.Context, address string, to any) error {
	doc, err := get(ctx, http.DefaultClient, address, "Authorization", s.login())
	if err != nil {
		return err
	}
	return json.Unmarshal(doc, to)
}

// alike returns an error unless the floor and the service answer with the same rows.
func (s *served) alike(ctx context.Context, addresses [2]string) error {
	var found [2]map[string]any
	for i, address := range addresses {
		if err := s.readReport(ctx, address, &found[i]); err != nil {
			return err
		}
		delete(found[i], "@odata.context")
		delete(found[i], "@odata.nextLink")
	}
	if !reflect.DeepEqual(found[0], found[1]) {
		return fmt.Errorf("the floor answers %.1500v, and the service %.1500v", found[0], found[1])
	}
	return nil
}
