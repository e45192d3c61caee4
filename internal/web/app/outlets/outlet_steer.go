package outlets

import (
	"context"
	"net/http"
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
		steer, said = in.ResumeOutlet, "resumed. Waiting deliveries are being sent."
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
type secretPage struct {
	Name, Secret string
	First        bool // there was none before
	addressNotice
}

// A secretQuestion asks before a signing secret is dropped that may still be checked with.
type secretQuestion struct {
	Name, Fingerprint string
	Drops, Two        bool // the old one is dropped; there are two
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

// RotateOutlet gives an outlet a new signing secret and shows it. The one before stays valid beside it. The secret
// follows from the form, so that a form that is sent twice shows the same one, and it is kept nowhere for that.
func (room *Room) RotateOutlet(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	fresh := deliver.SecretOf(room.Seed(r))
	_, err := room.CarryOut(r, in, func(r *http.Request) (shell.Done, error) {
		return shell.Done{}, room.changeSecrets(r, in, func(old []string) []string {
			return append([]string{fresh}, old[:min(1, len(old))]...)
		})
	})
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	name := r.PathValue("name")
	return room.Show(w, r, shell.Page{Template: "outlet_secret", Section: "settings",
		Title: "New signing secret of outlet " + name, Answer: "It is shown now, and on no page again.",
		Data: secretPage{Name: name, Secret: fresh}})
}

// DropOutletSecret has an outlet sign with its newest secret alone.
func (room *Room) DropOutletSecret(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.Once(w, r, in, func(r *http.Request) (shell.Done, error) {
		name := r.PathValue("name")
		err := room.changeSecrets(r, in, func(old []string) []string { return old[:min(1, len(old))] })
		said := "Outlet " + name + " signs with its newest secret only from now on."
		return shell.Done{To: OutletPath(name), Said: said}, err
	})
}

// changeSecrets changes the signing secrets of an outlet, unless that was done since the page was shown.
func (room *Room) changeSecrets(r *http.Request, in store.Scoped, change func(old []string) []string) error {
	o, err := signedOutlet(r, in)
	if err != nil {
		return err
	}
	return in.ChangeOutletSecrets(r.Context(), room.Actor(r), o.ID, func(old []string) ([]string, error) {
		if room.fingerprint(old) != r.PostFormValue("was") {
			return nil, gangway.Errorf(gangway.Conflict, "the signing secrets of outlet %s were changed since the "+
				"page was shown; a new secret that nobody has seen is replaced by making another one", o.Name)
		}
		return change(old), nil
	}, room.Now())
}

// fingerprint tells the signing secrets of an outlet from others, and nothing of what they are.
func (room *Room) fingerprint(secrets []string) string {
	return room.FormKeys.Sign(append([]string{"signing secrets"}, secrets...)...)
}

// ReplayDelivery delivers one action once more.
func (room *Room) ReplayDelivery(w http.ResponseWriter, r *http.Request, in store.Scoped, o gangway.Outlet) error {
	seq, err := actionNumber(r)
	if err != nil {
		return err
	}
	return room.Once(w, r, in, func(r *http.Request) (shell.Done, error) {
		booking, said := r.PathValue("booking"), "It is delivered once more"
		err := in.Replay(r.Context(), room.Actor(r), o.ID, booking, seq, "", room.Now())
		if gangway.KindOf(err) == gangway.NotFound {
			if d, gone := in.Delivery(r.Context(), o.Name, booking, seq); gone == nil && d.State == "due" {
				said, err = "It waits to be delivered already", nil
			}
		}
		return shell.Done{To: deliveryPath(o.Name, booking, seq), Said: room.again(said, o)}, err
	})
}

// ReplayParked delivers everything that is parked at an outlet once more.
func (room *Room) ReplayParked(w http.ResponseWriter, r *http.Request, in store.Scoped, o gangway.Outlet) error {
	return room.Once(w, r, in, func(r *http.Request) (shell.Done, error) {
		n, err := in.ReplayAll(r.Context(), room.Actor(r), o.ID, room.Now())
		return room.replayed(o, n), err
	})
}

// replayed says that n deliveries are sent once more.
func (room *Room) replayed(o gangway.Outlet, n int) shell.Done {
	said := room.again(shell.Plural(n, "delivery is", "deliveries are")+" sent once more", o)
	if n == 0 {
		said = "There was nothing to deliver again."
	}
	return shell.Done{To: OutletPath(o.Name), Said: said}
}

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
	N              int // deliveries between these
	Wrong          string
	Asked          bool // From and To can be read
}

// AskReplay says how many deliveries there are in a span of time, before they are delivered again.
func (room *Room) AskReplay(w http.ResponseWriter, r *http.Request, in store.Scoped, o gangway.Outlet) error {
	return room.showReplay(w, r, in, o, r.FormValue("from"), r.FormValue("to"), nil)
}

func (room *Room) showReplay(w http.ResponseWriter, r *http.Request, in store.Scoped, o gangway.Outlet, from, to string,
	err error) error {
	p, status := replayPage{Name: o.Name, From: from, To: to}, http.StatusOK
	if err == nil && from+to != "" {
		var begin, end time.Time
		if begin, end, err = room.readSpan(from, to); err == nil {
			p.From, p.To = begin.Format(shell.MomentTyped+":05"), end.Format(shell.MomentTyped+":05")
			p.N, err = in.DeliveriesIn(r.Context(), o.ID, begin, end)
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

// ReplaySpan delivers again what was made for an outlet in a span of time.
func (room *Room) ReplaySpan(w http.ResponseWriter, r *http.Request, in store.Scoped, o gangway.Outlet) error {
	from, to := r.PostFormValue("from"), r.PostFormValue("to")
	begin, end, err := room.readSpan(from, to)
	var done shell.Done
	if err == nil {
		done, err = room.CarryOut(r, in, func(r *http.Request) (shell.Done, error) {
			n, err := in.ReplaySpan(r.Context(), room.Actor(r), o.ID, begin, end, room.Now())
			return room.replayed(o, n), err
		})
	}
	if gangway.KindOf(err) == gangway.Invalid {
		return room.showReplay(w, r, in, o, from, to, err)
	}
	if err != nil {
		return err
	}
	return room.Finish(w, r, done)
}

// readSpan reads a span of time, both ends in UTC.
func (room *Room) readSpan(from, to string) (begin, end time.Time, err error) {
	today := gangway.DateOf(room.Now().UTC())
	if begin, err = gangway.ReadMoment(from, today, gangway.Nearest, time.UTC); err != nil {
		return begin, end, err
	}
	if end, err = gangway.ReadMoment(to, today, gangway.Nearest, time.UTC); err != nil {
		return begin, end, err
	}
	if !begin.Before(end) {
		return begin, end, gangway.Errorf(gangway.Invalid, "to must be later than from")
	}
	return begin, end, nil
}
