package doctor

import (
	"slices"
	"strings"
)

// A named check is one that can be made, by its identifier within a part.
type named struct{ id, title string }

// checksOf are the checks of each part behind whether it answers, in the order in which they are told.
var checksOf = map[string][]named{
	"b1": common([]named{{"nothing", "A surname that nobody has"}, {"case", "Capitals and small letters"},
		{"unicode", "Letters beyond ASCII in the surname"}, {"apostrophe", "An apostrophe in the surname"},
		{"blank", "A surname of several words"}, {"percent", "A surname with %, & and +"}, askedOnly}),
	"b2": common(nil),
	"b3": common([]named{{"one-day", "A period of one day has both its ends"},
		{"nothing", "A period without travel requests"}, askedOnly}),
	"b4": common([]named{{"nothing", "A day without crew changes"}, askedOnly}),
	"b5": {{"twice", "The same push once more is no trouble"}, {"forged", "A wrong signature is refused"},
		{"old", "What is more than five minutes old is refused"}, noCredentials, wrongCredentials, inTime},
}

var (
	askedOnly        = named{"asked-only", "It answers with what was asked"}
	noCredentials    = named{"no-credentials", "Without credentials it refuses"}
	wrongCredentials = named{"wrong-credentials", "With wrong credentials it refuses"}
	inTime           = named{"time", "It answers in time"}
)

// common are the checks of every flow whose answers are read, around those of its own.
func common(own []named) []named {
	return slices.Concat([]named{{"format", "The answer is what it says it is"},
		{"fields", "Every field can be read"}, {"complete", "Nothing is missing"},
		{"identity", "Records keep their identity"}}, own, []named{noCredentials, wrongCredentials,
		{"steady", "It answers every time"}, inTime})
}

// make makes the check of a part that has this identifier.
func (e *examination) make(part, id string, do func(c *Check)) {
	for _, n := range checksOf[part] {
		if n.id == id {
			e.check(part, id, n.title, do)
		}
	}
}

// leave notes that the checks of a part were not made, all but its answer.
func (e *examination) leave(part string) {
	for _, n := range checksOf[part] {
		e.check(part, n.id, n.title, func(c *Check) { c.because(part+".answer", "") })
	}
}

// because says that a check could not be judged, and which other check tells why. What was
// found before stays.
func (c *Check) because(root, detail string) {
	if c.Verdict == Fine && len(c.Findings) == 0 {
		c.Verdict, c.Because, c.detail = NotTried, root, detail
	}
}

// blame has each fault told once. Where no flow could be asked, the host or its certificate is
// to be mended; where all of them fail alike, the first tells it; and where a flow failed as an
// earlier one did now and then, that one does.
func (e *examination) blame() {
	alike := len(e.flows) > 1
	for _, f := range e.flows {
		alike = alike && f.fault != "" && f.fault == e.flows[0].fault
	}
	for i, f := range e.flows {
		c := e.find(f.part + ".answer")
		if f.fault == "" || c.Verdict != Wrong {
			continue
		}
		root, detail := e.rootOf(f.fault), ""
		if root == "" && alike && i > 0 {
			root, detail = e.flows[0].part+".answer", "it fails in the same way"
		}
		if root != "" {
			c.Verdict, c.Findings = Fine, nil
			c.because(root, detail)
		}
	}
	e.followBlame()
}

// rootOf returns the check of the host, or of an earlier flow, that tells of a fault; empty: there is none.
func (e *examination) rootOf(fault string) string {
	switch fault {
	case faultNoConnection:
		return "host.connection"
	case faultUntrusted:
		return "tls.certificate"
	}
	return e.unsteady[fault]
}

// followBlame names the root in each check that another one stands in the way of, in a sentence.
func (e *examination) followBlame() {
	for i := range e.report.Checks {
		c := &e.report.Checks[i]
		if c.Because == "" {
			continue
		}
		for range len(e.report.Checks) {
			root := e.find(c.Because)
			if root == nil || root.Because == "" {
				break
			}
			c.Because = root.Because
		}
		words := "Because of " + c.Because
		if c.detail != "" {
			words += ": " + strings.TrimSuffix(c.detail, ".")
		}
		c.Findings = []Finding{{Message: words + "."}}
	}
}

func (e *examination) find(id string) *Check {
	for i := range e.report.Checks {
		if e.report.Checks[i].ID == id {
			return &e.report.Checks[i]
		}
	}
	return nil
}

// A flow is a part of the interface that was examined, and the fault of its first answer; empty: it had none.
type flow struct{ part, fault string }

// The faults of a first answer that are not the flow's.
const (
	faultNoConnection = "no connection"
	faultUntrusted    = "untrusted"
	faultLate         = "late"
)

// faultOf sorts a call that had no answer that could be read: calls of the same sort fail for the same reason.
func (e *examination) faultOf(c *Call) string {
	h := e.hostOf(c)
	switch {
	case c.answered() && (c.Part != "b5" || c.accepted()):
		return ""
	case c.status == 0 && h != nil && h.untrusted != nil && h.certificate == nil:
		return faultUntrusted
	case c.status == 0 && h != nil && !h.connected:
		return faultNoConnection
	case c.timedOut:
		return faultLate
	case c.status >= 300:
		return statusWords(c.status)
	}
	return c.Error
}

// hostOf returns the host that a call went to; nil: it did not come to that.
func (e *examination) hostOf(c *Call) *host {
	if len(c.Requests) == 0 {
		return nil
	}
	name, _ := hostIn(c.Requests[0].Address)
	for i := range e.hosts {
		if e.hosts[i].address == name {
			return &e.hosts[i]
		}
	}
	return nil
}

// overloaded are the statuses with which a system, or what stands before it, says nothing about a question.
var overloaded = []int{408, 429, 502, 503, 504}

// unjudged notes that a check could not be judged, where its call failed for another reason than
// what was asked. It reports whether that is so.
func (s *system) unjudged(c *Check, call *Call) bool {
	switch {
	case call.answered():
		return false
	case call.timedOut:
		c.because(s.part+".time", "asked for "+call.Question+", it had not answered")
	case call.status == 0 || slices.Contains(overloaded, call.status):
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

// steady checks that the same system answers all questions, not only the first ones.
func (s *system) steady() {
	s.make(s.part, "steady", func(c *Check) {
		failed := map[string][]*Call{}
		var order []string
		for _, call := range s.calls {
			if call.unwelcome || call.answered() || call.timedOut {
				continue
			}
			if call.status != 0 && !slices.Contains(overloaded, call.status) {
				continue
			}
			if failed[call.Error] == nil {
				order = append(order, call.Error)
			}
			failed[call.Error] = append(failed[call.Error], call)
			s.unsteady[s.faultOf(call)] = s.part + ".steady"
		}
		for _, why := range order {
			calls := failed[why]
			c.see(calls...)
			c.say(Wrong, "%d of %s were of no use, the first when asked for %s: %s People who book ask about as "+
				"often as this check does.", len(calls), plural(len(s.calls), "answer"), calls[0].Question, why)
		}
	})
}
