package report

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/report/odata"
	"gangway/internal/store"
)

// A subject is what a question groups bookings, or their flights, by. Each page has one question of each.
type subject int

const (
	ofTotals subject = iota
	ofMonths
	ofVessels
	ofRoutes
	ofAirlines
	ofCarriers // of flights
	ofAhead
	ofLate
	ofField
	subjects
)

// The sums that are kept of each group: first numbers of bookings, then thousandths.
const (
	sumBookings = iota
	sumTickets
	sumDated
	sumSpend
	sumCo2
	sumGiven
	sumBack
	sumAwaited
	sumRefunded
	sumKm
	sumAhead
	sumsKept
)

var usualSums = []int{sumBookings, sumTickets, sumSpend, sumCo2}

// shapes are what a row of the answer about a subject has: so many keys, and sums.
var shapes = [subjects]struct {
	keys int
	sums []int
}{
	ofTotals:  {3, []int{sumBookings, sumTickets, sumSpend, sumRefunded, sumCo2, sumKm, sumDated, sumAhead}},
	ofMonths:  {2, append(usualSums[:4:4], sumGiven, sumBack, sumAwaited)},
	ofVessels: {1, usualSums}, ofRoutes: {2, usualSums}, ofAirlines: {1, usualSums}, ofAhead: {1, usualSums},
	ofField:    {1, usualSums},
	ofCarriers: {2, []int{sumBookings, sumKm, sumCo2}}, ofLate: {4, []int{sumTickets, sumSpend}},
}

// rankSums are the sums that rows are ordered by, the largest first.
var rankSums = map[string]int{"Spend": sumSpend, "Co2Kg": sumCo2, "Bookings": sumBookings, "Flights": sumBookings}

type keys [4]string

// A group is bookings with the same keys and currency, or in whatever currency if that is empty.
type group struct {
	keys
	currency string
}

// sums are the answers to all questions of a page, added up in one reading of the bookings: asked of the database, each
// question is a reading of its own.
type sums [subjects]map[group]*[sumsKept]int64

// sum adds up the bookings that filters select, when it is the person's turn.
func (room *Room) sum(ctx context.Context, in store.Scoped, person string, f Filters) (*sums, error) {
	end, err := room.turn(ctx, person)
	if err != nil {
		return nil, err
	}
	defer end()
	s := &sums{}
	for i := range s {
		s[i] = map[group]*[sumsKept]int64{}
	}
	from, until := int64(0), int64(math.MaxInt64)
	if f.From != "" {
		from = f.From.In(time.UTC).UnixMilli()
	}
	if f.To != "" {
		until = f.To.AddDays(1).In(time.UTC).UnixMilli()
	}
	first, last := from, until
	if f.By == ByDeparture {
		first, last = 0, math.MaxInt64
	}
	return s, in.ReportLines(ctx, first, last, f.Field != "", func(l store.ReportLine) {
		day := l.Created
		if f.By == ByDeparture {
			day = l.Departure
		}
		if from <= day && day < until && (day != 0 || f.From == "" && f.To == "") && f.selects(l) {
			s.add(l, day, f.Field)
		}
	})
}

// selects is condition without the days.
func (f Filters) selects(l store.ReportLine) bool {
	is := func(wanted, has string) bool { return wanted == "" || wanted == has }
	has := func(wanted, all string) bool {
		return wanted == "" || strings.Contains(odata.Lower(all), odata.Lower(wanted))
	}
	vessel, airline := has, has
	name, exact := quoted(f.Vessel)
	if exact {
		vessel = func(_, has string) bool { return has != "" && has == name }
	}
	carriers := l.Airlines
	if airlineCode.MatchString(f.Airline) {
		airline, carriers = is, l.Plating
	}
	return is(string(f.State), l.State) && is(string(f.Origin), l.Origin) && is(string(f.Destination), l.Destination) &&
		(f.Value == "" || strings.Contains(l.Fields, f.fieldText())) && is(f.Currency, l.Currency) &&
		is(string(f.Fare), l.Fare) && vessel(f.Vessel, l.Vessel) &&
		airline(f.Airline, carriers)
}

