package doctor

import (
	"context"
	"crypto/rand"
	"io"
	"strings"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/endpoint"
	"gangway/internal/wire"
)

// examinePush checks B5 with an invented booking, whose metadata says that it is none.
//
// Spec: B5 Receive bookings.
func (e *examination) examinePush(p push) {
	x := &pushing{examination: e, push: p, senders: map[gangway.Credentials]transport.Sender{}}
	defer x.close()
	signedWith := p.secret
	if signedWith == "" {
		signedWith = deliver.NewSecret()
	}
	id := "check_" + strings.ToLower(rand.Text())
	first := x.post("an invented booking", id, signedWith, e.doctor.now(), p.credentials)
	e.check("b5", "answer", titles[PushFlow], func(c *Check) {
		c.see(first)
		x.judgeFirst(c, first)
	})
	e.flows = append(e.flows, flow{"b5", e.faultOf(first)})
	if !first.accepted() {
		e.leave("b5")
		return
	}
	x.twice(id, signedWith)
	x.old(signedWith, x.forged())
	x.unwelcome(signedWith)
	x.inTime()
}

// judgeFirst says whether the first booking was accepted.
func (x *pushing) judgeFirst(c *Check, first *Call) {
	switch refused := first.status == 400 || first.status == 401 || first.status == 403; {
	case first.accepted():
		c.say(Fine, "It answered with status %d.", first.status)
	case refused && x.secret == "":
		c.skip("It refuses with status %d, as it should if it checks signatures: give the outlet's signing secret, "+
			"with which they are right.", first.status)
	case refused && first.status == 400:
		c.say(Wrong, "It refuses with status 400, though signed with the secret given. Check the signature over the "+
			"body as it came, byte for byte: webhook-id + \".\" + webhook-timestamp + \".\" + body.")
	case refused:
		c.say(Wrong, "It refuses with status %d, though signed with the secret given. Are the credentials those that "+
			"it wants? If so, check the signature over the body as it came, byte for byte: webhook-id + \".\" + "+
			"webhook-timestamp + \".\" + body.", first.status)
	case first.Error != "":
		c.say(Wrong, "%s", strings.TrimSpace(first.Error+" "+transport.HowToAllow(first.Error)))
	default:
		c.say(Wrong, "It answered with status %d: any 2xx is an acceptance, anything else is tried again for three "+
			"days.", first.status)
	}
}

// accepted reports whether a booking was accepted.
func (c *Call) accepted() bool { return c.Error == "" && c.status >= 200 && c.status < 300 }

// A pushing posts invented bookings to one address.
type pushing struct {
	*examination
	push
	senders map[gangway.Credentials]transport.Sender // by what they authenticate with
	calls   []*Call
}

// sender returns what posts bookings with credentials. One set of credentials keeps its connections.
func (x *pushing) sender(shown gangway.Credentials) (transport.Sender, error) {
	if s := x.senders[shown]; s != nil {
		return s, nil
	}
	settings, err := settingsAt(x.address, shown, x.ca)
	if err != nil {
		return nil, err
	}
	s, err := endpoint.Outlet.Send(settings, x.doctor.push)
	if err == nil {
		x.senders[shown] = s
	}
	return s, err
}

// close closes the connections that are at rest.
func (x *pushing) close() {
	for _, s := range x.senders {
		if c, ok := s.(io.Closer); ok {
			_ = c.Close() // all was said
		}
	}
}

// post posts the booking once, as if it were signed at a time.
func (x *pushing) post(question, id, secret string, at time.Time, shown gangway.Credentials) *Call {
	c := &Call{Number: len(x.report.Calls) + 1, Part: "b5", Question: question}
	defer func() {
		x.report.Calls = append(x.report.Calls, *c)
		x.calls = append(x.calls, c)
	}()
	body, err := wire.Booking(deliver.Invented(id, x.report.At))
	if err != nil {
		c.Error = sentence(err)
		return c
	}
	header, err := deliver.Headers(id, []string{secret}, at, body)
	if err != nil {
		c.Error = sentence(err)
		return c
	}
	ctx := endpoint.WithExchanges(x.ctx, func(e endpoint.Exchange) { x.note(c, e, "") })
	doc := transport.Outgoing{ID: id, Type: "application/json", Header: header, Body: body}
	c.took, err = x.send(ctx, shown, doc)
	c.Took = c.took.Milliseconds()
	if err != nil {
		c.Error = sentence(err)
	}
	x.missed(c)
	return c
}

