package flights

import (
	"net/http"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// A form shows only the end of a passport number that the customer's system has
// sent. When the form comes back with just that end, the number stays as it was. The
// button Show reveals all of it, and the audit log says who pressed it.
//
// Decided: docs/choices.md, "The audit log".

// MaskedNumber returns what a form shows of the number in a field, and whether that
// hides a part. known is the number on record.
func MaskedNumber(typed, known string, shown bool) (text string, hides bool) {
	if known == "" || typed != known || shown {
		return typed, false
	}
	return MaskDocument(known), true
}

// UnmaskedNumber returns the number that a field means.
func UnmaskedNumber(typed, known string) string {
	if known != "" && typed == MaskDocument(known) {
		return known
	}
	return typed
}

// retype asks for the whole number where only a part was changed.
const retype = "This is not a whole number: only its end is shown here. Type the whole number, or show it first."

// WantsDocument reports whether a form was sent by its button Show.
func WantsDocument(r *http.Request) bool { return r.PostFormValue("show") == "document" }

// RecordShown notes in the audit log that somebody was shown the passport number of a
// member of a search, named by the customer's own identifier where there is one. It
// does so only where the page that follows has the number.
func (room *Room) RecordShown(r *http.Request, in store.Scoped, s gangway.Search, member int, number string) error {
	if known := s.Members[member].Traveller.DocNumber; known == "" || number != known {
		return nil
	}
	about := map[string]any{"search": s.ID, "member": member}
	if id := s.Members[member].Traveller.ID; id != "" {
		about["traveller"] = id
	}
	return in.Record(r.Context(), room.Actor(r), gangway.DocumentShown, about, room.Now())
}