// add adds a booking to the groups that it belongs to. What is counted is what questions.go asks for.
func (s *sums) add(l store.ReportLine, day int64, field string) {
	state := gangway.State(l.State)
	v := [sumsKept]int64{sumBookings: 1}
	if standing(state) {
		v[sumCo2], v[sumKm] = l.Co2, l.Km
		l.EachFlight(func(f store.ReportFlight) {
			s.put(ofCarriers, group{keys{f.Carrier, f.Name}, ""}, &[sumsKept]int64{sumBookings: 1, sumKm: f.Km,
				sumCo2: f.Co2})
		})
	}
	if l.Tickets != "" || l.Refunded || state == gangway.Issued || state == gangway.RefundPending {
		v[sumTickets], v[sumSpend], v[sumRefunded] = 1, l.Price, l.Refund
		given := state == gangway.RefundPending || state == gangway.Cancelled
		if given && !l.Refunded {
			v[sumAwaited] = l.Price
		}
		if given && l.RefundCurrency == l.Currency {
			v[sumGiven], v[sumBack] = l.Price, l.Refund
		}
	}
	days, month := "", keys{}
	if l.Departure != 0 {
		v[sumDated], v[sumAhead] = 1, l.Departure-l.Created
		i := slices.IndexFunc(aheads[1:], func(days int) bool { return v[sumAhead] < int64(days)*24*60*60*1000 })
		days = padded(aheads[(i+len(aheads))%len(aheads)])
	}
	if at := time.UnixMilli(day).UTC(); day != 0 {
		month = keys{strconv.Itoa(at.Year()), padded(int(at.Month()))}
	}
	currency := cmp.Or(l.Currency, "none")
	s.put(ofTotals, group{keys{l.State, l.Currency, l.RefundCurrency}, ""}, &v)
	s.put(ofMonths, group{month, currency}, &v)
	s.put(ofVessels, group{keys{l.Vessel}, currency}, &v)
	s.put(ofRoutes, group{keys{l.Origin, l.Destination}, currency}, &v)
	s.put(ofAirlines, group{keys{l.Plating}, currency}, &v)
	s.put(ofAhead, group{keys{days}, currency}, &v)
	if field != "" {
		var fields map[string]string
		if l.Fields != "" {
			_ = json.Unmarshal([]byte(l.Fields), &fields) // what cannot be read is no field
		}
		s.put(ofField, group{keys{fields[field]}, currency}, &v)
	}
	if days != "" && v[sumTickets] > 0 {
		s.put(ofLate, group{keys{l.Origin, l.Destination, l.Fare, days}, currency}, &v)
	}
}

// padded writes a number so that texts have the order of the numbers.
func padded(n int) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }

func (s *sums) put(of subject, g group, v *[sumsKept]int64) {
	sums := s[of][g]
	if sums == nil {
		for i, k := range g.keys {
			g.keys[i] = strings.Clone(k) // of the text of hundreds of bookings
		}
		g.currency, sums = strings.Clone(g.currency), new([sumsKept]int64)
		s[of][g] = sums
	}
	for i, n := range v {
		sums[i] += n
	}
}

// answer is the answer to a question, with money in one currency, in the order that the question asks for.
func (s *sums) answer(q question, currency string) (rows []row) {
	groups := map[keys]*[sumsKept]int64{}
	for g, v := range s[q.Of] {
		if groups[g.keys] == nil {
			groups[g.keys] = new([sumsKept]int64)
		}
		for i, n := range v {
			if g.currency == "" || g.currency == currency || i == sumBookings || i == sumCo2 {
				groups[g.keys][i] += n
			}
		}
	}
	rank, ranked := rankSums[q.Rank]
	for _, k := range slices.SortedFunc(maps.Keys(groups), func(a, b keys) int {
		switch n := slices.Compare(a[:], b[:]); {
		case q.Of == ofMonths: // newest first
			return -n
		case ranked:
			return cmp.Or(cmp.Compare(groups[b][rank], groups[a][rank]), n)
		default:
			return n
		}
	}) {
		var r row
		for _, key := range k[:shapes[q.Of].keys] {
			if r = append(r, key); key == "" {
				r[len(r)-1] = nil
			}
		}
		for _, n := range shapes[q.Of].sums {
			r = append(r, big.NewRat(groups[k][n], map[bool]int64{true: 1, false: 1000}[n < sumSpend]))
		}
		if q.Of != ofLate || groups[k][sumTickets] > 0 {
			rows = append(rows, r)
		}
	}
	return rows
}
