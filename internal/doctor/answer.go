package doctor

import (
	"fmt"
	"maps"
	"mime"
	"slices"
	"strings"
	"time"

	"gangway"
)

// titles are what the checks are called.
var titles = map[gangway.Flow]string{
	"tls":                       "Secure connection",
	gangway.TravellerLookupFlow: "B1 travellers by surname: it answers",
	gangway.TravellersFlow:      "B2 all travellers: it answers",
	gangway.TravelRequestsFlow:  "B3 travel requests: it answers",
	gangway.CrewChangesFlow:     "B4 crew changes: it answers",
	PushFlow:                    "B5 bookings: it accepts a booking",
}

// examine makes all checks of one flow.
func (s *system) examine() {
	main := s.find()
	s.answers(main)
	if !main.answered() {
		s.inTime()
		return
	}
	s.readable(main)
	s.fields(main)
	s.complete(main)
	s.identities(main)
	switch s.feed.Flow {
	case gangway.TravellerLookupFlow:
		s.lookups(main)
	case gangway.TravelRequestsFlow:
		s.periods(main)
	case gangway.CrewChangesFlow:
		s.dates()
	}
	if s.feed.Flow != gangway.TravellersFlow {
		s.onlyAsked()
	}
	s.guarded()
	s.inTime()
}

// answers checks that there is an answer that can be read.
func (s *system) answers(main *Call) {
	s.check(s.part, "answer", titles[s.feed.Flow], func(c *Check) {
		c.see(main)
		switch {
		case !main.answered():
			c.say(Wrong, "%s", main.Error)
			c.say(Wrong, "Nothing else was tried here.")
		case main.facts.total == 0:
			c.say(Warning, "It answers, but nothing was found to check its fields with: %s", s.howToFind())
		default:
			words := fmt.Sprintf("Asked for %s, it answered with %s", main.Question, plural(main.facts.total, "record"))
			if n := len(main.Requests); n > 1 {
				words += fmt.Sprintf(" on %d pages", n)
			}
			c.say(Fine, "%s.", words)
		}
	})
}

func (s *system) howToFind() string {
	switch s.feed.Flow {
	case gangway.TravellerLookupFlow:
		return "name a surname that is there (--surname)."
	case gangway.TravelRequestsFlow:
		return "name a period with travel requests (--from, --to)."
	case gangway.CrewChangesFlow:
		return "name a day with crew changes (--date)."
	}
	return "its list is empty."
}

// readable checks that the answer is what its header says.
func (s *system) readable(main *Call) {
	s.check(s.part, "format", "The answer is what it says it is", func(c *Check) {
		c.see(main)
		if len(main.Requests) == 0 || main.Requests[0].Bytes == 0 {
			c.skip("The answer has no body.")
			return
		}
		header := main.Requests[0].Header
		declared := first(header["Content-Type"])
		if main.Format != "" {
			c.say(Fine, "It was read as %s.", main.Format)
		}
		switch kind, _, err := mime.ParseMediaType(declared); {
		case declared == "":
			c.say(Warning, "It has no Content-Type: send one, such as application/json.")
		case err != nil:
			c.say(Warning, "Its Content-Type, %s, cannot be read.", declared)
		case !fits(kind, main.Format):
			c.say(Warning, "Its Content-Type is %s, but it is %s: what it is decides here, but other programs go "+
				"by the "+
				"header.", kind, main.Format)
		}
		if packed := first(header["Content-Encoding"]); packed != "" {
			c.say(Fine, "It came packed (%s), and was unpacked.", packed)
		}
		for _, r := range main.facts.garbled {
			c.remark(Wrong, r)
		}
	})
}

// fits reports whether a declared type says the format that was found.
func fits(declared, found string) bool {
	kind, _, _ := strings.Cut(found, ",")
	words := map[string][]string{"json": {"json"}, "xml": {"xml"}, "soap": {"xml"},
		"csv":  {"csv", "tab-separated", "plain"},
		"yaml": {"yaml"}, "xlsx": {"sheet", "excel"}, "fixed": {"plain"}, "pairs": {"plain"}}[kind]
	return words == nil || declared == "application/octet-stream" ||
		slices.ContainsFunc(words, func(w string) bool { return strings.Contains(declared, w) })
}

