package outlets

import (
	"context"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// PauseOutlet stops an outlet for a while, or has it go on and try what waits now.
func (room *Room) PauseOutlet(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	name := r.PathValue("name")
	var steer func(context.Context, gangway.Actor, string, time.Time) error
	var said string
	switch r.PostFormValue("to") {
	case "paused":
		steer, said = in.PauseOutlet, "is paused: what happens from now on waits, and nothing is lost."
	case "on":
		steer, said = in.ResumeOutlet, "goes on: what waits is sent now."
	default:
		return gangway.Errorf(gangway.Invalid, "to must be paused or on")
	}
	if err := steer(r.Context(), room.Actor(r), name, room.Now()); err != nil {
		return err
	}
	room.Sessions.SetFlash(r.Context(), "Outlet "+name+" "+said)
	return room.Redirect(w, r, OutletPath(name))
}

// A secretPage shows a new signing secret, once.
type secretPage struct{ Name, Secret string }

// A secretQuestion asks before a signing secret is dropped that may still be checked with.
type secretQuestion struct {
	Name, Fingerprint string
	Drops, Two        bool // the old one is dropped; there are two
}

// Post is the end of the address that does it.
func (q secretQuestion) Post() string {
	if q.Drops {
		return "/secret/drop"
	}
	return "/secret"
}

// signedOutlet is the outlet of a page about its signing secrets.
func signedOutlet(r *http.Request, in store.Scoped) (gangway.Outlet, error) {
	o, err := in.Outlet(r.Context(), r.PathValue("name"))
	if err == nil {
		err = o.CheckSigned()
	}
	return o, err
}

// AskSecret says what comes of another signing secret, or of dropping the old one, before that is done.
func (room *Room) AskSecret(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	o, err := signedOutlet(r, in)
	if err != nil {
		return err
	}
	secrets, err := in.OutletSecrets(r.Context(), o.ID)
	if err != nil {
		return err
	}
	q := secretQuestion{Name: o.Name, Fingerprint: room.fingerprint(secrets), Two: len(secrets) > 1}
	if q.Drops = r.FormValue("drop") != ""; q.Drops && !q.Two {
		return gangway.Errorf(gangway.Conflict, "outlet %s has one signing secret alone: there is no old one to drop",
			o.Name)
	}
	title := "Make another signing secret for outlet " + o.Name + "?"
	if q.Drops {
		title = "Drop the old signing secret of outlet " + o.Name + "?"
	}
	return room.Show(w, r, shell.Page{Template: "outlet_secret_ask", Section: "settings", Title: title, Data: q})
}

// RotateOutlet gives an outlet a new signing secret and shows it. The one before stays valid beside it.
func (room *Room) RotateOutlet(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	form, fresh := room.secretForm(r), deliver.NewSecret()
	o, err := room.changeSecrets(r, in, func(old []string) []string {
		room.made.note(form, fresh, room.Now()) // before anybody sees that it is done
		return append([]string{fresh}, old[:min(1, len(old))]...)
	})
	if gangway.KindOf(err) == gangway.Conflict {
		if secrets, failed := in.OutletSecrets(r.Context(), o.ID); failed == nil && len(secrets) > 0 &&
			secrets[0] == room.made.by(form, room.Now()) {
			fresh, err = secrets[0], nil
		}
	}
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return room.Show(w, r, shell.Page{Template: "outlet_secret", Section: "settings",
		Title: "New signing secret of outlet " + o.Name, Answer: "It is shown now, and on no page again.",
		Data: secretPage{o.Name, fresh}})
}

// DropOutletSecret has an outlet sign with its newest secret alone.
func (room *Room) DropOutletSecret(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	o, err := room.changeSecrets(r, in, func(old []string) []string { return old[:min(1, len(old))] })
	if gangway.KindOf(err) == gangway.Conflict {
		if secrets, failed := in.OutletSecrets(r.Context(), o.ID); failed == nil && len(secrets) == 1 {
			err = nil // it was dropped before
		}
	}
	if err != nil {
		return err
	}
	room.Sessions.SetFlash(r.Context(), "Outlet "+o.Name+" signs with its newest secret alone from now on.")
	return room.Redirect(w, r, OutletPath(o.Name))
}

// secretForm is the form that a request sends, and by whom it is sent: one that is sent twice is the same.
func (room *Room) secretForm(r *http.Request) string {
	return strings.Join([]string{room.Actor(r).ID, r.PathValue("name"), r.PostFormValue("was")}, "\x00")
}

// madeSecrets are the signing secrets that forms have made lately: who presses twice sees the answer to the second
// press alone, and has to see the secret in it.
type madeSecrets struct {
	mu    sync.Mutex
	forms map[string]madeSecret
}

type madeSecret struct {
	secret string
	at     time.Time
}

// seenAgain is for how long a form that is sent again shows the secret that it has made.
const seenAgain = time.Minute

func (m *madeSecrets) note(form, secret string, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.forms, func(_ string, made madeSecret) bool { return now.Sub(made.at) > seenAgain })
	if m.forms == nil {
		m.forms = map[string]madeSecret{}
	}
	m.forms[form] = madeSecret{secret, now}
}

