package doctor

import (
	"fmt"
	"strings"
	"time"

	"gangway"
)

// Where nobody says what is there, it is looked for: common beginnings of surnames, and the
// weeks and days ahead. A system in use has something among them.
var surnames = []string{"sa", "ma", "an", "de", "ka", "re", "ba", "ko"}

const (
	weeksAhead = 6
	daysAhead  = 15
)

// longAgo is a day on which no crew was planned that anybody still has.
const longAgo gangway.Date = "1970-01-05"

// find asks for what is likely to be there, until something is. The last call is the
// one that most is said about.
func (s *system) find() *Call {
	var c *Call
	for _, ask := range s.likely() {
		c = s.askFor(ask)
		if !c.answered() || c.facts.total > 0 || s.ctx.Err() != nil {
			break
		}
	}
	return c
}

// likely is what the flow is asked for, in this order.
func (s *system) likely() (list []gangway.Ask) {
	given, today := s.plan.Ask, gangway.DateOf(s.report.At)
	switch s.feed.Flow {
	case gangway.TravellerLookupFlow:
		if given.Surname != "" {
			return []gangway.Ask{{Surname: given.Surname}}
		}
		for _, surname := range surnames {
			list = append(list, gangway.Ask{Surname: surname})
		}
	case gangway.TravelRequestsFlow:
		if given.From != "" {
			return []gangway.Ask{{From: given.From, To: given.To}}
		}
		if given.Date != "" {
			return []gangway.Ask{{From: given.Date, To: given.Date}}
		}
		for week := range weeksAhead {
			list = append(list, gangway.Ask{From: today.AddDays(7 * week), To: today.AddDays(7*week + 6)})
		}
	case gangway.CrewChangesFlow:
		if given.Date != "" {
			return []gangway.Ask{{Date: given.Date}}
		}
		for day := range daysAhead {
			list = append(list, gangway.Ask{Date: today.AddDays(day)})
		}
	default:
		list = []gangway.Ask{{}}
	}
	return list
}

// words is what is asked for, in words.
func words(ask gangway.Ask) string {
	switch {
	case ask.Surname != "":
		return fmt.Sprintf("surnames that begin with %q", ask.Surname)
	case ask.Date != "":
		return "the crew changes of " + day(ask.Date)
	case ask.From != "" && ask.From == ask.To:
		return "the travel requests of " + day(ask.From)
	case ask.From != "":
		return "the travel requests from " + day(ask.From) + " to " + day(ask.To)
	}
	return "all travellers"
}

func day(d gangway.Date) string {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return string(d)
	}
	return t.Format("2 January 2006")
}

// lookups checks B1 with surnames as people type them.
func (s *system) lookups(main *Call) {
	s.nothingThere(gangway.Ask{Surname: "Zzyzxqwv"}, "A surname that nobody has")
	if len(main.facts.surnames) > 0 {
		s.cases(main)
	}
	for _, special := range []struct{ id, title, surname string }{
		{"unicode", "Letters beyond ASCII in the surname", "Ødegå"},
		{"apostrophe", "An apostrophe in the surname", "O'Br"},
		{"blank", "A surname of several words", "van den B"},
		{"percent", "A surname with %, & and +", "Sm%69th & S+n"},
	} {
		s.check(s.part, special.id, special.title, func(c *Check) {
			call := s.askFor(gangway.Ask{Surname: special.surname})
			c.see(call)
			if !call.answered() {
				c.say(Wrong, "Asked for %q, as UTF-8 and percent-encoded: %s", special.surname, call.Error)
			}
		})
	}
}

// cases checks that the same people are found however their surname is typed.
func (s *system) cases(main *Call) {
	s.check(s.part, "case", "Capitals and small letters", func(c *Check) {
		letters := []rune(main.facts.surnames[0])
		begin := string(letters[:min(3, len(letters))])
		small := s.askFor(gangway.Ask{Surname: strings.ToLower(begin)})
		large := s.askFor(gangway.Ask{Surname: strings.ToUpper(begin)})
		c.see(small, large)
		switch {
		case !small.answered() || !large.answered():
			c.say(Wrong, "%s", strings.TrimSpace(small.Error+" "+large.Error))
		case small.Received != large.Received:
			c.say(Warning, "It finds %d for %q and %d for %q: people type either.", small.Received,
				strings.ToLower(begin), large.Received, strings.ToUpper(begin))
		}
	})
}

// periods checks B3 with a single day, and with a period in which there is nothing.
func (s *system) periods(main *Call) {
	s.check(s.part, "one-day", "A period of one day has both its ends", func(c *Check) {
		of, key := firstDay(main.facts.onDay)
		if of == "" {
			c.skip("No travel request with a date was found.")
			return
		}
		call := s.askFor(gangway.Ask{From: of, To: of})
		c.see(main, call)
		switch {
		case !call.answered():
			c.say(Wrong, "%s", call.Error)
		case !call.facts.keys[key]:
			id, _, _ := strings.Cut(key, "\x00")
			c.say(Wrong, "Request %s of %s is missing when only that day is asked for (from = to): both days "+
				"belong to the "+
				"period.", id, of)
		}
	})
	s.nothingThere(gangway.Ask{From: longAgo, To: longAgo.AddDays(6)}, "A period without travel requests")
}

func firstDay(onDay map[gangway.Date]string) (of gangway.Date, key string) {
	for d, k := range onDay {
		if of == "" || d < of {
			of, key = d, k
		}
	}
	return of, key
}

// dates checks B4 with a day on which no crew changes.
func (s *system) dates() {
	s.nothingThere(gangway.Ask{Date: longAgo}, "A day without crew changes")
}

// nothingThere checks the answer where there is nothing: an empty list, and no error.
func (s *system) nothingThere(ask gangway.Ask, title string) {
	s.check(s.part, "nothing", title, func(c *Check) {
		call := s.askFor(ask)
		c.see(call)
		switch {
		case call.status == 404 || call.status == 410:
			c.say(Wrong, "It answers with status %d where there is nothing: answer 200 with an empty list, []. "+
				"An error "+
				"counts as a failure, and after three in a row the system is left alone for half a "+
				"minute.", call.status)
		case !call.answered():
			c.say(Wrong, "Asked for %s: %s Where there is nothing, answer 200 with an empty list, [].", call.Question,
				call.Error)
		case call.facts.total > 0 && len(call.facts.passed) == 0:
			c.say(Warning, "Asked for %s, it answered with %s.", call.Question, plural(call.facts.total, "record"))
		}
	})
}
