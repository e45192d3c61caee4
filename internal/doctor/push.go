package doctor

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"gangway"
	"gangway/internal/deliver"
	"gangway/internal/transport"
	"gangway/internal/transport/endpoint"
	"gangway/internal/wire"
)

// examinePush checks B5 with an invented booking, whose metadata says that it is none.
//
// Spec: B5 Receive bookings.
func (e *examination) examinePush(p push) {
	x := &pushing{e, p, endpoint.New(endpoint.Config{Allow: e.doctor.options.Allow}), nil}
	signedWith := p.secret
	if signedWith == "" {
		signedWith = deliver.NewSecret()
	}
	id := "check_" + strings.ToLower(rand.Text())
	first := x.post("an invented booking", id, signedWith, p.credentials)
	e.check("b5", "answer", titles[PushFlow], func(c *Check) {
		c.see(first)
		switch refused := first.status == 400 || first.status == 401 || first.status == 403; {
		case first.status >= 200 && first.status < 300:
			c.say(Fine, "It answered with status %d.", first.status)
		case refused && p.secret == "":
			c.skip("It refuses with status %d, as it should if it checks signatures: give the outlet's signing "+
				"secret, with "+
				"which they are right.", first.status)
		case refused:
			c.say(Wrong, "It refuses with status %d, though signed with the secret given. Check the signature "+
				"over the "+
				"body as it came, byte for byte: webhook-id + \".\" + webhook-timestamp + \".\" + body.", first.status)
		case first.Error != "":
			c.say(Wrong, "%s", first.Error)
		default:
			c.say(Wrong, "It answered with status %d: any 2xx is an acceptance, anything else is tried again for "+
				"three "+
				"days.", first.status)
		}
	})
	if first.status < 200 || first.status > 299 {
		return
	}
	x.twice(id, signedWith)
	x.forged()
	x.unwelcome(signedWith)
	x.inTime()
}

// A pushing posts invented bookings to one address.
type pushing struct {
	*examination
	push
	to    *endpoint.Endpoint
	calls []*Call
}

// post posts the booking once.
func (x *pushing) post(question, id, secret string, shown gangway.Credentials) *Call {
	c := &Call{Number: len(x.report.Calls) + 1, Part: "b5", Question: question}
	defer func() {
		x.report.Calls = append(x.report.Calls, *c)
		x.calls = append(x.calls, c)
	}()
	body, err := wire.Booking(invented(id, x.report.At))
	if err != nil {
		c.Error = sentence(err)
		return c
	}
	header, err := deliver.Headers(id, []string{secret}, x.doctor.now(), body)
	if err != nil {
		c.Error = sentence(err)
		return c
	}
	ctx := endpoint.WithExchanges(x.ctx, func(e endpoint.Exchange) { x.note(c, e) })
	doc := transport.Document{To: x.address, Credentials: shown, Header: header, Body: body}
	c.took, c.status, err = x.send(ctx, doc)
	c.Took = c.took.Milliseconds()
	if err != nil {
		c.Error = sentence(err)
	}
	return c
}

func (x *pushing) send(ctx context.Context, doc transport.Document) (time.Duration, int, error) {
	began := time.Now()
	answer, err := x.to.Push(ctx, doc)
	return time.Since(began), answer.Status, err
}

// twice checks that a push may come again, as it does where its answer was lost.
func (x *pushing) twice(id, secret string) {
	x.check("b5", "twice", "The same push once more is no trouble", func(c *Check) {
		again := x.post("the same booking, with the same webhook-id", id, secret, x.credentials)
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

// forged checks that a push of somebody else is refused.
func (x *pushing) forged() {
	x.check("b5", "forged", "A wrong signature is refused", func(c *Check) {
		if x.secret == "" {
			c.say(Warning, "It accepted a booking signed with an invented secret, so it does not check "+
				"signatures: anybody "+
				"who knows the address can send bookings.")
			return
		}
		call := x.post("a booking with a wrong signature", "check_"+strings.ToLower(rand.Text()), deliver.NewSecret(),
			x.credentials)
		c.see(call)
		if call.status >= 200 && call.status < 300 {
			c.say(Warning, "It accepts it with status %d: anybody who knows the address can send bookings. Check "+
				"webhook-signature.", call.status)
		}
	})
}

// unwelcome checks that pushes without the right credentials are refused.
func (x *pushing) unwelcome(secret string) {
	wrong, ok := spoilt(x.credentials)
	for _, with := range []struct {
		shown            gangway.Credentials
		id, title, words string
		tried            bool
	}{
		{gangway.Credentials{}, "no-credentials", "Without credentials it refuses", "without credentials",
			x.credentials.Any()},
		{wrong, "wrong-credentials", "With wrong credentials it refuses", "with wrong credentials", ok},
	} {
		x.check("b5", with.id, with.title, func(c *Check) {
			if !with.tried {
				c.skip("No credentials were given that could be left out or changed: the signature is what tells.")
				return
			}
			call := x.post("an invented booking "+with.words, "check_"+strings.ToLower(rand.Text()), secret, with.shown)
			c.see(call)
			if call.status >= 200 && call.status < 300 {
				c.say(Wrong, "It accepts it all the same, with status %d.", call.status)
				return
			}
			judgeRefusal(c, call, with.words)
		})
	}
}

// inTime checks how long the answers took. Nobody waits for them, but their queue does.
func (x *pushing) inTime() {
	x.check("b5", "time", "It answers in time", func(c *Check) {
		var most time.Duration
		for _, call := range x.calls {
			most = max(most, call.took)
		}
		if most > liveLimit {
			c.say(Warning, "The slowest of %s took %s; after 15 s a push is broken off. Take it in first, and "+
				"work on it "+
				"afterwards.", plural(len(x.calls), "answer"), rounded(most))
			return
		}
		c.say(Fine, "%s, the slowest after %s.", plural(len(x.calls), "answer"), rounded(most))
	})
}

// invented is a booking that nobody made.
func invented(id string, at time.Time) (gangway.Booking, []gangway.Action) {
	leaves := at.AddDate(0, 1, 0).Truncate(time.Hour)
	total := gangway.Money{Minor: 61250, Currency: "USD"}
	b := gangway.Booking{
		ID: id, Locator: "CHECK2", State: gangway.Confirmed, Version: 1, Simulated: true,
		Passenger: gangway.Traveller{LastName: "Check", FirstName: "Gangway"},
		CreatedAt: at, CreatedBy: gangway.System, CreatedByName: "Gangway check",
	}
	b.Itinerary.Segments = []gangway.Segment{{Carrier: "XX", FlightNumber: "XX 1", Origin: "MNL", Destination: "SIN",
		Departure: leaves, Arrival: leaves.Add(4 * time.Hour), Cabin: gangway.Economy}}
	b.Terms = gangway.Terms{FareType: gangway.Public, Cancellations: gangway.Refundable, Changes: gangway.PaidChange}
	b.Price = gangway.PriceOf(total, gangway.Money{Currency: "USD"}, gangway.Money{})
	return b, []gangway.Action{{Name: gangway.Confirmed, At: at, By: gangway.System}}
}