// by returns the secret that a form has made; empty: none lately.
func (m *madeSecrets) by(form string, now time.Time) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if made := m.forms[form]; now.Sub(made.at) <= seenAgain {
		return made.secret
	}
	return ""
}

// changeSecrets changes the signing secrets of an outlet, unless that was done since the page was shown: a form that is
// sent twice changes them once.
func (room *Room) changeSecrets(r *http.Request, in store.Scoped, change func(old []string) []string) (gangway.Outlet,
	error) {
	o, err := signedOutlet(r, in)
	if err != nil {
		return o, err
	}
	return o, in.ChangeOutletSecrets(r.Context(), room.Actor(r), o.ID, func(old []string) ([]string, error) {
		if room.fingerprint(old) != r.PostFormValue("was") {
			return nil, gangway.Errorf(gangway.Conflict, "the signing secrets of outlet %s were changed since the "+
				"page was shown, by the same form if it was sent twice; a new secret that nobody has seen is "+
				"replaced by making another one", o.Name)
		}
		return change(old), nil
	}, room.Now())
}

// fingerprint tells the signing secrets of an outlet from others, and nothing of what they are.
func (room *Room) fingerprint(secrets []string) string {
	return room.FormKeys.Sign(append([]string{"signing secrets"}, secrets...)...)
}

// ReplayDelivery delivers one action once more, unless that was done since the page was shown: a form that is sent
// twice does it once.
func (room *Room) ReplayDelivery(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	o, err := in.Outlet(r.Context(), r.PathValue("name"))
	if err != nil {
		return err
	}
	seq, err := actionNumber(r)
	if err != nil {
		return err
	}
	booking, was, said := r.PathValue("booking"), r.PostFormValue("was"), room.again("It is delivered once more", o)
	if err := in.Replay(r.Context(), room.Actor(r), o.ID, booking, seq, was, room.Now()); err != nil {
		switch d, gone := in.Delivery(r.Context(), o.Name, booking, seq); {
		case gone == nil && d.State == "due":
			said = room.again("It waits to be delivered already", o)
		case gone == nil && was != "" && d.ID != was: // the form was sent before
			said = "It was delivered once more since the page was shown: this is what came of it."
		default:
			return err
		}
	}
	room.Sessions.SetFlash(r.Context(), said)
	return room.Redirect(w, r, deliveryPath(o.Name, booking, seq))
}

// ReplayParked delivers everything that is parked at an outlet once more.
func (room *Room) ReplayParked(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	o, err := in.Outlet(r.Context(), r.PathValue("name"))
	if err != nil {
		return err
	}
	n, err := in.ReplayAll(r.Context(), room.Actor(r), o.ID, room.Now())
	twice := err == nil && n == 0
	if twice {
		n, err = room.justReplayed(r, o, "", "")
	}
	if err != nil {
		return err
	}
	return room.replayed(w, r, o, n, twice)
}

// replayed says that n deliveries are sent once more; twice: by a form that was sent before.
func (room *Room) replayed(w http.ResponseWriter, r *http.Request, o gangway.Outlet, n int, twice bool) error {
	said := room.again(shell.Plural(n, "delivery is", "deliveries are")+" sent once more", o)
	switch {
	case n == 0:
		said = "There was nothing to deliver again."
	case twice:
		said += " That was just done, and pressing again has sent nothing twice."
	}
	room.Sessions.SetFlash(r.Context(), said)
	return room.Redirect(w, r, OutletPath(o.Name))
}

