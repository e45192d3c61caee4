package feeds

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// saveFeed saves what was typed as a version of the feed. Where nothing of its sample would be stored it asks first,
// unless it is to be saved anyway.
func (room *Room) saveFeed(w http.ResponseWriter, r *http.Request, in store.Scoped, p feedSetupPage,
	kept json.RawMessage, anyway bool) error {
	whole, open, err := room.given(r, p, kept)
	if err == nil && p.Name == "" {
		var feeds []store.StoredFeed
		feeds, err = in.Feeds(r.Context())
		p.Name = freeName(feeds, p.Flow)
	}
	f := gangway.Feed{}
	if err == nil {
		f, err = p.feed()
	}
	if err == nil && !anyway {
		if err := room.showAgain(r.Context(), in, &p, room.hides(r, p, whole)); err != nil {
			return err
		}
		f.Mapping = p.Mapping // which the table may have written
		if p.choices != nil && p.Trial == nil {
			err = gangway.Errorf(gangway.Invalid, "the table was changed: press “Use the table” before saving")
			return room.setupRefused(w, r, in, p, whole, open, err)
		}
		known := p.Trial != nil && p.Trial.Error == ""
		switch removes := f.BringsAll(room.live(f)) && p.Editing != "" && !p.removes; {
		case p.Trial != nil && p.Trial.None || p.Trial == nil && r.PostFormValue("none") != "":
			p.AskWhy = "Not saved: nothing of the sample would be stored."
		case removes && !known:
			p.AskWhy = "Not saved: each run would remove what it does not bring, and it is not known how much that " +
				"is. Try it first."
		case removes && p.Trial.gone > 0:
			p.AskWhy = "Not saved yet. " + p.Goes()
		}
		if p.AskWhy != "" {
			p.Asks = r.PostFormValue("do") + "-anyway"
			p.seal(r.Context(), whole)
			return room.showSetup(w, r, in, p, open, http.StatusUnprocessableEntity)
		}
	}
	if err == nil {
		f.Transport.Settings = whole
		err = room.setOver(r, in, &p, f)
	}
	if err != nil {
		return room.setupRefused(w, r, in, p, whole, open, err)
	}
	said := "Feed " + f.Name + " was saved."
	if stored, err := in.Feed(r.Context(), f.Name); err == nil && !stored.Due.IsZero() {
		said += " It is being fetched now."
	}
	if f.ByHand() && p.Carried.Packed != "" {
		said += " The file was only tried: upload it to the feed now."
	}
	room.Sessions.SetFlash(r.Context(), said)
	return room.Redirect(w, r, "/settings/feeds/"+url.PathEscape(f.Name))
}

// freeName is what a feed of a flow is called that nobody has given a name.
func freeName(feeds []store.StoredFeed, flow gangway.Flow) string {
	name := string(flow)
	taken := func(f store.StoredFeed) bool { return f.Name == name }
	for n := 2; slices.ContainsFunc(feeds, taken); n++ {
		name = string(flow) + "-" + strconv.Itoa(n)
	}
	return name
}

// setOver stores the feed, unless it is a new one that has the name of another, or one that somebody else has
// changed since it was opened.
func (room *Room) setOver(r *http.Request, in store.Scoped, p *feedSetupPage, f gangway.Feed) error {
	seen := p.Version
	if p.Editing == "" {
		seen = 0
	}
	_, err := room.poller.SetOver(r.Context(), in, room.Actor(r), f, seen)
	if !errors.Is(err, poll.ErrOverwrites) {
		return err
	}
	if p.Editing == "" {
		return gangway.Errorf(gangway.Conflict, "name: there is a feed of this name already; choose another")
	}
	stored, err := in.Feed(r.Context(), p.Name)
	if err != nil {
		return err
	}
	p.Version = stored.Version
	return gangway.Errorf(gangway.Conflict, "somebody has changed this feed since you opened the page; saving it "+
		"once more replaces that with what you see")
}

// setupRefused shows the page with what is wrong at its field.
func (room *Room) setupRefused(w http.ResponseWriter, r *http.Request, in store.Scoped, p feedSetupPage, whole,
	open json.RawMessage, err error) error {
	kind := gangway.KindOf(err)
	if kind != gangway.Invalid && kind != gangway.Conflict {
		return err
	}
	p.note(err)
	status := http.StatusUnprocessableEntity
	if kind == gangway.Conflict {
		status = http.StatusConflict
	}
	if err := room.showAgain(r.Context(), in, &p, room.hides(r, p, whole)); err != nil {
		return err
	}
	p.seal(r.Context(), whole)
	return room.showSetup(w, r, in, p, open, status)
}

// feedMembers are the members of a feed that an error may be about.
var feedMembers = []string{"transport", "format", "name", "flow", "every", "mapping"}

// note notes what is wrong at its field, or for the page where it names none.
func (p *feedSetupPage) note(err error) {
	field, wrong := FieldOf(err, feedMembers)
	if field == "" {
		p.Refused = wrong
		return
	}
	p.Wrong[field] = wrong
}
