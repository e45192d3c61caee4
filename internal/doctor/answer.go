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

// examine makes all checks of one flow.
func (s *system) examine() {
	s.main = s.seek()
	s.check(s.part, step{"answer", s.title, s.answers})
	s.parts = append(s.parts, part{s.part, s.faultOf(s.main)})
	if !s.main.answered() {
		s.leave(s.part, s.steps())
		return
	}
	s.check(s.part, s.steps()...)
}

// answers checks that there is an answer that can be read.
func (s *system) answers(c *Check) {
	main := s.main
	c.see(main)
	switch {
	case !main.answered():
		c.say(Wrong, "%s%s", main.Error, s.advice())
	case main.facts.total == 0:
		c.say(Warning, "It answers, but nothing was found to check its fields with: %s", s.help)
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
}

// advice is what to do about a flow that nothing was learnt from, besides its error.
func (s *system) advice() string {
	if n := len(s.absent); n > 1 && s.main.mayMeanNothing() {
		return fmt.Sprintf(" It answered so to all %d questions. Either its address or what it expects in the query "+
			"is another, or this is how it says that there is nothing: answer 200 with an empty list, [], there, "+
			"and %s", n, s.help)
	}
	if shown, err := s.puller(noneAtAll); s.main.status == 401 && err == nil && shown == nil {
		return " Give those that it wants to be shown (--auth-file)."
	}
	return ""
}

// readable checks that the answer is what its header says.
func (s *system) readable(c *Check) {
	c.see(s.main)
	if len(s.main.Requests) == 0 || s.main.Requests[0].Bytes == 0 {
		c.because(s.part+".answer", "the answer has no body")
		return
	}
	x := s.main.Requests[0]
	shown := first(x.Header["Content-Type"])
	if s.main.Format != "" {
		c.say(Fine, "It was read as %s.", s.main.Format)
	}
	kind, parameters, err := mime.ParseMediaType(x.declared)
	switch {
	case x.declared == "":
		c.say(Warning, "It has no Content-Type: send one, such as application/json.")
	case err != nil:
		c.say(Warning, "Its Content-Type, %s, cannot be read.", shown)
	case !fits(kind, s.main.Format):
		c.say(Warning, "Its Content-Type is %s, but it is %s: what it is decides here, but other programs go by the "+
			"header.", shown, s.main.Format)
	}
	for _, r := range s.main.warnings {
		guessed := r.Field == gangway.EncodingField
		switch {
		case !r.Whole || ofMapping(r):
		case guessed && parameters["charset"] == "":
			c.remark(Warning, r, "")
		case guessed:
			c.remark(Wrong, r, fmt.Sprintf(" The Content-Type, %s, names another charset.", shown))
		default:
			c.remark(Wrong, r, "")
		}
	}
	if packed := first(x.Header["Content-Encoding"]); packed != "" {
		c.say(Fine, "It came packed (%s), and was unpacked.", packed)
	}
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

// sameAsEarlier begins the sentence about a record that came twice, which is about identities.
const sameAsEarlier = "This record is the same as an earlier one"

// fields checks each value, as Gangway does when it takes records in.
func (s *system) fields(c *Check) {
	for _, r := range s.main.refusals {
		if !strings.HasPrefix(r.Message, sameAsEarlier) {
			c.remark(Wrong, r, "")
		}
	}
	for _, r := range s.main.warnings {
		switch {
		case !r.Whole:
			c.remark(Wrong, r, " It is left out, and has to be typed by hand.")
		case ofMapping(r):
			c.remark(Warning, r, "")
		}
	}
	for _, r := range s.main.facts.remarks {
		c.remark(Warning, r, "")
	}
	for _, field := range slices.Sorted(maps.Keys(s.main.facts.foreign)) {
		c.remark(Warning, s.main.facts.foreign[field].notAsWritten(), "")
	}
}

// complete checks that what the interface requires is there.
func (s *system) complete(c *Check) {
	s.sayMissing(c, false, "people have to type it for each booking.")
}

// identities checks that records can be told apart, and are the same when asked again.
func (s *system) identities(c *Check) {
	main := s.main.facts
	again := s.askShowing(s.pullers[rightOnes], s.main.Question+", once more", main.ask)
	c.see(again)
	for _, what := range main.twice {
		c.say(Wrong, "The identity of %s is there more than once: only the first is taken.", what)
	}
	s.sayMissing(c, true, "bookings for a traveller without an id come back without one.")
	if s.unjudged(c, again) {
		return
	}
	if !again.answered() {
		c.say(Wrong, "The second time it did not answer: %s", again.Error)
		return
	}
	gone := 0
	for key := range main.keys {
		if !again.facts.keys[key] {
			gone++
		}
	}
	if gone > 0 {
		c.say(Wrong, "Asked twice, %d of %d had another identity the second time (id, passport or requestId): each "+
			"answer would be taken for new records.", gone, len(main.keys))
	}
}

// sayMissing names the fields that records lack: the identifiers of people, or all others.
func (s *system) sayMissing(c *Check, ids bool, then string) {
	for _, name := range slices.Sorted(maps.Keys(s.main.facts.missing)) {
		if isID := name == "id" || strings.HasSuffix(name, ".id"); isID != ids {
			continue
		}
		l := s.main.facts.missing[name]
		r := l.first
		r.Message, r.Value = fmt.Sprintf("It is missing %s: %s", l.words(), then), ""
		c.remark(Warning, r, "")
	}
}

// onlyAsked checks that answers have nothing else in them.
func (s *system) onlyAsked(c *Check) {
	n := 0
	var example string
	for _, call := range s.calls {
		if passed := call.facts.passed; len(passed) > 0 {
			if n == 0 {
				c.see(call)
				example = fmt.Sprintf("asked for %s, it told of %s", call.Question, passed[0])
			}
			n += len(passed)
		}
	}
	if n > 0 {
		c.say(Warning, "%s passed over, because nobody asked for them: %s. Filter at your side, so that answers "+
			"stay short.", plural(n, "record was", "records were"), example)
	}
}

// steady checks that the same system answers all questions, not only the first ones.
func (s *system) steady(c *Check) {
	failed := map[string][]*Call{}
	var order []string
	for _, call := range s.calls {
		if call.unwelcome || call.answered() || call.timedOut || !call.noAnswer() {
			continue
		}
		if failed[call.Error] == nil {
			order = append(order, call.Error)
		}
		failed[call.Error] = append(failed[call.Error], call)
		s.unsteady[s.faultOf(call)] = s.part + ".steady"
	}
	for _, why := range order {
		c.see(failed[why]...)
		c.say(Wrong, "%d of %s were of no use, the first when asked for %s: %s People who book ask about as often as "+
			"this check does.", len(failed[why]), plural(len(s.calls), "answer"), failed[why][0].Question, why)
	}
}

// inTime checks how long the answers took. What had no answer took no time that says anything.
func (s *system) inTime(c *Check) {
	var took []time.Duration
	var late []*Call
	for _, call := range s.calls {
		if call.unwelcome || call.noAnswer() && !call.timedOut {
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
	answers, half, most := plural(len(took), "answer"), took[len(took)/2], took[len(took)-1]
	switch {
	case len(late) > 0:
		c.see(late...)
		c.say(Wrong, "%d of %s had not come to the end within %s, the first when asked for %s: nobody waits any "+
			"longer.", len(late), answers, rounded(s.limit), late[0].Question)
	case s.limit == liveLimit && most > closeToLive:
		c.say(Warning, "The slowest of %s took %s; %s are the most that anybody waits.", answers, rounded(most),
			rounded(s.limit))
	default:
		c.say(Fine, "%s: half within %s, the slowest after %s.", answers, rounded(half), rounded(most))
	}
}

// rounded is a duration for reading: "40 ms", "2.1 s".
func rounded(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", max(d.Milliseconds(), 1))
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0") + " s"
}

func first(list []string) string { return strings.Join(list[:min(1, len(list))], "") }

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
	{"Destination", "3 letters of IATA"}, {"", "YYYY-MM-DD"},
}

// notAsWritten says of values that they are taken, though the interface has them otherwise.
func (l lack) notAsWritten() gangway.FeedRemark {
	r, also := l.first, ""
	i := slices.IndexFunc(written, func(w struct{ field, as string }) bool {
		return strings.HasSuffix(r.Field, w.field)
	})
	if l.n > 1 {
		also = fmt.Sprintf(" %d values of this field are so.", l.n)
	}
	r.Message = fmt.Sprintf("It is not written as the interface has it, %s. It is taken all the same, and %s.%s",
		written[i].as, r.Message, also)
	return r
}

// words says how often something is missing, and whose record is the first without it.
func (l lack) words() string {
	whose := l.first.Value
	switch {
	case l.n == 1 && whose == "":
		return "once"
	case l.n == 1:
		return "once, in the record of " + whose
	case whose == "":
		return fmt.Sprintf("%d times", l.n)
	}
	return fmt.Sprintf("%d times, for the first time in the record of %s", l.n, whose)
}
