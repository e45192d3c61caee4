package doctor

import (
	"encoding/json"

	"gangway"
	"gangway/internal/transport"
)

// guarded checks that nobody else gets an answer.
//
// Spec: Authentication, B1 to B5.
func (s *system) guarded() {
	ask := s.calls[0].facts.ask
	for _, with := range []struct {
		show             showing
		id, title, words string
	}{
		{noneAtAll, "no-credentials", "Without credentials it refuses", "without credentials"},
		{wrongOnes, "wrong-credentials", "With wrong credentials it refuses", "with wrong credentials"},
	} {
		s.check(s.part, with.id, with.title, func(c *Check) {
			p, err := s.puller(with.show)
			if err != nil {
				c.skip("%s", sentence(err))
				return
			}
			if p == nil {
				c.skip("%s", s.whyNot(with.show))
				return
			}
			call := s.askUnwelcome(p, words(ask)+", "+with.words, ask)
			c.see(call)
			judgeRefusal(c, call, with.words)
		})
	}
}

// askUnwelcome asks as somebody who is to be refused: how long that takes does not count.
func (s *system) askUnwelcome(p transport.Puller, question string, ask gangway.Ask) *Call {
	call := s.askShowing(p, question, ask)
	if call.answered() || !call.timedOut {
		return call
	}
	s.calls = s.calls[:len(s.calls)-1]
	return call
}

func (s *system) whyNot(show showing) string {
	var settings struct {
		Auth struct{ Kind gangway.CredentialsKind }
	}
	if show == wrongOnes && readSettings(s.feed, &settings) && settings.Auth.Kind == gangway.CertificateCredentials {
		return "Nobody can make up a certificate that only looks right."
	}
	return "No credentials were given. If your system lets only our address in, that is fine."
}

// judgeRefusal says whether a system refuses whom it should.
func judgeRefusal(c *Check, call *Call, words string) {
	switch {
	case call.status == 401 || call.status == 403:
		c.say(Fine, "It refuses with status %d.", call.status)
	case call.status >= 200 && call.status < 300:
		c.say(Wrong, "It answers all the same, with status %d: anybody who knows the address gets crew "+
			"data.", call.status)
	case call.status == 0:
		c.say(Fine, "It gives no answer %s.", words)
	default:
		c.say(Warning, "It refuses with status %d: 401 says what is the matter.", call.status)
	}
}

func readSettings(f gangway.Feed, into any) bool {
	return json.Unmarshal(f.Transport.Settings, into) == nil
}
