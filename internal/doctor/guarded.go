package doctor

import (
	"encoding/json"
	"slices"

	"gangway/internal/gangway"
)

// refuses checks that nobody else gets an answer.
//
// Spec: Authentication, B1 to B5.
func (s *system) refuses(show showing) func(*Check) {
	words := map[showing]string{noneAtAll: "without credentials", wrongOnes: "with wrong credentials"}[show]
	return func(c *Check) {
		p, err := s.puller(show)
		if err != nil {
			c.skip("%s", sentence(err))
			return
		}
		if p == nil {
			c.skip("%s", s.whyNot(show))
			return
		}
		call := s.askShowing(p, s.main.Question+", "+words, s.main.facts.ask)
		call.unwelcome = true
		c.see(call)
		switch {
		case judgeRefusal(c, call, "whether it refuses "+words):
		case !call.answered():
			c.say(Warning, "It answers with status %d, and no records (perhaps a page to sign in): 401 says what is "+
				"the matter.", call.status)
		case call.facts.total > 0:
			c.say(Wrong, "It answers all the same, with status %d: anybody who knows the address gets crew data.",
				call.status)
		case s.main.facts.total > 0:
			c.say(Warning, "It answers with status %d and nothing in it: 401 says what is the matter.", call.status)
		default:
			c.say(Warning, "It answers with status %d, as it does with the right ones. Nothing was found to tell by "+
				"whether anybody gets crew data: %s", call.status, s.help)
		}
	}
}

func (s *system) whyNot(show showing) string {
	var settings struct {
		Auth struct{ Kind gangway.CredentialsKind }
	}
	if show == wrongOnes && json.Unmarshal(s.feed.Transport.Settings, &settings) == nil &&
		settings.Auth.Kind == gangway.CertificateCredentials {
		return "Nobody can make up a certificate that only looks right."
	}
	return "No credentials were given. If your system lets only our address in, that is fine."
}

// noRefusal are the statuses, between 400 and 499, that say nothing about who asked: too slow, in conflict with
// something, at the wrong server, too early, too often.
var noRefusal = []int{408, 409, 421, 425, 429}

// judgeRefusal says whether a system refuses whom it should, and how. Only an answer that says so is a refusal:
// whoever fails, or breaks off, might have let others in. Not judged: it lets in.
//
// Decided: docs/choices.md, "The integration doctor".
func judgeRefusal(c *Check, call *Call, words string) (judged bool) {
	switch status := call.status; {
	case status == 401 || status == 403:
		c.say(Fine, "It refuses with status %d.", status)
	case status >= 200 && status < 300:
		return false
	case status == 429:
		c.skip("It could not be told %s: the system was asked too often (status 429).", words)
	case status == 0:
		c.say(Warning, "It could not be told %s. %s Answer 401.", words, call.Error)
	case status >= 500 || slices.Contains(noRefusal, status):
		c.say(Warning, "It could not be told %s: status %d is no refusal, but another fault. Answer 401.", words,
			status)
	default:
		c.say(Warning, "It refuses with status %d: 401 says what is the matter.", status)
	}
	return true
}
