package report

import (
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report"
)

// What is counted, in all charts alike:
//
//   - bookings: all that the filters select, whatever became of them;
//   - tickets: those of them for which tickets were issued, cancelled since or not;
//   - spend: what the tickets cost, in one currency, before anything came back;
//   - emissions and distance: those of bookings that stand.
//
// Decided: docs/choices.md, "The report's page".
const (
	// Tickets may have no numbers yet, or none any more.
	hasTicket = "(TicketNumbers ne null or RefundTotal ne null or State in ('issued','refund_pending'))"
	given     = "State in ('refund_pending','cancelled')" // tickets that were given back
)

// spendInWords says how spend is made of the columns.
const spendInWords = "on the report's page: the sum of PriceTotal, each PriceCurrency apart, of the rows with " +
	"tickets: those with TicketNumbers, with a RefundTotal, or of State issued or refund_pending"

// stands is the condition for bookings that stand.
var stands = func() string {
	var gone []string
	for _, s := range gangway.States {
		if b := (gangway.Booking{State: s}); !b.Live() {
			gone = append(gone, literal(string(s)))
		}
	}
	return "not (State in (" + strings.Join(gone, ",") + "))"
}()

// standing are the states of bookings that stand.
func standing(s gangway.State) bool { b := gangway.Booking{State: s}; return b.Live() }

// A measure is a figure that charts have of each group of bookings.
type measure struct {
	name    string // as answers have it
	compute string // the value of one booking, under its own name; empty where bookings are counted
	of      string
	method  string
}

// measuresIn are the measures of each group, of which money is in one currency.
func measuresIn(currency string) []measure {
	paid := hasTicket + " and PriceCurrency eq " + literal(currency)
	return []measure{
		{name: "Bookings"},
		{"Tickets", "case(" + paid + ":1)", "Ticket", "sum"},
		{"Spend", "case(" + paid + ":PriceTotal)", "Paid", "sum"},
		{"Co2Kg", "case(" + stands + ":Co2EmissionsKg)", "Emitted", "sum"},
	}
}

// The places of the measures behind the keys of a group.
const (
	bookingsAt = iota
	ticketsAt
	spendAt
	co2At
)

// grouped returns the stages that work out measures of groups of bookings.
func grouped(f Filters, computed, keys []string, measures []measure) []string {
	var stages, aggregates []string
	if filter := f.OData(); filter != "" {
		stages = append(stages, "filter("+filter+")")
	}
	for _, m := range measures {
		switch {
		case m.method == "":
			aggregates = append(aggregates, "$count as "+m.name)
			continue
		case m.compute != "":
			computed = append(computed, m.compute+" as "+m.of)
		}
		aggregates = append(aggregates, m.of+" with "+m.method+" as "+m.name)
	}
	if len(computed) > 0 {
		stages = append(stages, "compute("+strings.Join(computed, ",")+")")
	}
	return append(stages, "groupby(("+strings.Join(keys, ",")+"),aggregate("+strings.Join(aggregates, ",")+"))")
}

// totalsQuestion asks for all that the totals are made of: groups so small that no two currencies, and no two
// states, are in one.
func totalsQuestion(f Filters) question {
	keys := []string{"State", "PriceCurrency", "RefundCurrency"}
	return question{Of: ofTotals, Apply: grouped(f, nil, keys, []measure{
		{name: "Bookings"},
		{"Tickets", "case(" + hasTicket + ":1)", "Ticket", "sum"},
		{"Spend", "case(" + hasTicket + ":PriceTotal)", "Paid", "sum"},
		{"Refunded", "case(" + hasTicket + ":RefundTotal)", "Back", "sum"},
		{"Co2Kg", "case(" + stands + ":Co2EmissionsKg)", "Emitted", "sum"},
		{"Km", "case(" + stands + ":MileageKm)", "Flown", "sum"},
		{"Dated", "case(DepartureAt ne null:1)", "Leaves", "sum"},
		{"SecondsAhead", "totalseconds(DepartureAt sub CreatedAt)", "Ahead", "sum"},
	}), OrderBy: "State,PriceCurrency,RefundCurrency"}
}

