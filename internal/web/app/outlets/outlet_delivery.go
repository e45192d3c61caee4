package outlets

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A deliveryPage is one delivery: what is sent, and what was answered to each try.
type deliveryPage struct {
	Outlet, Booking, Locator, Action string
	Seq                              int
	ID                               string // the webhook-id
	Sign, State, Next                string // Next: a sentence
	Mend                             string // how what stands in its way is mended, where no page can
	MadeAt, DoneAt                   time.Time
	Headers                          []deliver.Header // of a push
	Body                             shownBody
	NoBody                           string    // why there is none
	Given                            shownBody // what the outlet's mapping is given, where it made nothing of it
	Waits                            bool
	Tries                            []answeredTry
	More                             int // tries that are not shown
}

// A shownBody is what is sent, or its beginning. Empty: there is none.
type shownBody struct {
	Text  string
	Lines bool // it is JSON with a line for each member, which is sent in one
	Cut   bool // it is not all of it
}

// An answeredTry is a try with the beginning of what was answered.
type answeredTry struct {
	tryRow
	Answer string
}

// Long reports whether the answer is more than a line or two.
func (t answeredTry) Long() bool { return len(t.Answer) > 200 || strings.Count(t.Answer, "\n") > 2 }

// Letters is how long the answer is.
func (t answeredTry) Letters() int { return utf8.RuneCountInString(t.Answer) }

const (
	answersShown = 50
	bodyShown    = 256 << 10 // bytes
)

// OutletDelivery shows one delivery.
func (room *Room) OutletDelivery(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	seq, err := actionNumber(r)
	if err != nil {
		return err
	}
	d, err := in.Delivery(r.Context(), r.PathValue("name"), r.PathValue("booking"), seq)
	if err != nil {
		return err
	}
	tries, err := in.DeliveryAttempts(r.Context(), d.Outlet.ID, d.Booking.ID, seq, answersShown)
	if err != nil {
		return err
	}
	p := deliveryPage{Outlet: d.Outlet.Name, Booking: d.Booking.ID, Locator: d.Booking.Locator,
		Action: actionWords(d.Action.Name),
		Seq:    seq, ID: d.ID, MadeAt: d.MadeAt, DoneAt: d.DoneAt, Waits: d.State == "due",
		More: max(0, d.Attempts-len(tries))}
	p.Sign, p.State, p.Next = deliveryState(d, tries, room.Now())
	if d.State != "done" && len(tries) > 0 {
		done, err := room.doneSince(r.Context(), in, d.Outlet, tries[0].At)
		if err != nil {
			return err
		}
		switch {
		case !done.mended(tries[0]):
			p.Mend = mendWords(tries[0], d.Outlet)
		case d.State == "parked":
			p.Mend = "The mapping was changed since: deliver it again."
		}
	}
	p.Headers = deliver.ShownHeaders(d.Delivery)
	var body []byte
	if p.NoBody = unshaped(d); p.NoBody == "" {
		body, err = deliver.Body(r.Context(), d.Delivery)
		p.Body = newShownBody(body)
	} else {
		body, err = deliver.Record(d.Delivery)
		p.Given = newShownBody(body)
	}
	if err != nil {
		p.NoBody = deliver.Sentence(shell.SentenceOf(err))
	}
	for _, a := range tries {
		p.Tries = append(p.Tries, answeredTry{newTryRow(a, d.Outlet), answerOf(a)})
	}
	return room.Show(w, r, shell.Page{Template: "outlet_delivery", Section: "settings",
		Title: "Settings › Outlets › " + p.Outlet + ": " + p.Locator, Answer: p.answer(), Data: p})
}

// actionNumber reads the number of the action that an address names.
func actionNumber(r *http.Request) (int, error) {
	seq, err := strconv.ParseInt(r.PathValue("action"), 10, 32)
	if err != nil {
		return 0, gangway.Errorf(gangway.NotFound, "there is no such delivery")
	}
	return int(seq), nil
}

// deliveryState says how far a delivery has come. Its tries are the newest first.
func deliveryState(d store.KeptDelivery, tries []store.Attempt, now time.Time) (sign, state, next string) {
	wait := d.Outlet.DeliveryWaits(d.Place, now).String()
	switch {
	case d.State == "done" && d.DoneAt.IsZero():
		return "info", "left out", "The outlet's mapping leaves this action out."
	case d.State == "done":
		return "good", "delivered", ""
	case d.State == "parked" && len(tries) > 0 && tries[0].Unsent():
		return "act", "parked", "Nothing can be made of its record that could be sent: what was tried says why."
	case d.State == "parked":
		return "act", "parked", "It was tried for three days and never taken. It is not tried any more by itself."
	}
	sign, next = "info", "It is on its way."
	if wait != "" {
		sign, next = "watch", deliver.Sentence(wait)
	}
	if len(tries) > 0 && tries[0].WebhookID != d.ID && tries[0].Accepted() {
		next += " It was accepted before, as " + tries[0].WebhookID + "."
	}
	return sign, "waiting", next
}

// unshaped says why there is nothing of what an outlet's mapping makes of a delivery; empty: there is, or no mapping.
func unshaped(d store.KeptDelivery) string {
	switch {
	case d.Outlet.Mapping == "" || d.Body != nil:
		return ""
	case d.State == "done":
		return "Nothing was sent."
	case d.State == "parked":
		return "The outlet's mapping made nothing of it that can be sent: what was tried says why."
	}
	return "The outlet's mapping makes it when it is tried first."
}

func (p deliveryPage) answer() string {
	return "Action " + strconv.Itoa(p.Seq) + ", " + p.Action + " · " + p.State
}

// newShownBody shows a body: JSON with a line for each member.
func newShownBody(body []byte) (b shownBody) {
	var lines bytes.Buffer
	if b.Lines = json.Indent(&lines, body, "", "  ") == nil; b.Lines {
		body = lines.Bytes()
	}
	if b.Cut = len(body) > bodyShown; b.Cut {
		body = body[:bodyShown]
	}
	b.Text = gangway.Legible(string(bytes.ToValidUTF8(body, nil)))
	return b
}

// answerOf is the beginning of what was answered to a try; empty if nothing was.
func answerOf(a store.Attempt) string {
	if a.Status == 0 {
		return ""
	}
	return strings.TrimSpace(gangway.Legible(a.Answer))
}

// deliveryPath is the address of a delivery's page.
func deliveryPath(outlet, booking string, seq int) string {
	return OutletPath(outlet) + "/deliveries/" + url.PathEscape(booking) + "/" + strconv.Itoa(seq)
}
