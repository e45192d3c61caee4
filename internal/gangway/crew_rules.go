package gangway

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// CrewRules are how journeys to and from ships are judged. What is empty is as the account's settings say, and there as
// DefaultCrewRules.
type CrewRules struct {
	BoardBy   string `json:"board_by,omitempty"`   // "HH:MM" or "24:00", port time: by when on-signers are due on their day
	LeaveFrom string `json:"leave_from,omitempty"` // "HH:MM", port time: from when leavers may leave on the ship's day
	Nights    *int   `json:"nights,omitempty"`     // how many more than planned may be spent waiting
	Short     *int   `json:"short,omitempty"`      // hours of buffer below which a delay is hard to make up for
	Critical  *int   `json:"critical,omitempty"`   // hours of buffer below which one late flight costs the ship

	// NightPrice is what a night of waiting costs one person, and NightPrices what it costs in some ports. Without a
	// price a night is counted as a night, never as money.
	NightPrice  Money       `json:"night_price,omitzero"`
	NightPrices NightPrices `json:"night_prices,omitempty"`
}

// DefaultCrewRules are used where nobody has decided otherwise. On-signers may come until the end of their day, leavers
// go from noon, since ships come in by then; one night in a hotel is acceptable, and two mean that the plan was
// different. With six hours to spare one late flight costs the ship, and from twelve a delay can be made up for.
//
// Decided: docs/choices.md, "Bookings beside a plan".
func DefaultCrewRules() CrewRules {
	return CrewRules{BoardBy: "24:00", LeaveFrom: "12:00", Nights: new(1), Short: new(12), Critical: new(6)}
}

// Or returns r with what it leaves open as other says. A price of r is for every port.
func (r CrewRules) Or(other CrewRules) CrewRules {
	if r.NightPrice == (Money{}) {
		r.NightPrice, r.NightPrices = other.NightPrice, cmp.Or(r.NightPrices, other.NightPrices)
	}
	return CrewRules{BoardBy: cmp.Or(r.BoardBy, other.BoardBy), LeaveFrom: cmp.Or(r.LeaveFrom, other.LeaveFrom),
		Nights: cmp.Or(r.Nights, other.Nights), Short: cmp.Or(r.Short, other.Short),
		Critical: cmp.Or(r.Critical, other.Critical), NightPrice: r.NightPrice, NightPrices: r.NightPrices}
}

// Night returns what a night costs one person at the first of the places that has a price of its own, or else
// anywhere. known: somebody has set it.
func (r CrewRules) Night(at ...Place) (price Money, known bool) {
	for _, place := range at {
		for line := range strings.Lines(string(r.NightPrices)) {
			amount, is := strings.CutPrefix(strings.TrimSpace(line), string(place)+" ")
			if price, err := ParseMoney(amount); is && err == nil {
				return price, true
			}
		}
	}
	return r.NightPrice, r.NightPrice != (Money{})
}

// ReadCrewRules reads rules as people type them, by the names of their fields, which are those of the stored document.
// base is what holds where a field is empty; currency, if not empty, is that of all prices. wrong says by field what
// cannot be read.
func ReadCrewRules(typed func(field string) string, base CrewRules, currency string) (r CrewRules,
	wrong map[string]error) {
	wrong = map[string]error{}
	hour := func(field, latest string) string {
		at := typed(field)
		if len(at) == len("6:00") {
			at = "0" + at
		}
		if _, ok := MinuteOfDay(at); at != "" && !ok && at != latest {
			wrong[field] = Errorf(Invalid, "%q is no hour: write it as in %q", at, "06:00")
		}
		return at
	}
	number := func(field string, most int) *int {
		text := typed(field)
		n, err := strconv.Atoi(text)
		if text == "" {
			return nil
		}
		if err != nil || n < 0 || n > most {
			wrong[field] = Errorf(Invalid, "%q is no whole number from 0 to %d", text, most)
		}
		return &n
	}
	r = CrewRules{BoardBy: hour("board_by", "24:00"), LeaveFrom: hour("leave_from", ""),
		Nights: number("nights", 30), Short: number("short", 96),
		Critical: number("critical", 96)}
	if text := typed("night_price"); text != "" {
		price, err := readPrice(text, currency)
		if r.NightPrice = price; err != nil {
			wrong["night_price"] = err
		}
	}
	lines, err := readLines(typed("night_prices"), mostNightPrices, func(line string) (at, kept string, err error) {
		at, amount, _ := strings.Cut(strings.ToUpper(line), " ")
		price, err := readPrice(amount, currency)
		return at, at + " " + price.Decimal() + " " + price.Currency, err
	})
	if r.NightPrices = NightPrices(lines); err != nil {
		wrong["night_prices"] = err
	}
	all := r.Or(base).Or(DefaultCrewRules())
	if short, critical := *all.Short, *all.Critical; critical > short && wrong["short"] == nil {
		field := map[bool]string{true: "critical", false: "short"}[r.Critical != nil]
		wrong[field] = cmp.Or(wrong[field], Errorf(Invalid, "red (below %d h) cannot begin before amber (below %d h)",
			critical, short))
	}
	return r, wrong
}

