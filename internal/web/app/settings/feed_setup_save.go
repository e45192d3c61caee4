package settings

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/shell"
)

// saveFeed saves what was typed as a version of the feed.
func (room *Room) saveFeed(w http.ResponseWriter, r *http.Request, in store.Scoped, p feedSetupPage,
	kept json.RawMessage) error {
	whole, open, err := room.given(r, p, kept)
	if err == nil && p.Name == "" {
		p.Name, err = freeName(r.Context(), in, p.Flow)
	}
	if err == nil {
		err = room.notOverwritten(r.Context(), in, &p)
	}
	f := gangway.Feed{}
	if err == nil {
		f, err = p.feed()
	}
	if err == nil {
		f.Transport.Settings = whole
		_, err = room.poller.Set(r.Context(), in, room.Actor(r), f)
	}
	if err != nil {
		return room.setupRefused(w, r, in, p, whole, open, err)
	}
	said := "Feed " + f.Name + " was saved."
	if stored, err := in.Feed(r.Context(), f.Name); err == nil && !stored.Due.IsZero() {
		said += " It is being fetched now."
	}
	room.Sessions.SetFlash(r.Context(), said)
	return room.Redirect(w, r, "/settings/feeds/"+url.PathEscape(f.Name))
}

// freeName is what a feed of a flow is called that nobody has given a name.
func freeName(ctx context.Context, in store.Scoped, flow gangway.Flow) (string, error) {
	feeds, err := in.Feeds(ctx)
	if err != nil {
		return "", err
	}
	name := string(flow)
	taken := func(f store.StoredFeed) bool { return f.Name == name }
	for n := 2; slices.ContainsFunc(feeds, taken); n++ {
		name = string(flow) + "-" + strconv.Itoa(n)
	}
	return name, nil
}

// notOverwritten refuses a new feed that has the name of another, and the change of one that somebody else has
// changed since.
func (room *Room) notOverwritten(ctx context.Context, in store.Scoped, p *feedSetupPage) error {
	stored, err := in.Feed(ctx, p.Name)
	switch {
	case gangway.KindOf(err) == gangway.NotFound && p.Editing == "":
		return nil
	case err != nil:
		return err
	case p.Editing == "":
		return gangway.Errorf(gangway.Conflict, "name: there is a feed of this name already; choose another")
	case stored.Version != p.Version:
		p.Version = stored.Version
		return gangway.Errorf(gangway.Conflict, "somebody has changed this feed since you opened the page; saving it "+
			"once more replaces that with what you see")
	}
	return nil
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
	if err := room.showAgain(r.Context(), in, &p); err != nil {
		return err
	}
	p.seal(r.Context(), whole)
	return room.showSetup(w, r, p, open, status)
}

// note notes what is wrong at its field, or for the page where it names none.
func (p *feedSetupPage) note(err error) {
	message := web.Message(err)
	field, rest := "", message
	for _, member := range []string{"transport", "format", "name", "flow", "every", "mapping"} {
		after, is := strings.CutPrefix(strings.TrimPrefix(message, "the "), member)
		switch {
		case !is || field != "":
		case member == "transport":
			rest = strings.TrimPrefix(after, ": ")
			first, _, _ := strings.Cut(strings.TrimPrefix(rest, "the settings"), " ")
			field = fieldOf + strings.TrimSuffix(first, ":")
		case member == "format":
			rest = strings.TrimPrefix(after, ": ")
			field, _, _ = strings.Cut(rest, " ")
			field, _, _ = strings.Cut(field, "[")
		default:
			field = member
			if after, colon := strings.CutPrefix(after, ": "); colon {
				rest = after
			}
		}
	}
	if field == "" || field == fieldOf {
		p.Refused = shell.AsSentence(rest)
		return
	}
	p.Wrong[field] = shell.AsSentence(rest)
}
