package outlets

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/feeds"
	"gangway/internal/web/app/shell"
)

// An outletPage is one outlet: as it is, how it is doing, and what was tried there.
type outletPage struct {
	Name, ID, Kind, Where, Format, Mapping string
	States                                 []gangway.State // the actions that it gets; none: all
	Together                               string          // how often they go in one document; empty: each by itself
	CreatedAt                              time.Time
	Settings                               []feeds.Setting
	Paused, Off, Untested                  bool
	Signs                                  bool   // what it sends
	Secrets                                int    // that sign
	Fingerprint                            string // of the newest of them
	Now                                    outletStanding
	addressNotice

	Tries  []tryRow
	Older  url.Values // empty: there are none
	Newest bool       // the page begins with the newest
}

// A tryRow is one try to deliver.
type tryRow struct {
	store.TriedDelivery
	Sign, State, Why string
}

// triesShown is how many tries a page has.
const triesShown = 25

// Outlet shows an outlet with a page of what was tried there: the newest, or those before one.
func (room *Room) Outlet(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	o, err := in.Outlet(r.Context(), r.PathValue("name"))
	if gangway.KindOf(err) == gangway.NotFound {
		if o, err = in.FindOutlet(r.Context(), r.PathValue("name")); err == nil { // by its identifier
			return room.Redirect(w, r, OutletPath(o.Name))
		}
	}
	if err != nil {
		return err
	}
	after := readTryPlace(r)
	p := outletPage{Name: o.Name, ID: o.ID, Kind: outletKind(o.Transport.Kind), Where: o.Address(), States: o.States,
		Format: string(o.Format), Mapping: o.Mapping, CreatedAt: o.CreatedAt,
		Settings: feeds.SettingsOf(o.Transport, nil), Paused: o.Paused, Off: o.Off, Untested: o.Untested(),
		Newest: after.At.IsZero(), Signs: o.Pushes()}
	if o.Batch > 0 {
		p.Together = feeds.IntervalWords(o.Batch)
	}
	if p.Now, err = room.standing(r.Context(), in, o); err != nil {
		return err
	}
	if p.addressNotice, err = room.addressOf(r.Context(), o); err != nil {
		return err
	}
	secrets, err := in.OutletSecrets(r.Context(), o.ID)
	if err != nil {
		return err
	}
	p.Secrets, p.Fingerprint = len(secrets), room.fingerprint(secrets)
	tries, err := in.Attempts(r.Context(), o.ID, after, triesShown+1)
	if err != nil {
		return err
	}
	if len(tries) > triesShown {
		tries = tries[:triesShown]
		p.Older = writeTryPlace(tries[triesShown-1].Place())
	}
	for _, t := range tries {
		p.Tries = append(p.Tries, newTryRow(t, o))
	}
	return room.Show(w, r, shell.Page{Template: "outlet", Section: "settings", Title: "Settings › Outlets › " + p.Name,
		Answer: p.answer(), Data: p})
}

// answer says in one line what the outlet is and how it is doing.
func (p outletPage) answer() string {
	answer := p.Kind + " · " + p.Now.Words
	if n := p.Now.Waiting; n > 0 {
		answer += " · " + p.Now.Count(n) + " waiting"
	}
	if n := p.Now.Parked; n > 0 {
		answer += " · " + p.Now.Count(n) + " parked"
	}
	return answer
}

func newTryRow(t store.TriedDelivery, o gangway.Outlet) tryRow {
	row := tryRow{TriedDelivery: t}
	if row.Sign, row.State = gangway.TryWords(t.Status, !t.NeverLeft()); t.Status == 0 {
		row.Why = deliver.FailureWords(t.Attempt, o)
	}
	return row
}

// writeTryPlace writes a place in the list of what was tried for the address of the next page.
func writeTryPlace(p store.AttemptPlace) url.Values {
	return url.Values{"before": {strconv.FormatInt(p.At.UnixMilli(), 10)}, "booking": {p.Booking},
		"action": {strconv.Itoa(p.Seq)}}
}

// readTryPlace reads what writeTryPlace wrote. Anything else is the beginning of the list.
func readTryPlace(r *http.Request) store.AttemptPlace {
	at, err := strconv.ParseInt(r.FormValue("before"), 10, 64)
	if err != nil || at <= 0 {
		return store.AttemptPlace{}
	}
	seq, _ := strconv.ParseInt(r.FormValue("action"), 10, 32) // anything else comes before all
	return store.AttemptPlace{At: time.UnixMilli(at), Booking: r.FormValue("booking"), Seq: int(seq)}
}
