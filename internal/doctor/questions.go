package doctor

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// An interfaceFlow is what the interface says of a flow, and how a person helps to find something that is there.
type interfaceFlow struct{ part, path, title, help string }

// Spec: B. Hosted by the customer, called by the service.
var flows = map[gangway.Flow]interfaceFlow{
	gangway.TravellerLookupFlow: {"b1", "/api/suggest_traveller", "B1 travellers by surname: it answers",
		"name a surname that is there (--surname)."},
	gangway.TravellersFlow: {"b2", "", "B2 all travellers: it answers", "its list is empty."},
	gangway.TravelRequestsFlow: {"b3", "/api/travel_request", "B3 travel requests: it answers",
		"name a period with travel requests (--from, --to)."},
	gangway.CrewChangesFlow: {"b4", "/api/crew_change", "B4 crew changes: it answers",
		"name a day with crew changes (--date)."},
	PushFlow: {"b5", "/api/sync_flights", "B5 bookings: it accepts a booking", ""},
}

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
	named, likely := s.likely()
	for _, ask := range likely {
		c := s.ask(ask)
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
		if c.answered() && (c.facts.found() > 0 || named) || !c.answered() && !c.mayMeanNothing() ||
			s.ctx.Err() != nil {
			break
		}
	}
	if best.answered() && best.facts.total > 0 && best.facts.found() == 0 {
		best.Error = fmt.Sprintf("It answered with status %d, and with nothing that is a record of this flow. If that "+
			"is a message about an error, give it a status of 400 or more; if it is a list without anything in it, %s",
			best.status, s.help)
	}
	return best
}

