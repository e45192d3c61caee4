package flights

import (
	"net/http"

	"gangway"
	"gangway/internal/store"
)

// A passport number that the customer's system has sent is not shown in a form
// but for its end, and stays what it is when the form comes back so. Whoever
// presses Show sees all of it, and the audit log says who did.
//
// Decided: docs/choices.md, "The audit log".

// MaskedNumber is what a form shows of the number in a field, where known is
// the number on record, and whether it hides something.
func MaskedNumber(typed, known string, shown bool) (text string, hides bool) {
	if known == "" || typed != known || shown {
		return typed, false
	}
	return gangway.MaskDocument(known), true
}

// UnmaskedNumber is what was meant by a number in a field.
func UnmaskedNumber(typed, known string) string {
	if known != "" && typed == gangway.MaskDocument(known) {
		return known
	}
	return typed
}

// retype asks for a number of which only a part was changed.
const retype = "This is not a whole number: only its end is shown here. Type the whole number, or show it first."

// WantsDocument reports whether a form was sent by its button Show.
func WantsDocument(r *http.Request) bool { return r.PostFormValue("show") == "document" }

// RecordShown tells the audit log that somebody sees the passport number of a
// member of a search, by the customer's own identifier where there is one. It
// does so only where the number is in the form that comes back.
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