// justReplayed returns how many deliveries who asks now had delivered again within seenAgain, of the same span of time
// as the audit log has it, or without one of those that were parked; 0: none. Who presses twice sees the answer to the
// second press alone.
func (room *Room) justReplayed(r *http.Request, o gangway.Outlet, from, to string) (int, error) {
	v, _ := shell.VisitorOf(r.Context())
	list, err := room.db.Audit(r.Context(), store.AuditQuery{Customer: v.User.Customer, By: room.Actor(r).ID,
		What: gangway.DeliveriesReplayed, Since: room.Now().Add(-seenAgain), Newest: true}, replaysRead)
	for _, e := range list {
		about := func(name string) string {
			text, _ := e.After[name].(string)
			return text
		}
		if about("outlet") == o.ID && about("booking") == "" && about("from") == from && about("to") == to {
			n, _ := e.After["deliveries"].(float64)
			return int(n), nil
		}
	}
	return 0, err
}

// replaysRead is among how many replays, the latest, that of a form is looked for that is sent again.
const replaysRead = 20

// again says that something is sent once more, and when, unless that is at once.
func (room *Room) again(said string, o gangway.Outlet) string {
	if from := o.SentFrom(room.Now()); from != "" {
		said += ", " + from
	}
	return said + "."
}

// A replayPage asks whether to deliver again what was made in a span of time.
type replayPage struct {
	Name, From, To string
	store.DeliverySpan
	Wrong string
	Asked bool // From and To can be read
}

// moments are how browsers write the fields of the form, in UTC: many leave out seconds that are 0.
var moments = []string{"2006-01-02T15:04:05", "2006-01-02T15:04"}

// AskReplay says how many deliveries there are in a span of time, before they are delivered again.
func (room *Room) AskReplay(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.showReplay(w, r, in, r.FormValue("from"), r.FormValue("to"), nil)
}

func (room *Room) showReplay(w http.ResponseWriter, r *http.Request, in store.Scoped, from, to string,
	err error) error {
	o, missing := in.Outlet(r.Context(), r.PathValue("name"))
	if missing != nil {
		return missing
	}
	p, status := replayPage{Name: o.Name, From: from, To: to}, http.StatusOK
	if err == nil && from+to != "" {
		var begin, end time.Time
		if begin, end, err = readSpan(from, to); err == nil {
			p.DeliverySpan, err = in.DeliveriesIn(r.Context(), o.ID, begin, end)
		}
		p.Asked = err == nil
	}
	if gangway.KindOf(err) == gangway.Invalid {
		p.Wrong, status, err = shell.SentenceOf(err), http.StatusUnprocessableEntity, nil
	}
	if err != nil {
		return err
	}
	return room.Show(w, r, shell.Page{Template: "outlet_replay", Section: "settings", Status: status,
		Title: "Deliver again what outlet " + o.Name + " had", Data: p,
		Answer: room.again("Each is sent with a new webhook-id, so that receivers take it", o)})
}

// ReplaySpan delivers again what was made for an outlet in a span of time, if it is what was counted: a form that is
// sent twice does it once.
func (room *Room) ReplaySpan(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	o, err := in.Outlet(r.Context(), r.PathValue("name"))
	if err != nil {
		return err
	}
	from, to := r.PostFormValue("from"), r.PostFormValue("to")
	begin, end, err := readSpan(from, to)
	var span store.DeliverySpan
	if err == nil {
		span, err = in.DeliveriesIn(r.Context(), o.ID, begin, end)
	}
	n, was := 0, r.PostFormValue("was")
	changed := was != "" && was != span.Mark
	if err == nil && !changed {
		n, err = in.ReplaySpan(r.Context(), room.Actor(r), o.ID, begin, end, room.Now())
	}
	twice := err == nil && n == 0
	if twice {
		n, err = room.justReplayed(r, o, begin.Format(time.RFC3339), end.Format(time.RFC3339))
	}
	if err == nil && n == 0 && changed {
		err = gangway.Errorf(gangway.Invalid, "what was delivered between these times is not the same any more, or "+
			"was delivered again: count it once more")
	}
	if gangway.KindOf(err) == gangway.Invalid {
		return room.showReplay(w, r, in, from, to, err)
	}
	if err != nil {
		return err
	}
	return room.replayed(w, r, o, n, twice)
}

// readSpan reads a span of time, both ends in UTC.
func readSpan(from, to string) (begin, end time.Time, err error) {
	if begin, err = readMoment("from", from); err != nil {
		return begin, end, err
	}
	if end, err = readMoment("to", to); err != nil {
		return begin, end, err
	}
	if !begin.Before(end) {
		return begin, end, gangway.Errorf(gangway.Invalid, "to must be later than from")
	}
	return begin, end, nil
}

func readMoment(field, text string) (time.Time, error) {
	for _, form := range moments {
		if at, err := time.Parse(form, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, gangway.Errorf(gangway.Invalid, "%s must be a date and a time, as in 2036-12-01T08:30:00",
		field)
}
