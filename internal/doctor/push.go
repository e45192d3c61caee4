package doctor

import (
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

// A pushing posts invented bookings to one address.
type pushing struct {
	*examination
	push
	senders map[gangway.Credentials]transport.Sender // by what they authenticate with
	calls   []*Call
	signs   string // what bookings are signed with
	forged  bool   // it accepts what anybody has signed
}

// examinePush checks B5 with an invented booking, whose metadata says that it is none.
//
// Spec: B5 Receive bookings.
func (e *examination) examinePush(p push) {
	x := &pushing{examination: e, push: p, senders: map[gangway.Credentials]transport.Sender{}, signs: p.secret}
	defer x.close()
	if x.signs == "" {
		x.signs = deliver.NewSecret()
	}
	id := newID()
	first := x.post("an invented booking", id, x.signs, e.Now(), p.credentials)
	e.check("b5", step{"answer", flows[PushFlow].title, func(c *Check) {
		c.see(first)
		x.judgeFirst(c, first)
	}})
	e.parts = append(e.parts, part{"b5", e.faultOf(first)})
	steps := []step{
		{"twice", "The same push once more is no trouble", func(c *Check) { x.twice(c, id) }},
		{"forged", "A wrong signature is refused", x.wronglySigned},
		{"old", "What is more than five minutes old is refused", x.old},
		{noCredentials, "Without credentials it refuses", x.refuses(noneAtAll)},
		{wrongCredentials, "With wrong credentials it refuses", x.refuses(wrongOnes)},
		{"time", "It answers in time", x.inTime},
	}
	if !first.accepted() {
		e.leave("b5", steps)
		return
	}
	e.check("b5", steps...)
}

func newID() string { return "check_" + strings.ToLower(rand.Text()) }

// judgeFirst says whether the first booking was accepted.
func (x *pushing) judgeFirst(c *Check, first *Call) {
	const signature = "heck the signature over the body as it came, byte for byte: webhook-id + \".\" + " +
		"webhook-timestamp + \".\" + body."
	switch refused := first.status == 400 || first.status == 401 || first.status == 403; {
	case first.accepted():
		c.say(Fine, "It answered with status %d.", first.status)
	case refused && x.secret == "":
		c.skip("It refuses with status %d, as it should if it checks signatures: give the outlet's signing secret, "+
			"with which they are right.", first.status)
	case refused && first.status == 400:
		c.say(Wrong, "It refuses with status 400, though signed with the secret given. C"+signature)
	case refused:
		c.say(Wrong, "It refuses with status %d, though signed with the secret given. Are the credentials those that "+
			"it wants? If so, c"+signature, first.status)
	case first.Error != "":
		c.say(Wrong, "%s", strings.TrimSpace(first.Error+" "+transport.HowToAllow(first.Error)))
	default:
		c.say(Wrong, "It answered with status %d: any 2xx is an acceptance, anything else is tried again for three "+
			"days.", first.status)
	}
}

// accepted reports whether a booking was accepted.
func (c *Call) accepted() bool { return c.Error == "" && c.status >= 200 && c.status < 300 }

// sender returns what posts bookings with credentials. One set of credentials keeps its connections.
func (x *pushing) sender(shown gangway.Credentials) (transport.Sender, error) {
	if s := x.senders[shown]; s != nil {
		return s, nil
	}
	settings, err := settingsAt(x.address, shown, x.ca)
	if err != nil {
		return nil, err
	}
	s, err := endpoint.Outlet.Send(settings, x.Push)
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
	if err := x.send(c, id, secret, at, shown); err != nil {
		c.Error = sentence(err)
	}
	x.add(c)
	x.calls = append(x.calls, c)
	return c
}

// send sends the booking of a call. The status is noted as soon as it is there (see note), also of an answer that has
// no end.
func (x *pushing) send(c *Call, id, secret string, at time.Time, shown gangway.Credentials) error {
	body, err := wire.Booking(deliver.Invented(id, x.report.At))
	if err != nil {
		return err
	}
	header, err := deliver.Headers(id, []string{secret}, at, body)
	if err != nil {
		return err
	}
	to, err := x.sender(shown)
	if err != nil {
		return err
	}
	ctx := endpoint.WithExchanges(x.ctx, func(e endpoint.Exchange) { x.note(c, e, "") })
	began := time.Now()
	_, err = to.Send(ctx, transport.Outgoing{ID: id, Type: "application/json", Header: header, Body: body})
	c.took = time.Since(began)
	return err
}

// twice checks that a push may come again, as it does where its answer was lost.
func (x *pushing) twice(c *Check, id string) {
	again := x.post("the same booking, with the same webhook-id", id, x.signs, x.Now(), x.credentials)
	c.see(again)
	switch {
	case again.Error != "":
		c.say(Wrong, "%s", again.Error)
	case again.status < 200 || again.status > 299:
		c.say(Wrong, "It answers with status %d: pushes come twice where an answer was lost. Keep the webhook-ids, "+
			"and answer 2xx to one that you know.", again.status)
	}
}

// refused posts a booking that is to be refused, and says so if it is. signature: what is wrong is how it is signed.
func (x *pushing) refused(c *Check, what, whether, secret string, at time.Time, shown gangway.Credentials,
	signature bool) (call *Call, refused bool) {
	call = x.post(what, newID(), secret, at, shown)
	call.unwelcome = true
	c.see(call)
	if signature && call.status == 400 { // as the libraries of Standard Webhooks have it
		c.say(Fine, "It refuses with status 400.")
		return call, true
	}
	return call, judgeRefusal(c, call, "whether "+whether)
}

// wronglySigned checks that a push of somebody else is refused.
func (x *pushing) wronglySigned(c *Check) {
	if x.secret == "" {
		x.forged = true
		c.say(Warning, "It accepted a booking signed with an invented secret, so it does not check signatures: "+
			"anybody who knows the address can send bookings.")
		return
	}
	if call, refused := x.refused(c, "a booking with a wrong signature", "a wrong signature is refused",
		deliver.NewSecret(), x.Now(), x.credentials, true); !refused {
		x.forged = true
		c.say(Warning, "It accepts it with status %d: anybody who knows the address can send bookings. Check "+
			"webhook-signature.", call.status)
	}
}

// old checks that a push that was overheard is refused where it comes again later.
func (x *pushing) old(c *Check) {
	if x.forged {
		c.because("b5.forged", "it checks no signatures")
		return
	}
	if call, refused := x.refused(c, "a booking signed an hour ago", "an old push is refused", x.signs,
		x.Now().Add(-time.Hour), x.credentials, true); !refused {
		c.say(Warning, "It accepts it with status %d: whoever has overheard a push can send it again at any time. "+
			"Refuse what has a webhook-timestamp of more than five minutes ago.", call.status)
	}
}

// refuses checks that pushes without the right credentials are refused.
func (x *pushing) refuses(show showing) func(*Check) {
	shown, tried, words := gangway.Credentials{}, x.credentials.Any(), "without credentials"
	if show == wrongOnes {
		words = "with wrong credentials"
		shown, tried = spoilt(x.credentials)
	}
	return func(c *Check) {
		if !tried {
			c.skip("No credentials were given that could be left out or changed: the signature is what tells.")
			return
		}
		if call, refused := x.refused(c, "an invented booking "+words, "it refuses "+words, x.signs, x.Now(), shown,
			false); !refused {
			c.say(Wrong, "It accepts it all the same, with status %d.", call.status)
		}
	}
}

// inTime checks how long the answers took. Nobody waits for them, but their queue does.
func (x *pushing) inTime(c *Check) {
	var most time.Duration
	n := 0
	for _, call := range x.calls {
		if call.status != 0 && !call.unwelcome {
			n, most = n+1, max(most, call.took)
		}
	}
	if most > liveLimit {
		c.say(Warning, "The slowest of %s took %s; after 15 s a push is broken off. Take it in first, and work on "+
			"it afterwards.", plural(n, "answer"), rounded(most))
		return
	}
	c.say(Fine, "%s, the slowest after %s.", plural(n, "answer"), rounded(most))
}
