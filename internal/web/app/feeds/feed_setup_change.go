package feeds

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"

	"gangway/internal/accept/poll"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/web/app/shell"
)

// A settingsHeld are the settings of a kind of transport that somebody has turned away from on the page where a feed
// is set up. The form carries them sealed, so that they are there again when that kind is chosen once more.
type settingsHeld struct {
	Open json.RawMessage `json:",omitempty"` // as they may be shown
	Kept json.RawMessage `json:",omitempty"` // with their secrets
}

// sealedForOthers is what the settings of the kinds that are not shown are sealed for.
const sealedForOthers = "settings of a feed: kinds that are not shown"

// sharedSettings are the settings that mean the same for every kind that has them, and so move with whoever changes
// the kind. Secrets do not: they were typed for another system.
var sharedSettings = []string{"host", "user", "path", "pattern", "ca"}

// changeKind shows the page with the settings of another kind of transport. All that was typed stays on it, and what
// belongs to the kind that is left comes back with that kind.
func (room *Room) changeKind(w http.ResponseWriter, r *http.Request, in store.Scoped, p feedSetupPage,
	kept json.RawMessage, to string) error {
	others := othersOf(r)
	now := settingsHeld{Open: room.typed(r, p), Kept: room.held(r, p, kept)}
	hide := room.hides(r, p, now.Kept) // of the system that the document may have come from
	if to != p.Kind {
		others[p.Kind] = now
		next, was := others[to]
		if !was {
			next.Open = room.shared(p.Kind, to, now.Open)
		}
		p.Kind, now = to, next
		delete(others, to)
	}
	sealed, err := json.Marshal(others)
	if err != nil {
		return err
	}
	p.Others, p.Sealed = shell.Sealed(r.Context(), sealedForOthers, string(sealed)), ""
	p.seal(r.Context(), now.Kept)
	if err := p.carryFile(r); err != nil {
		return err
	}
	if err := room.showAgain(r.Context(), in, &p, hide); err != nil {
		return err
	}
	p.Changed = true
	return room.showSetup(w, r, in, p, now.Open, 0)
}

// othersOf are the settings that the form carries of the kinds that it does not show.
func othersOf(r *http.Request) map[string]settingsHeld {
	others := map[string]settingsHeld{}
	if was := shell.Unsealed(r.Context(), sealedForOthers, r.PostFormValue("others")); was != "" {
		_ = json.Unmarshal([]byte(was), &others) // what cannot be read is typed again
	}
	return others
}

// held are the settings that were typed with those that are kept. Where they do not go together, what was kept stays,
// so that no secret is put beside the address of another system.
func (room *Room) held(r *http.Request, p feedSetupPage, kept json.RawMessage) json.RawMessage {
	if whole, _, err := room.given(r, p, kept); err == nil {
		return whole
	}
	return kept
}

// shared are those settings of one kind that another kind has as well.
func (room *Room) shared(from, to string, open json.RawMessage) json.RawMessage {
	a, errA := room.poller.Kind(from)
	b, errB := room.poller.Kind(to)
	if errA != nil || errB != nil {
		return nil
	}
	both := map[string]json.RawMessage{}
	for name, value := range membersOf(open) {
		has := func(s transport.Setting) bool { return s.Name == name && s.Secret == transport.NotSecret }
		if slices.Contains(sharedSettings, name) && slices.ContainsFunc(a.Settings, has) &&
			slices.ContainsFunc(b.Settings, has) {
			both[name] = value
		}
	}
	doc, err := json.Marshal(both)
	if err != nil {
		return nil
	}
	return doc
}

// carryFile has the form carry a file that was chosen and not tried yet: without a script a field for files comes back
// empty.
func (p *feedSetupPage) carryFile(r *http.Request) error {
	file := shell.FileOf(r.Context())
	if file == nil || file.Size > carriedBytes {
		return nil
	}
	doc, err := io.ReadAll(io.NewSectionReader(file, 0, file.Size))
	if err != nil {
		return err
	}
	about := poll.TriedDocument{Name: file.Name, ContentType: file.ContentType}
	p.Carried, p.Part = carry(doc, about, false), false
	return nil
}