// monthsQuestion asks for the measures of each month, newest first, and for what became of its tickets.
func monthsQuestion(f Filters, currency string) question {
	day := f.By.Column()
	known := hasTicket + " and " + given + " and PriceCurrency eq " + literal(currency) + " and RefundCurrency eq " +
		literal(currency)
	unknown := hasTicket + " and " + given + " and PriceCurrency eq " + literal(currency) +
		" and RefundTotal eq null"
	month := []string{"year(" + day + ") as Year", "month(" + day + ") as Month"}
	return question{Of: ofMonths, Apply: grouped(f, month,
		[]string{"Year", "Month"}, append(measuresIn(currency),
			measure{"GivenBack", "case(" + known + ":PriceTotal)", "Given", "sum"},
			measure{"Refunded", "case(" + known + ":RefundTotal)", "Back", "sum"},
			measure{"Awaited", "case(" + unknown + ":PriceTotal)", "Asked", "sum"},
		)), OrderBy: "Year desc,Month desc"}
}

// ranks are the measures that groups can be ordered by, with the words of the page.
type rank struct{ value, words string }

var ranks = []rank{{"Spend", "spend"}, {"Co2Kg", "emissions"}, {"Bookings", "bookings"}}

// rankedQuestion asks for the measures of each group with the same values in some columns, largest first.
func rankedQuestion(f Filters, of subject, currency, rank string, keys ...string) question {
	return question{Of: of, Rank: rank, Apply: grouped(f, nil, keys, measuresIn(currency)),
		OrderBy: strings.Join(append([]string{rank + " desc"}, keys...), ",")}
}

// flightsQuestion asks for the flights of each airline, among those of bookings that stand.
func flightsQuestion(f Filters) question {
	filter := stands
	if of := f.ODataOf(report.Segments.Name); of != "" {
		filter = of + " and " + stands
	}
	return question{Of: ofCarriers, Rank: "Flights", Set: "Segments", Apply: []string{"filter(" + filter + ")",
		"groupby((Carrier,CarrierName)," +
			"aggregate($count as Flights,MileageKm with sum as Km,Co2EmissionsKg with sum as Co2Kg))"},
		OrderBy: "Flights desc,Carrier,CarrierName"}
}

// aheads are the ranges of days between booking and departure: from so many days, up to the next.
var aheads = []int{0, 3, 7, 14, 21, 30, 60}

// early is from how many days ahead a booking is not late.
const early = 21

// aheadComputed is the first day of a booking's range.
func aheadComputed() string {
	var cases []string
	for i, days := range aheads[1:] {
		cases = append(cases, fmt.Sprintf("DepartureAt sub CreatedAt lt duration'P%dD':%d", days, aheads[i]))
	}
	cases = append(cases, fmt.Sprintf("DepartureAt ne null:%d", aheads[len(aheads)-1]))
	return "case(" + strings.Join(cases, ",") + ") as DaysAhead"
}

// aheadQuestion asks for the measures of each range of days ahead.
func aheadQuestion(f Filters, currency string) question {
	return question{Of: ofAhead,
		Apply:   grouped(f, []string{aheadComputed()}, []string{"DaysAhead"}, measuresIn(currency)),
		OrderBy: "DaysAhead"}
}

// lateQuestion asks what tickets cost on each route at each kind of fare in each range of days ahead.
func lateQuestion(f Filters, currency string) question {
	return question{
		Of: ofLate,
		Apply: grouped(f, []string{aheadComputed()},
			[]string{"FirstOrigin", "LastDestination", "TermsFareType", "DaysAhead"},
			measuresIn(currency)[ticketsAt:spendAt+1]),
		Filter:  "Tickets gt 0 and DaysAhead ne null",
		OrderBy: "FirstOrigin,LastDestination,TermsFareType,DaysAhead",
	}
}

// aheadWords names a range of days ahead.
func aheadWords(from int) string {
	i := slices.Index(aheads, from)
	if i < 0 {
		return "not known"
	}
	if i == len(aheads)-1 {
		return fmt.Sprintf("%d or more", from)
	}
	return fmt.Sprintf("%d–%d", from, aheads[i+1]-1)
}

// briefDays are the words of a range of days below a column, where there is little room.
func briefDays(words string) string { return strings.Replace(words, " or more", "+", 1) }
