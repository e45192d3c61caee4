package book

import (
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/world"
)

// What a booking is held against.
const (
	AShip    = "ship"
	ARequest = "request"
)

// Against says what a plan is: what was requested, or where the ship is.
func Against(p gangway.Plan) string {
	if p.Side == "" {
		return ARequest
	}
	return AShip
}

// Misfit says in what a booking is not what is planned; nothing when it is.
func Misfit(f gangway.Fit, plan string) string {
	switch {
	case f.Unneeded == gangway.LeftOut:
		return "removed from this crew change"
	case f.Unneeded == gangway.NotListed:
		return "not in this crew change"
	case f.Unneeded == gangway.TakenBack && plan == ARequest:
		return "the travel request was taken back"
	case f.Unneeded == gangway.TakenBack:
		return "the crew change was taken back"
	case f.OK():
		return ""
	case f.Elsewhere():
		return bookedWords(f) + ", " + plannedWords(f, plan)
	case onlyTheHour(f) && f.Leaves:
		return "leaves " + f.At.Format("15:04") + ", free to leave from " + f.Due.Format("15:04")
	case onlyTheHour(f):
		return "arrives " + f.At.Format("15:04") + ", due " + f.Due.Format("15:04")
	}
	return bookedWords(f) + " → " + plannedWords(f, plan)
}

// standings are the words for how somebody stands, wherever it is said in few.
var standings = map[gangway.Standing]string{
	gangway.UnderWay: "under way", gangway.Arrived: "arrived", gangway.NoLongerTravelling: "removed",
	gangway.AirlineChanged: "schedule change", gangway.Changing: "change to confirm", gangway.WrongPlace: "wrong place",
	gangway.TooLate: "too late", gangway.LeavesBeforeShip: "leaves before ship", gangway.NotBooked: "not booked",
	gangway.BookedElsewhere: "booked elsewhere", gangway.TooEarly: "too early", gangway.WaitsTooLong: "waits too long",
	gangway.NameChanged: "name changed", gangway.JustInTime: "just in time", gangway.Fits: "fits",
	gangway.BookedTwice: "booked twice", gangway.NewInPlan: "new",
}

// AskedWords are for whom nobody can be judged before the question is answered.
const AskedWords = "did the ship move?"

// StandingWord is the word for a standing.
func StandingWord(s gangway.Standing) string { return standings[s] }

// StandingWords says in few words how somebody stands, with what is beside it: "wrong place · 3 nights".
func StandingWords(j gangway.Judgement) string {
	var list []string
	for _, s := range append([]gangway.Standing{j.Standing}, j.Also...) {
		waits := s == gangway.TooEarly || s == gangway.WaitsTooLong
		mistimed := waits || s == gangway.TooLate || s == gangway.LeavesBeforeShip
		switch {
		case s == gangway.Fits && len(j.Also) > 0:
			continue
		case j.Standing == gangway.Changing && (mistimed || s == gangway.WrongPlace): // the flights that are to go
			continue
		case mistimed && j.Holds(gangway.WrongPlace): // which is enough
		case s == gangway.NoLongerTravelling && j.Fit.Unneeded == gangway.TakenBack && j.Booking.Purpose.Change == "":
			list = append(list, "request withdrawn")
		case s == gangway.NoLongerTravelling && j.Fit.Unneeded == gangway.TakenBack:
			list = append(list, "crew change withdrawn")
		default:
			list = append(list, standings[s])
		}
		switch {
		case waits && j.Nights == 1:
			list = append(list, "1 night")
		case waits && j.Nights > 1:
			list = append(list, strconv.Itoa(j.Nights)+" nights")
		case s == gangway.UnderWay:
			route, lands := j.Booking.Itinerary.Route(), j.Booking.Itinerary.Arrival()
			list = append(list, "lands "+string(route[len(route)-1])+" "+lands.Format("Mon 15:04"))
		}
	}
	return strings.Join(list, " · ")
}

// onlyTheHour reports whether the day is right. An hour that ends the day before is told by that day.
func onlyTheHour(f gangway.Fit) bool {
	midnight := f.Due.Hour() == 0 && f.Due.Minute() == 0
	return f.Place == "" && !midnight && !f.Due.IsZero() && gangway.DateOf(f.At) == gangway.DateOf(f.Due)
}

// Off says in few words that a booking is not what is planned, for a badge or a count. Another place on the planned day
// may be meant.
func Off(f gangway.Fit) string {
	if f.Elsewhere() {
		return OtherAirport
	}
	return OldPlan
}

// What Off says.
const OtherAirport, OldPlan = "booked for another airport", "booked for the old plan"

// bookedWords says where and when the booking has the traveller arrive or leave.
// The day includes the way by road, so it may not be the one of landing.
func bookedWords(f gangway.Fit) string {
	switch {
	case f.Elsewhere() && f.From:
		return "starts at " + string(f.Airport)
	case f.Elsewhere():
		return "ends at " + string(f.Airport)
	case f.Place != "":
		return string(f.Airport) + " " + shortDay(f.Date)
	case f.Leaves:
		return "leaves " + shortDay(f.Date)
	}
	return "arrives " + shortDay(f.Date)
}

// plannedWords says where and when the plan has the traveller.
func plannedWords(f gangway.Fit, plan string) string {
	words := "ship"
	switch {
	case plan == ARequest && f.From:
		words = "requested from"
	case plan == ARequest:
		words = "requested"
	case f.Place != "":
		words = "ship at"
	}
	if f.Place != "" {
		words += " " + strings.TrimPrefix(ShortPlace(f.Place), thePort)
	}
	switch {
	case f.Wanted == "":
	case f.Own == "" || plan == ARequest:
		words += " " + shortDay(f.Wanted)
	case f.Place != "":
		words += ", " + ownDayWords(f)
	default:
		words = ownDayWords(f)
	}
	return words
}

// ownDayWords says by when or from when somebody is wanted whose day is another
// than the ship's. Who arrives days before it is not told "by", nor who leaves
// days after it "from": that they would be.
func ownDayWords(f gangway.Fit) string {
	switch day := shortDay(f.Wanted); {
	case f.Leaves && f.Date < f.Wanted:
		return "free to leave from " + day
	case f.Leaves:
		return "to leave " + day
	case f.Date > f.Wanted:
		return "wanted by " + day
	default:
		return "wanted " + day
	}
}

// WantedWords says on which day of their own, another than the ship's, somebody
// is wanted at the ship or leaves it.
func WantedWords(side gangway.Side, date gangway.Date) string {
	if side == gangway.OffSigner {
		return "to leave from " + dayInWords(date) + " on"
	}
	return "wanted there by " + dayInWords(date)
}

func dayInWords(d gangway.Date) string { return d.In(time.UTC).Format("Mon 2 Jan") }

// shortDay is for rows, where both days are close to each other.
func shortDay(d gangway.Date) string { return d.In(time.UTC).Format("2 Jan") }

// thePort begins the name of a port in a sentence.
const thePort = "the port of "

// ShortPlace names a place in few letters: an airport by its code, a port by its name.
func ShortPlace(place gangway.Place) string {
	p, ok := world.PlaceOf(string(place))
	if len(place) == 3 || !ok {
		return string(place)
	}
	name := p.Name
	if end := strings.IndexAny(name, "(/,"); end > 0 {
		name = strings.TrimSpace(name[:end]) // what explains it
	}
	return thePort + name
}