// send posts a document. The status is noted as soon as it is there (see note), also of an answer that has no end.
func (x *pushing) send(ctx context.Context, shown gangway.Credentials, doc transport.Outgoing) (time.Duration, error) {
	to, err := x.sender(shown)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	_, err = to.Send(ctx, doc)
	return time.Since(began), err
}

// twice checks that a push may come again, as it does where its answer was lost.
func (x *pushing) twice(id, secret string) {
	x.make("b5", "twice", func(c *Check) {
		again := x.post("the same booking, with the same webhook-id", id, secret, x.doctor.now(),
			x.credentials)
		c.see(again)
		switch {
		case again.Error != "":
			c.say(Wrong, "%s", again.Error)
		case again.status < 200 || again.status > 299:
			c.say(Wrong, "It answers with status %d: pushes come twice where an answer was lost. Keep the "+
				"webhook-ids, and "+
				"answer 2xx to one that you know.", again.status)
		}
	})
}

// forged checks that a push of somebody else is refused, and returns whether it is accepted.
func (x *pushing) forged() (accepted bool) {
	x.make("b5", "forged", func(c *Check) {
		if x.secret == "" {
			accepted = true
			c.say(Warning, "It accepted a booking signed with an invented secret, so it does not check signatures: "+
				"anybody who knows the address can send bookings.")
			return
		}
		call := x.post("a booking with a wrong signature", "check_"+strings.ToLower(rand.Text()), deliver.NewSecret(),
			x.doctor.now(), x.credentials)
		call.unwelcome = true
		c.see(call)
		switch {
		case call.status == 400: // as the libraries of Standard Webhooks have it
			c.say(Fine, "It refuses with status 400.")
		case !judgeRefusal(c, call, "whether a wrong signature is refused"):
			accepted = true
			c.say(Warning, "It accepts it with status %d: anybody who knows the address can send bookings. Check "+
				"webhook-signature.", call.status)
		}
	})
	return accepted
}

// old checks that a push that was overheard is refused where it comes again later; forged, whether the system accepts
// what anybody has signed.
func (x *pushing) old(secret string, forged bool) {
	x.make("b5", "old", func(c *Check) {
		if forged {
			c.because("b5.forged", "it checks no signatures")
			return
		}
		call := x.post("a booking signed an hour ago", "check_"+strings.ToLower(rand.Text()), secret,
			x.doctor.now().Add(-time.Hour), x.credentials)
		call.unwelcome = true
		c.see(call)
		switch {
		case call.status == 400:
			c.say(Fine, "It refuses with status 400.")
		case !judgeRefusal(c, call, "whether an old push is refused"):
			c.say(Warning, "It accepts it with status %d: whoever has overheard a push can send it again at any time. "+
				"Refuse what has a webhook-timestamp of more than five minutes ago.", call.status)
		}
	})
}

// unwelcome checks that pushes without the right credentials are refused.
func (x *pushing) unwelcome(secret string) {
	wrong, ok := spoilt(x.credentials)
	for _, with := range []struct {
		shown     gangway.Credentials
		id, words string
		tried     bool
	}{
		{gangway.Credentials{}, noCredentials.id, "without credentials", x.credentials.Any()},
		{wrong, wrongCredentials.id, "with wrong credentials", ok},
	} {
		x.make("b5", with.id, func(c *Check) {
			if !with.tried {
				c.skip("No credentials were given that could be left out or changed: the signature is what tells.")
				return
			}
			call := x.post("an invented booking "+with.words, "check_"+strings.ToLower(rand.Text()), secret,
				x.doctor.now(), with.shown)
			call.unwelcome = true
			c.see(call)
			if !judgeRefusal(c, call, "whether it refuses "+with.words) {
				c.say(Wrong, "It accepts it all the same, with status %d.", call.status)
			}
		})
	}
}

// inTime checks how long the answers took. Nobody waits for them, but their queue does.
func (x *pushing) inTime() {
	x.make("b5", inTime.id, func(c *Check) {
		var most time.Duration
		answers := 0
		for _, call := range x.calls {
			if call.status != 0 && !call.unwelcome {
				answers, most = answers+1, max(most, call.took)
			}
		}
		if most > liveLimit {
			c.say(Warning, "The slowest of %s took %s; after 15 s a push is broken off. Take it in first, and work on "+
				"it afterwards.", plural(answers, "answer"), rounded(most))
			return
		}
		c.say(Fine, "%s, the slowest after %s.", plural(answers, "answer"), rounded(most))
	})
}