// fields checks each value, as Gangway does when it takes records in.
func (s *system) fields(main *Call) {
	s.check(s.part, "fields", "Every field can be read", func(c *Check) {
		c.see(main)
		if main.facts.total == 0 {
			c.skip("There was no record.")
			return
		}
		for _, r := range main.refusals {
			if !strings.HasPrefix(r.Message, sameAsEarlier) {
				c.remark(Wrong, r)
			}
		}
		for _, r := range main.warnings {
			r.Message += " It is left out, and has to be typed by hand."
			c.remark(Wrong, r)
		}
		for _, r := range main.facts.remarks {
			c.remark(Warning, r)
		}
		for _, name := range slices.Sorted(maps.Keys(main.facts.spelled)) {
			if s.feed.Mapping == "" {
				c.find(Fine, Finding{Message: "It is understood, though the interface calls it " + name + ".",
					SourceField: main.facts.spelled[name]})
			}
		}
	})
}

// sameAsEarlier begins the sentence about a record that came twice, which is about identities.
const sameAsEarlier = "This record is the same as an earlier one"

// complete checks that what the interface requires is there.
func (s *system) complete(main *Call) {
	s.check(s.part, "complete", "Nothing is missing", func(c *Check) {
		c.see(main)
		if main.facts.total == 0 {
			c.skip("There was no record.")
			return
		}
		for _, name := range slices.Sorted(maps.Keys(main.facts.missing)) {
			c.find(Warning, Finding{Field: name, Message: fmt.Sprintf("It is missing %s: people have to type it "+
				"for each "+
				"booking.", times(main.facts.missing[name]))})
		}
	})
}

// identities checks that records can be told apart, and are the same when asked again.
func (s *system) identities(main *Call) {
	s.check(s.part, "identity", "Records keep their identity", func(c *Check) {
		if main.facts.total == 0 {
			c.skip("There was no record.")
			return
		}
		again := s.ask(main.Question+", once more", main.facts.ask)
		c.see(main, again)
		for _, what := range main.facts.twice {
			c.say(Wrong, "The identity of %s is there more than once: only the first is taken.", what)
		}
		if main.facts.nameless > 0 {
			c.say(Warning, "%s without an id: bookings for them come back without one.",
				plural(main.facts.nameless, "traveller is", "travellers are"))
		}
		if !again.answered() {
			c.say(Wrong, "The second time it did not answer: %s", again.Error)
			return
		}
		gone := 0
		for key := range main.facts.keys {
			if !again.facts.keys[key] {
				gone++
			}
		}
		if gone > 0 {
			c.say(Wrong, "Asked twice, %d of %d had another identity the second time (id, passport or "+
				"requestId): each "+
				"answer would be taken for new records.", gone, len(main.facts.keys))
		}
	})
}

// onlyAsked checks that answers have nothing else in them.
func (s *system) onlyAsked() {
	s.check(s.part, "asked-only", "It answers with what was asked", func(c *Check) {
		n := 0
		var example string
		for _, call := range s.calls {
			if len(call.facts.passed) > 0 {
				if n == 0 {
					c.see(call)
					example = fmt.Sprintf("asked for %s, it told of %s", call.Question, call.facts.passed[0])
				}
				n += len(call.facts.passed)
			}
		}
		if n > 0 {
			c.say(Warning, "%s passed over, because nobody asked for them: %s. Filter at your side, so that answers "+
				"stay short.", plural(n, "record was", "records were"), example)
		}
	})
}

// inTime checks how long all answers took.
func (s *system) inTime() {
	s.check(s.part, "time", "It answers in time", func(c *Check) {
		var took []time.Duration
		late := 0
		for _, call := range s.calls {
			took = append(took, call.took)
			if call.timedOut {
				late++
				c.see(call)
			}
		}
		slices.Sort(took)
		half, most := took[len(took)/2], took[len(took)-1]
		switch {
		case late > 0:
			c.say(Wrong, "%d of %s had not come to the end within %s: nobody waits any longer.", late,
				plural(len(took), "answer"), rounded(s.limit))
		case s.limit == liveLimit && most > closeToLive:
			c.say(Warning, "The slowest of %s took %s; %s are the most that anybody waits.",
				plural(len(took), "answer"), rounded(most), rounded(s.limit))
		default:
			c.say(Fine, "%s: half within %s, the slowest after %s.", plural(len(took), "answer"), rounded(half),
				rounded(most))
		}
	})
}

// rounded is a duration for reading: "40 ms", "2.1 s".
func rounded(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", max(d.Milliseconds(), 1))
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0") + " s"
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// plural counts things: "1 record", "3 records"; with two forms, "1 record was", "3 records were".
func plural(n int, words ...string) string {
	if n == 1 {
		return "1 " + words[0]
	}
	return fmt.Sprint(n, " ", append(words, words[0]+"s")[1])
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprint(n, " times")
}
