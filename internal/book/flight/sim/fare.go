package sim

import (
	"time"

	"gangway"
	"gangway/internal/world"
)

// A fare is what flights that are sold together cost, in cents.
type fare struct {
	base      int // the fare as the airline files it
	taxes     int // what comes on top: the airports' and states' share, and the surcharge
	surcharge int // the airline's own, in taxes; it comes back only with the fare
}

func (f fare) plus(g fare) fare {
	return fare{f.base + g.base, f.taxes + g.taxes, f.surcharge + g.surcharge}
}

// advances says how much dearer a flight is, per mille, the nearer it is.
var advances = []struct{ days, mille int }{{60, 820}, {30, 900}, {21, 970}, {14, 1050}, {7, 1220}, {3, 1450}, {-1 << 31, 1700}}

func advance(days int) int {
	for _, a := range advances {
		if days >= a.days {
			return a.mille
		}
	}
	return 1000
}

// demands says how much dearer a flight is, per mille, the fuller it is, in how
// many of a hundred cases, and from how many seats in a thousand on.
var demands = []struct{ mille, cases, load int }{{850, 15, 300}, {920, 20, 550}, {1000, 25, 670}, {1080, 18, 780}, {1180, 12, 860}, {1300, 7, 920}, {1450, 3, 955}}

// fullest is how many seats in a thousand other people book at most.
const fullest = 980

// Seasons and days of the week, per mille; together within 12 % of the mean.
var (
	months   = [12]int{960, 940, 980, 1010, 1000, 1060, 1080, 1080, 1000, 980, 940, 1070} // from January
	weekdays = [7]int{1030, 1000, 970, 970, 1000, 1030, 1000}                             // from Sunday
)

// stopsMille says how much cheaper a journey is, per mille, the more stops it has.
var stopsMille = [mostHops]int{1150, 1000, 920, 900}

// cabinPercent is what a cabin costs of the economy fare. Business is cheaper
// on short flights, where it is an empty seat beside one's own.
func cabinPercent(c gangway.Cabin, km int) int {
	switch c {
	case gangway.PremiumEconomy:
		return 170
	case gangway.Business:
		if km < 4000 {
			return 220
		}
		return 320
	case gangway.First:
		return 500
	}
	return 100
}

// base is the fare per distance, in cents, before anything else counts.
func base(km int) int { return 4500 + 17*min(km, 2000)/2 + 4*max(0, km-2000) }

// tripFare prices a trip as quoted at a minute, as long as the account has no
// seats on it. What needs several tickets costs what these cost one by one.
func (t *timetable) tripFare(p *trip, b *brand, cabin gangway.Cabin, quoted int) fare {
	var total fare
	from := t.lines[p.hops[0].line].from
	today, _ := t.localDay(int(from), quoted)
	for _, hops := range t.tickets(p.flights()) {
		total = total.plus(t.ticketFare(hops, b, cabin, hops[0].day-today, nil))
	}
	return total
}

// localDay returns the day and minute at a place at any time, near a search or not.
func (t *timetable) localDay(place, utc int) (day, minute int) {
	_, seconds := timeOf(utc, t.places[place].loc).Zone()
	local := utc + seconds/60
	return local / minutesADay, local % minutesADay
}

// tickets parts flights into those that are sold together.
func (t *timetable) tickets(hops []hop) [][]hop {
	var parts [][]hop
	first := 0
	for i := 1; i <= len(hops); i++ {
		if i == len(hops) || !t.together(t.lines[hops[i-1].line].carrier, t.lines[hops[i].line].carrier) {
			parts = append(parts, hops[first:i])
			first = i
		}
	}
	return parts
}

// ticketFare prices flights that are sold together, by the distance between
// their ends and not by the way flown. own counts the account's seats on each.
func (t *timetable) ticketFare(hops []hop, b *brand, cabin gangway.Cabin, days int, own []int) fare {
	start, end := &t.lines[hops[0].line], &t.lines[hops[len(hops)-1].line]
	km := int(start.km)
	if len(hops) > 1 {
		km = t.km(int(start.from), int(end.to))
	}
	var f fare
	load := 0
	for i, h := range hops {
		load += demands[t.demand(h, cabin, at(own, i))].mille
		f.taxes += taxOf(t.places[t.lines[h.line].from].Country)
	}
	load /= len(hops)
	date := timeOf(hops[0].day*minutesADay, time.UTC)
	seller := t.carriers[t.plating(hops)]
	level := 880 + int(mix(code(seller.Code), uint64(start.from), uint64(end.to))%241)
	f.surcharge = km * 12 / 10
	if seller.Type == world.LowCost {
		level, f.surcharge = 600, 0
	}
	f.taxes += f.surcharge
	cents := base(km) * stopsMille[len(hops)-1] / 1000 * level / 1000
	cents = cents * months[date.Month()-1] / 1000 * weekdays[date.Weekday()] / 1000
	cents = cents * cabinPercent(cabin, km) / 100
	cents = cents * b.mille(advance(days), load) / 1000
	f.base = (cents + b.round) / 100 * 100 // whole dollars, as airlines file them
	return f
}

// plating returns the airline that sells flights together: that of the longest.
func (t *timetable) plating(hops []hop) uint16 {
	longest := &t.lines[hops[0].line]
	for _, h := range hops[1:] {
		if l := &t.lines[h.line]; l.km > longest.km {
			longest = l
		}
	}
	return longest.carrier
}

// taxes lists what a departure costs in cents, by country.
var taxes = map[string]int{
	"GB": 6460, "DE": 4815, "NL": 4390, "FR": 4120, "BE": 3180, "CH": 3350, "AT": 3290, "IE": 1980, "ES": 2140, "IT": 2870, "PT": 2560, "GR": 3240,
	"DK": 3410, "NO": 2730, "SE": 2650, "FI": 1890, "PL": 1760, "TR": 1830, "RU": 1240, "US": 3890, "CA": 3540, "MX": 4160, "PA": 4350, "BR": 2280,
	"AR": 5710, "CL": 2640, "CO": 3960, "PE": 3070, "AE": 3270, "QA": 3460, "SA": 2290, "EG": 2540, "ZA": 2910, "NG": 5030, "KE": 4740, "AO": 3620,
	"SG": 4620, "MY": 1680, "TH": 2130, "ID": 1740, "PH": 1460, "VN": 2220, "HK": 2460, "CN": 1290, "TW": 1610, "JP": 2580, "KR": 2150, "IN": 1370,
	"LK": 6000, "BD": 3840, "AU": 4480, "NZ": 3730,
}

// taxOf returns a country's departure tax in cents. Those that are not listed
// charge something between 8 and 40 dollars.
func taxOf(country string) int {
	if cents, ok := taxes[country]; ok {
		return cents
	}
	return 800 + int(mix(code(country), 21)%321)*10
}
