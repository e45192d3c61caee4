package doctor

import (
	"fmt"
	"strings"
	"time"

	"gangway/internal/gangway"
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

// seek asks for what is likely to be there, until something is, and returns the call that
// most is said about. An error may mean that there is nothing, whatever the contract says of
// that: it is asked on then.
func (s *system) seek() *Call {
	var best *Call
	for _, ask := range s.likely() {
		c := s.askFor(ask)
		if c.answered() && c.facts.total == 0 && len(c.refusals) > 0 {
			c.Error = fmt.Sprintf("It answered with %s, and none can be read. %s", plural(c.Refused, "record"),
				c.refusals[0].Message)
		}
		if c.mayMeanNothing() {
			s.absent = append(s.absent, c)
		}
		if best == nil || c.answered() || !c.mayMeanNothing() {
			best = c
		}
		if c.answered() && (c.facts.found() > 0 || s.named()) || !c.answered() && !c.mayMeanNothing() ||
			s.ctx.Err() != nil {
			break
		}
	}
	if best.answered() && best.facts.total > 0 && best.facts.found() == 0 {
		best.Error = fmt.Sprintf("It answered with status %d, and with nothing that is a record of this flow. If that "+
			"is a message about an error, give it a status of 400 or more; if it is a list without anything in it, %s",
			best.status, s.howToFind())
	}
	return best
}

// mayMeanNothing reports whether the call had an error that some systems answer with where there is nothing.
func (c *Call) mayMeanNothing() bool {
	switch c.status {
	case 400, 404, 410, 422, 500:
		return !c.answered() && !c.timedOut
	}
	return false
}

// named reports whether somebody said what of the flow is there.
func (s *system) named() bool {
	given := s.plan.Ask
	switch s.feed.Flow {
	case gangway.TravellerLookupFlow:
		return given.Surname != ""
	case gangway.TravelRequestsFlow:
		return given.From != "" || given.Date != ""
	case gangway.CrewChangesFlow:
		return given.Date != ""
	}
	return false
}

// likely is what the flow is asked for, in this order: first what was named.
func (s *system) likely() (list []gangway.Ask) {
	given, today := s.plan.Ask, gangway.DateOf(s.report.At)
	switch s.feed.Flow {
	case gangway.TravellerLookupFlow:
		if given.Surname != "" {
			list = append(list, gangway.Ask{Surname: given.Surname})
		}
		for _, surname := range surnames {
			list = append(list, gangway.Ask{Surname: surname})
		}
		for _, surname := range surnames { // a system may tell capitals from small letters, which is found then
			list = append(list, gangway.Ask{Surname: strings.ToUpper(surname[:1]) + surname[1:]})
		}
	case gangway.TravelRequestsFlow:
		if given.From != "" {
			list = append(list, gangway.Ask{From: given.From, To: given.To})
		} else if given.Date != "" {
			list = append(list, gangway.Ask{From: given.Date, To: given.Date})
		}
		for week := range weeksAhead {
			list = append(list, gangway.Ask{From: today.AddDays(7 * week), To: today.AddDays(7*week + 6)})
		}
	case gangway.CrewChangesFlow:
		if given.Date != "" {
			list = append(list, gangway.Ask{Date: given.Date})
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
	s.nothingThere(main, gangway.Ask{Surname: "Zzyzxqwv"})
	s.cases(main)
	for _, special := range []struct{ id, surname string }{
		{"unicode", "Ødegå"}, {"apostrophe", "O'Br"}, {"blank", "van den B"}, {"percent", "Sm%69th & S+n"},
	} {
		s.make(s.part, special.id, func(c *Check) {
			call := s.askFor(gangway.Ask{Surname: special.surname})
			c.see(call)
			if !call.answered() && !s.unjudged(c, call) {
				c.say(Wrong, "Asked for %q, as UTF-8 and percent-encoded: %s", special.surname, call.Error)
			}
		})
	}
}

// cases checks that the same people are found however their surname is typed.
func (s *system) cases(main *Call) {
	s.make(s.part, "case", func(c *Check) {
		if len(main.facts.surnames) == 0 {
			c.because(s.part+".answer", "nobody was found whose surname could be typed")
			return
		}
		letters := []rune(main.facts.surnames[0])
		begin := string(letters[:min(3, len(letters))])
		small := s.askFor(gangway.Ask{Surname: strings.ToLower(begin)})
		large := s.askFor(gangway.Ask{Surname: strings.ToUpper(begin)})
		c.see(small, large)
		found := func(call *Call) int {
			if !call.answered() && call.status == s.emptyStatus {
				return 0
			}
			return call.Received
		}
		for _, call := range []*Call{small, large} {
			if !call.answered() && call.status != s.emptyStatus && !s.unjudged(c, call) {
				c.say(Wrong, "Asked for %s: %s", call.Question, call.Error)
			}
		}
		if c.Verdict == Fine && found(small)+found(large) == 0 {
			c.say(Wrong, "It finds nobody for %q, nor for %q, though %s is there: people type either.",
				strings.ToLower(begin), strings.ToUpper(begin), main.facts.surnames[0])
		} else if c.Verdict == Fine && found(small) != found(large) {
			c.say(Warning, "It finds %d for %q and %d for %q: people type either.", found(small),
				strings.ToLower(begin), found(large), strings.ToUpper(begin))
		}
	})
}

// periods checks B3 with a single day, and with a period in which there is nothing.
func (s *system) periods(main *Call) {
	s.make(s.part, "one-day", func(c *Check) {
		of, key := firstDay(main.facts.onDay)
		if of == "" {
			root := s.part + ".answer"
			if main.facts.total > 0 {
				root = s.part + ".fields"
			}
			c.because(root, "no travel request with a date was found")
			return
		}
		call := s.askFor(gangway.Ask{From: of, To: of})
		c.see(main, call)
		switch {
		case s.unjudged(c, call):
		case !call.answered() && !call.mayMeanNothing():
			c.say(Wrong, "%s", call.Error)
		case !call.facts.keys[key]:
			id, _, _ := strings.Cut(key, "\x00")
			c.say(Wrong, "Request %s of %s is missing when only that day is asked for (from = to): both days "+
				"belong to the period.", id, of)
		}
	})
	s.nothingThere(main, gangway.Ask{From: longAgo, To: longAgo.AddDays(6)})
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
func (s *system) dates(main *Call) { s.nothingThere(main, gangway.Ask{Date: longAgo}) }

// nothingThere checks the answer where there is nothing: an empty list, and no error. What was
// answered with an error while it was looked for something that is there counts as well.
//
// Spec: B1, B3, B4; decided: docs/choices.md, "The integration doctor".
func (s *system) nothingThere(main *Call, ask gangway.Ask) {
	s.make(s.part, "nothing", func(c *Check) {
		call := s.askFor(ask)
		c.see(call)
		wrong := s.absent
		if call.mayMeanNothing() {
			wrong = append([]*Call{call}, s.absent...)
		}
		switch {
		case len(wrong) > 0:
			s.emptyStatus = wrong[0].status
			c.see(s.absent...)
			c.say(Wrong, "%s", s.errorForNothing(main, wrong))
		case s.unjudged(c, call):
		case !call.answered():
			s.emptyError = call.Error
			c.say(Wrong, "Asked for %s: %s Where there is nothing, answer 200 with an empty list, [].", call.Question,
				call.Error)
		case call.facts.total > 0 && call.facts.found() == 0:
			c.say(Warning, "Asked for %s, it answered with an object, and not with an empty list: that is read as a "+
				"record of which nothing is known. Answer [], or name the list in a feed's mapping, as in .data[].",
				call.Question)
		case call.facts.total > 0 && len(call.facts.passed) == 0:
			c.say(Warning, "Asked for %s, it answered with %s.", call.Question, plural(call.facts.total, "record"))
		}
	})
}

// errorForNothing says that a system has an error where it should have an empty list: for what, and for what not.
func (s *system) errorForNothing(main *Call, wrong []*Call) string {
	of := wrong[0].Question
	if more := len(wrong) - 1; more > 0 {
		of += fmt.Sprintf(" (and for %d more)", more)
	}
	other := "an empty list"
	if main.facts.total > 0 {
		other = plural(main.facts.total, "record")
	}
	return fmt.Sprintf("It answers with %s for %s, though with %s for %s. So this address is right, and the error is "+
		"how it says that there is nothing: answer 200 with an empty list, [], there. An error counts as a failure, "+
		"and after three in a row the system is left alone for half a minute.", statusWords(wrong[0].status), of, other,
		main.Question)
}

func statusWords(status int) string { return fmt.Sprintf("status %d", status) }
