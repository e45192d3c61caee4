package doctor

import (
	"fmt"
	"maps"
	"mime"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// titles are what the first checks of the flows are called.
var titles = map[gangway.Flow]string{
	gangway.TravellerLookupFlow: "B1 travellers by surname: it answers",
	gangway.TravellersFlow:      "B2 all travellers: it answers",
	gangway.TravelRequestsFlow:  "B3 travel requests: it answers",
	gangway.CrewChangesFlow:     "B4 crew changes: it answers",
	PushFlow:                    "B5 bookings: it accepts a booking",
}

// examine makes all checks of one flow.
func (s *system) examine() {
	main := s.seek()
	s.answers(main)
	s.flows = append(s.flows, flow{s.part, s.faultOf(main)})
	if !main.answered() {
		s.leave(s.part)
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
		s.dates(main)
	}
	s.onlyAsked()
	s.guarded(main)
	s.steady()
	s.inTime()
}

// answers checks that there is an answer that can be read.
func (s *system) answers(main *Call) {
	s.check(s.part, "answer", titles[s.feed.Flow], func(c *Check) {
		c.see(main)
		switch {
		case !main.answered():
			c.say(Wrong, "%s%s", main.Error, s.advice(main))
		case main.facts.total == 0:
			c.say(Warning, "It answers, but nothing was found to check its fields with: %s", s.howToFind())
		default:
			words := fmt.Sprintf("Asked for %s, it answered with %s", main.Question, plural(main.facts.total, "record"))
			if n := len(main.Requests); n > 1 {
				words += fmt.Sprintf(" on %d pages", n)
			}
			c.say(Fine, "%s.", words)
		}
		if more := main.says.More(main.facts.total); more != "" && !s.feed.Transport.OnePage() {
			c.say(Warning, "%s", more)
		}
	})
}

// advice is what to do about a flow that nothing was learnt from, besides its error.
func (s *system) advice(main *Call) string {
	if n := len(s.absent); n > 1 && main.mayMeanNothing() {
		return fmt.Sprintf(" It answered so to all %d questions. Either its address or what it expects in the query "+
			"is another, or this is how it says that there is nothing: answer 200 with an empty list, [], there, "+
			"and %s", n, s.howToFind())
	}
	if shown, err := s.puller(noneAtAll); main.status == 401 && err == nil && shown == nil {
		return " Give those that it wants to be shown (--auth-file)."
	}
	return ""
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
	s.make(s.part, "format", func(c *Check) {
		c.see(main)
		if len(main.Requests) == 0 || main.Requests[0].Bytes == 0 {
			c.because(s.part+".answer", "the answer has no body")
			return
		}
		header := main.Requests[0].Header
		declared, shown := main.Requests[0].declared, first(header["Content-Type"])
		if main.Format != "" {
			c.say(Fine, "It was read as %s.", main.Format)
		}
		switch kind, _, err := mime.ParseMediaType(declared); {
		case declared == "":
			c.say(Warning, "It has no Content-Type: send one, such as application/json.")
		case err != nil:
			c.say(Warning, "Its Content-Type, %s, cannot be read.", shown)
		case !fits(kind, main.Format):
			c.say(Warning, "Its Content-Type is %s, but it is %s: what it is decides here, but other programs go "+
				"by the "+
				"header.", shown, main.Format)
		}
		for _, r := range main.warnings {
			_, parameters, _ := mime.ParseMediaType(declared)
			switch {
			case !r.Whole || ofMapping(r):
			case r.Field == gangway.EncodingField && parameters["charset"] == "":
				c.remark(Warning, r, "")
			case r.Field == gangway.EncodingField:
				c.remark(Wrong, r, fmt.Sprintf(" The Content-Type, %s, names another charset.", shown))
			default:
				c.remark(Wrong, r, "")
			}
		}
		if packed := first(header["Content-Encoding"]); packed != "" {
			c.say(Fine, "It came packed (%s), and was unpacked.", packed)
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

// ofMapping reports whether a remark on a whole document says what the mapping guessed or did not read. Other remarks
// say that the document is written badly.
func ofMapping(r gangway.FeedRemark) bool {
	return r.SourceField != "" || r.Field != gangway.EncodingField && r.At == ""
}

// fields checks each value, as Gangway does when it takes records in.
func (s *system) fields(main *Call) {
	s.make(s.part, "fields", func(c *Check) {
		c.see(main)
		if main.facts.total == 0 {
			c.because(s.part+".answer", "there was no record")
			return
		}
		for _, r := range main.refusals {
			if !strings.HasPrefix(r.Message, sameAsEarlier) {
				c.remark(Wrong, r, "")
			}
		}
		for _, r := range main.warnings {
			switch {
			case !r.Whole:
				c.remark(Wrong, r, " It is left out, and has to be typed by hand.")
			case ofMapping(r):
				c.remark(Warning, r, "")
			}
		}
		for _, r := range main.facts.remarks {
			c.remark(Warning, r, "")
		}
		for _, field := range slices.Sorted(maps.Keys(main.facts.foreign)) {
			c.remark(Warning, main.facts.foreign[field].notAsWritten(), "")
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
	s.make(s.part, "complete", func(c *Check) {
		c.see(main)
		if main.facts.total == 0 {
			c.because(s.part+".answer", "there was no record")
			return
		}
		for _, name := range slices.Sorted(maps.Keys(main.facts.missing)) {
			l := main.facts.missing[name]
			l.first.Message = fmt.Sprintf("It is missing %s: people have to type it for each booking.", l.words())
			l.first.Value = ""
			c.remark(Warning, l.first, "")
		}
	})
}

// identities checks that records can be told apart, and are the same when asked again.
func (s *system) identities(main *Call) {
	s.make(s.part, "identity", func(c *Check) {
		if main.facts.total == 0 {
			c.because(s.part+".answer", "there was no record")
			return
		}
		again := s.ask(main.Question+", once more", main.facts.ask)
		c.see(main, again)
		for _, what := range main.facts.twice {
			c.say(Wrong, "The identity of %s is there more than once: only the first is taken.", what)
		}
		if l := main.facts.nameless; l.n > 0 {
			l.first.Message = fmt.Sprintf("It is missing %s: bookings for a traveller without an id come back "+
				"without one.", l.words())
			l.first.Value = ""
			c.remark(Warning, l.first, "")
		}
		if s.unjudged(c, again) {
			return
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
	s.make(s.part, "asked-only", func(c *Check) {
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

// inTime checks how long the answers took. What had no answer took no time that says anything.
func (s *system) inTime() {
	s.make(s.part, "time", func(c *Check) {
		var took []time.Duration
		var late []*Call
		for _, call := range s.calls {
			if call.unwelcome || call.status == 0 && !call.timedOut || slices.Contains(overloaded, call.status) {
				continue
			}
			took = append(took, call.took)
			if call.timedOut {
				late = append(late, call)
			}
		}
		if len(took) == 0 {
			c.because(s.part+".answer", "there was no answer to time")
			return
		}
		slices.Sort(took)
		half, most := took[len(took)/2], took[len(took)-1]
		switch {
		case len(late) > 0:
			c.see(late...)
			c.say(Wrong, "%d of %s had not come to the end within %s, the first when asked for %s: nobody waits any "+
				"longer.", len(late), plural(len(took), "answer"), rounded(s.limit), late[0].Question)
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

// written are how the interface writes values, by the ends of their fields' names.
var written = []struct{ field, as string }{
	{"Gender", "M or F"}, {"Nationality", "2 letters of ISO 3166"}, {"Country", "2 letters of ISO 3166"},
	{"Flag", "2 letters of ISO 3166"}, {"Airport", "3 letters of IATA"}, {"Origin", "3 letters of IATA"},
	{"Destination", "3 letters of IATA"},
}

// notAsWritten says of values that they are taken, though the interface has them otherwise.
func (l lack) notAsWritten() gangway.FeedRemark {
	r, as := l.first, "YYYY-MM-DD"
	for _, w := range written {
		if strings.HasSuffix(r.Field, w.field) {
			as = w.as
		}
	}
	also := ""
	if l.n > 1 {
		also = fmt.Sprintf(" %d values of this field are so.", l.n)
	}
	r.Message = fmt.Sprintf("It is not written as the interface has it, %s. It is taken all the same, and %s.%s",
		as, r.Message, also)
	return r
}

// words says how often something is missing, and whose record is the first without it.
func (l lack) words() string {
	whose := ""
	if l.first.Value != "" {
		whose = ", in the record of " + l.first.Value
	}
	if l.n == 1 {
		return "once" + whose
	}
	if whose != "" {
		whose = ", for the first time" + whose[1:]
	}
	return fmt.Sprintf("%d times%s", l.n, whose)
}
