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
	Sign, State                      string
	Wait                             string                // why it waits, a sentence
	Accepted                         string                // the webhook-id with which it was accepted before
	Last                             gangway.OutletFailure // how its latest try failed
	Mended                           bool                  // the outlet was changed since
	MadeAt, DoneAt                   time.Time
	Headers                          []deliver.Header // of a push
	Body                             shownBody
	NoBody                           string    // why there is none
	Given                            shownBody // what the outlet's mapping is given, where it made nothing of it
	Waits                            bool
	Tries                            []tryRow
	More                             int // tries that are not shown
}

// A shownBody is what is sent, or its beginning. Empty: there is none.
type shownBody struct {
	Text  string
	Lines bool // it is JSON with a line for each member, which is sent in one
	Cut   bool // it is not all of it
}

// Said is the beginning of what was answered to the try; empty if nothing was.
func (t tryRow) Said() string {
	if t.Status == 0 {
		return ""
	}
	return strings.TrimSpace(gangway.Legible(t.Answer))
}

// Long reports whether the answer is more than a line or two.
func (t tryRow) Long() bool { return len(t.Said()) > 200 || strings.Count(t.Said(), "\n") > 2 }

// Letters is how long the answer is.
func (t tryRow) Letters() int { return utf8.RuneCountInString(t.Said()) }

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
		Action: shell.Plain(d.Action.Name), Seq: seq, ID: d.ID, MadeAt: d.MadeAt, DoneAt: d.DoneAt,
		Waits: d.State == "due", More: max(0, d.Attempts-len(tries))}
	is := gangway.ConditionOfDelivery(d.Outlet, d.State, d.DoneAt, d.Place, room.Now())
	p.Sign, p.State = is.Sign, is.State
	if len(tries) > 0 {
		p.Last = deliver.FailureOf(tries[0], d.Outlet)
		p.Mended = d.Outlet.Mended(p.Last)
	}
	if is.Wait != "" {
		p.Wait, p.Sign = gangway.Sentence(is.Wait), "watch"
	}
	if p.Waits && len(tries) > 0 && tries[0].WebhookID != d.ID && tries[0].Accepted() {
		p.Accepted = tries[0].WebhookID
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
		p.NoBody = gangway.Sentence(shell.SentenceOf(err))
	}
	for _, a := range tries {
		p.Tries = append(p.Tries, newTryRow(store.TriedDelivery{Attempt: a}, d.Outlet))
	}
	return room.Show(w, r, shell.Page{Template: "outlet_delivery", Section: "settings",
		Title: "Settings › Outlets › " + p.Outlet + ": " + p.Locator, Data: p,
		Answer: "Action " + strconv.Itoa(p.Seq) + ", " + p.Action + " · " + p.State})
}

// actionNumber reads the number of the action that an address names.
func actionNumber(r *http.Request) (int, error) {
	seq, err := strconv.ParseInt(r.PathValue("action"), 10, 32)
	if err != nil {
		return 0, gangway.Errorf(gangway.NotFound, "there is no such delivery")
	}
	return int(seq), nil
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

// deliveryPath is the address of a delivery's page.
func deliveryPath(outlet, booking string, seq int) string {
	return OutletPath(outlet) + "/deliveries/" + url.PathEscape(booking) + "/" + strconv.Itoa(seq)
}