// Typed returns r as ReadCrewRules reads it, by field: only what is set.
func (r CrewRules) Typed() map[string]any {
	typed := map[string]any{"board_by": r.BoardBy, "leave_from": r.LeaveFrom, "night_prices": string(r.NightPrices)}
	for field, n := range map[string]*int{"nights": r.Nights, "short": r.Short, "critical": r.Critical} {
		if n != nil {
			typed[field] = strconv.Itoa(*n)
		}
	}
	if r.NightPrice != (Money{}) {
		typed["night_price"] = r.NightPrice.Decimal() + " " + r.NightPrice.Currency
	}
	maps.DeleteFunc(typed, func(_ string, text any) bool { return text == "" })
	return typed
}

// NightPrices are what a night costs by port, one a line, as in "NLRTM 160.00 USD".
type NightPrices string

// mostNightPrices is how many ports can have a price of their own.
const mostNightPrices = 100

// Places lists the ports.
func (n NightPrices) Places() (list []Place) {
	for line := range strings.Lines(string(n)) {
		list = append(list, Place(strings.Fields(line)[0]))
	}
	return list
}

// readLines reads what people type one a line. read returns what may be there once, and the line as it is kept.
func readLines(text string, most int, read func(line string) (key, kept string, err error)) (string, error) {
	lines := map[string]string{}
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); line == "" {
			continue
		}
		key, kept, err := read(line)
		if err == nil && (lines[key] != "" || len(lines) == most) {
			err = Errorf(Invalid, "is there twice, or there are more than %d", most)
		}
		if err != nil {
			return "", Errorf(Invalid, "%q: %v", line, err)
		}
		lines[key] = kept
	}
	return strings.Join(slices.Sorted(maps.Values(lines)), "\n"), nil
}

// readPrice reads what a night costs: an amount in a currency, which it may leave out.
func readPrice(text, currency string) (Money, error) {
	if !strings.Contains(text, " ") {
		text += " " + currency
	}
	m, err := ParseMoney(strings.ToUpper(text))
	if err == nil && (m.Minor < 0 || currency != "" && m.Currency != currency) {
		err = Errorf(Invalid, "a price is not negative, and in %s, the currency of this account",
			cmp.Or(currency, m.Currency))
	}
	return m, err
}

// ByHour has journeys to or from a ship keep to an hour of its day. A day of the traveller's own before it has none.
func ByHour(legs []Leg, side Side, hour string, ship Date) {
	if len(legs) == 0 || hour == "" {
		return
	}
	first, last := &legs[0], &legs[len(legs)-1]
	if side == OnSigner && last.ArriveOn.Valid() && last.ArriveOn >= ship {
		last.ArriveBy = strings.TrimPrefix(hour, "24:00") // the end of the day has no hour
	}
	if side == OffSigner && first.Date.Valid() && first.Date >= ship {
		first.LeaveAfter = hour
	}
}

// atHour returns an hour of a day, "24:00" too, where clocks run as in loc.
func atHour(day Date, hour string, loc *time.Location) time.Time {
	minute, ok := MinuteOfDay(hour)
	if !ok {
		day = day.AddDays(1)
	}
	at := day.In(loc)
	return time.Date(at.Year(), at.Month(), at.Day(), 0, minute, 0, 0, loc)
}
