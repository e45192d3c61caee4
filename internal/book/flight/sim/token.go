package sim

import (
	"strconv"
	"strings"
	"time"

	"gangway"
)

// A token is an offer's identifier taken apart. It holds all that is needed to
// price the offer again in any process, and nothing that could be gained by
// changing it: whatever it says is priced anew.
type token struct {
	quoted time.Time
	brand  brand
	cabin  gangway.Cabin
	trip   trip
}

// writeToken writes, for instance, "M-y-tq3k8c-EK333.20261201_EK147.20261202":
// brand, cabin, when it was quoted, and the flights; legs are separated by "~".
func writeToken(t token, table *timetable) string {
	var b strings.Builder
	b.WriteByte(t.brand.letter)
	b.WriteString("-" + cabinLetter(t.cabin) + "-" + strconv.FormatInt(t.quoted.Unix(), 36) + "-")
	for i, p := range t.trip {
		if i > 0 {
			b.WriteByte('~')
		}
		for j, fl := range p {
			if j > 0 {
				b.WriteByte('_')
			}
			b.WriteString(flightNumber(table.lines[fl.line]) + "." + strings.ReplaceAll(string(fl.date), "-", ""))
		}
	}
	return b.String()
}

// readToken reads a token and checks that its flights exist and connect.
func readToken(id string, f *finder) (token, error) {
	parts := strings.Split(id, "-")
	if len(parts) != 4 || len(id) > 400 {
		return token{}, errOffer
	}
	seconds, err := strconv.ParseInt(parts[2], 36, 64)
	br, known := brandOf(parts[0])
	cabin, sold := cabins[parts[1]]
	if err != nil || !known || !sold {
		return token{}, errOffer
	}
	t := token{quoted: time.Unix(seconds, 0).UTC(), brand: br, cabin: cabin}
	var last *flown
	for _, leg := range strings.Split(parts[3], "~") {
		var p path
		for _, text := range strings.Split(leg, "_") {
			number, day, _ := strings.Cut(text, ".")
			i, ok := f.numbers[number]
			if !ok || len(day) != 8 {
				return token{}, errOffer
			}
			date := gangway.Date(day[:4] + "-" + day[4:6] + "-" + day[6:])
			if !date.Valid() {
				return token{}, errOffer
			}
			fl, flies := f.fly(i, date)
			if !flies || last != nil && fl.leave < last.land {
				return token{}, errOffer
			}
			if len(p) > 0 && (f.lines[p[len(p)-1].line].to != f.lines[i].from || !f.together(p[len(p)-1].line, i)) {
				return token{}, errOffer
			}
			p = append(p, fl)
			last = &p[len(p)-1]
		}
		t.trip = append(t.trip, p)
	}
	return t, nil
}