// likely is what the flow is asked for, in this order: first what somebody named.
func (s *system) likely() (named bool, list []gangway.Ask) {
	given, today := s.plan.Ask, gangway.DateOf(s.report.At)
	var first gangway.Ask
	switch s.feed.Flow {
	case gangway.TravellerLookupFlow:
		first.Surname = given.Surname
		for _, surname := range surnames {
			list = append(list, gangway.Ask{Surname: surname})
		}
		for _, surname := range surnames { // a system may tell capitals from small letters, which is found then
			list = append(list, gangway.Ask{Surname: strings.ToUpper(surname[:1]) + surname[1:]})
		}
	case gangway.TravelRequestsFlow:
		if first.From, first.To = given.From, given.To; given.From == "" {
			first.From, first.To = given.Date, given.Date
		}
		for week := range weeksAhead {
			list = append(list, gangway.Ask{From: today.AddDays(7 * week), To: today.AddDays(7*week + 6)})
		}
	case gangway.CrewChangesFlow:
		first.Date = given.Date
		for day := range daysAhead {
			list = append(list, gangway.Ask{Date: today.AddDays(day)})
		}
	default:
		return false, []gangway.Ask{{}}
	}
	if named = first != (gangway.Ask{}); named {
		list = slices.Insert(list, 0, first)
	}
	return named, list
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

// steps are the checks of the flow behind whether it answers, in the order in which they are told.
func (s *system) steps() []step {
	list := []step{{"format", "The answer is what it says it is", s.readable},
		{"fields", "Every field can be read", s.withRecords(s.fields)},
		{"complete", "Nothing is missing", s.withRecords(s.complete)},
		{"identity", "Records keep their identity", s.withRecords(s.identities)}}
	askedOnly := step{"asked-only", "It answers with what was asked", s.onlyAsked}
	nothing := func(title string, ask gangway.Ask) step {
		return step{"nothing", title, func(c *Check) { s.nothingThere(c, ask) }}
	}
	switch s.feed.Flow {
	case gangway.TravellerLookupFlow:
		list = append(list, nothing("A surname that nobody has", gangway.Ask{Surname: "Zzyzxqwv"}),
			step{"case", "Capitals and small letters", s.cases},
			step{"unicode", "Letters beyond ASCII in the surname", s.asTyped("Ødegå")},
			step{"apostrophe", "An apostrophe in the surname", s.asTyped("O'Br")},
			step{"blank", "A surname of several words", s.asTyped("van den B")},
			step{"percent", "A surname with %, & and +", s.asTyped("Sm%69th & S+n")}, askedOnly)
	case gangway.TravelRequestsFlow:
		list = append(list, step{"one-day", "A period of one day has both its ends", s.oneDay},
			nothing("A period without travel requests", gangway.Ask{From: longAgo, To: longAgo.AddDays(6)}), askedOnly)
	case gangway.CrewChangesFlow:
		list = append(list, nothing("A day without crew changes", gangway.Ask{Date: longAgo}), askedOnly)
	}
	return append(list, step{noCredentials, "Without credentials it refuses", s.refuses(noneAtAll)},
		step{wrongCredentials, "With wrong credentials it refuses", s.refuses(wrongOnes)},
		step{"steady", "It answers every time", s.steady}, step{"time", "It answers in time", s.inTime})
}

const (
	noCredentials    = "no-credentials"
	wrongCredentials = "wrong-credentials"
)

// withRecords returns a check that rests on the records of the first answer.
func (s *system) withRecords(do func(*Check)) func(*Check) {
	return func(c *Check) {
		if s.main.facts.total == 0 {
			c.because(s.part+".answer", "there was no record")
			return
		}
		c.see(s.main)
		do(c)
	}
}

// asTyped checks B1 with a surname as people type them.
func (s *system) asTyped(surname string) func(*Check) {
	return func(c *Check) {
		call := s.ask(gangway.Ask{Surname: surname})
		c.see(call)
		if !call.answered() && !s.unjudged(c, call) {
			c.say(Wrong, "Asked for %q, as UTF-8 and percent-encoded: %s", surname, call.Error)
		}
	}
}

// cases checks that the same people are found however their surname is typed.
func (s *system) cases(c *Check) {
	if len(s.main.facts.surnames) == 0 {
		c.because(s.part+".answer", "nobody was found whose surname could be typed")
		return
	}
	letters := []rune(s.main.facts.surnames[0])
	begin := string(letters[:min(3, len(letters))])
	lower, upper := strings.ToLower(begin), strings.ToUpper(begin)
	found := map[string]int{}
	for _, surname := range []string{lower, upper} {
		call := s.ask(gangway.Ask{Surname: surname})
		c.see(call)
		if call.answered() {
			found[surname] = call.Received
		} else if call.status != s.emptyStatus && !s.unjudged(c, call) {
			c.say(Wrong, "Asked for %s: %s", call.Question, call.Error)
		}
	}
	switch {
	case c.Verdict != Fine:
	case found[lower]+found[upper] == 0:
		c.say(Wrong, "It finds nobody for %q, nor for %q, though %s is there: people type either.", lower, upper,
			s.main.facts.surnames[0])
	case found[lower] != found[upper]:
		c.say(Warning, "It finds %d for %q and %d for %q: people type either.", found[lower], lower, found[upper],
			upper)
	}
}

// oneDay checks B3 with a single day.
func (s *system) oneDay(c *Check) {
	var of gangway.Date
	for d := range s.main.facts.onDay {
		if of == "" || d < of {
			of = d
		}
	}
	if of == "" {
		root := s.part + ".answer"
		if s.main.facts.total > 0 {
			root = s.part + ".fields"
		}
		c.because(root, "no travel request with a date was found")
		return
	}
	call, key := s.ask(gangway.Ask{From: of, To: of}), s.main.facts.onDay[of]
	c.see(s.main, call)
	switch {
	case s.unjudged(c, call):
	case !call.answered() && !call.mayMeanNothing():
		c.say(Wrong, "%s", call.Error)
	case !call.facts.keys[key]:
		id, _, _ := strings.Cut(key, "\x00")
		c.say(Wrong, "Request %s of %s is missing when only that day is asked for (from = to): both days belong to "+
			"the period.", id, of)
	}
}

// nothingThere checks the answer where there is nothing: an empty list, and no error. What was
// answered with an error while it was looked for something that is there counts as well.
//
// Spec: B1, B3, B4; decided: docs/choices.md, "The integration doctor".
func (s *system) nothingThere(c *Check, ask gangway.Ask) {
	call, wrong := s.ask(ask), s.absent
	c.see(call)
	if call.mayMeanNothing() {
		wrong = slices.Insert(slices.Clone(wrong), 0, call)
	}
	switch f := call.facts; {
	case len(wrong) > 0:
		s.emptyStatus = wrong[0].status
		c.see(s.absent...)
		s.sayErrorForNothing(c, wrong)
	case s.unjudged(c, call):
	case !call.answered():
		s.emptyError = call.Error
		c.say(Wrong, "Asked for %s: %s Where there is nothing, answer 200 with an empty list, [].", call.Question,
			call.Error)
	case f.total > 0 && f.found() == 0:
		c.say(Warning, "Asked for %s, it answered with an object, and not with an empty list: that is read as a "+
			"record of which nothing is known. Answer [], or name the list in a feed's mapping, as in .data[].",
			call.Question)
	case f.total > 0 && len(f.passed) == 0:
		c.say(Warning, "Asked for %s, it answered with %s.", call.Question, plural(f.total, "record"))
	}
}

// sayErrorForNothing says that a system has an error where it should have an empty list: for what, and for what not.
func (s *system) sayErrorForNothing(c *Check, wrong []*Call) {
	of, other := wrong[0].Question, "an empty list"
	if more := len(wrong) - 1; more > 0 {
		of += fmt.Sprintf(" (and for %d more)", more)
	}
	if s.main.facts.total > 0 {
		other = plural(s.main.facts.total, "record")
	}
	c.say(Wrong, "It answers with %s for %s, though with %s for %s. So this address is right, and the error is how it "+
		"says that there is nothing: answer 200 with an empty list, [], there. An error counts as a failure, and "+
		"after three in a row the system is left alone for half a minute.", statusWords(wrong[0].status), of, other,
		s.main.Question)
}

// unjudged notes that a check could not be judged, where its call failed for another reason than
// what was asked. It reports whether that is so.
func (s *system) unjudged(c *Check, call *Call) bool {
	switch {
	case call.answered():
		return false
	case call.timedOut:
		c.because(s.part+".time", "asked for "+call.Question+", it had not answered")
	case call.noAnswer():
		c.because(s.part+".steady", "asked for "+call.Question+", it gave no answer of its own")
	case s.emptyStatus != 0 && call.status == s.emptyStatus:
		c.because(s.part+".nothing", "it answers with "+statusWords(call.status)+", as it does where there is nothing")
	case call.Error == s.emptyError:
		c.because(s.part+".nothing", "it answers as it does where there is nothing")
	default:
		return false
	}
	return true
}
