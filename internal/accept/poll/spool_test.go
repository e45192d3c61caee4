package poll_test

import (
	"strings"
	"testing"

	"gangway/internal/accept/poll"
	"gangway/internal/store/storetest"

	"gangway/internal/gangway"
)

// A document that is known to be longer than is taken is refused before any of it is read or stored.
func TestTooLongADocumentIsRefusedUnread(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	d.set(gangway.TravellersFlow, "", byHand)
	unread := brokenReader{gangway.Errorf(gangway.Internal, "it was read")}
	_, err := d.poller.Give(t.Context(), d.in, "crew", poll.Document{By: maya, Body: unread, Size: 1<<30 + 1})
	if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), "longer than the 1024 MiB") {
		t.Errorf("a document of more than 1 GiB: %v; want it refused unread", err)
	}
	doc := text(crew("Ana"))
	doc.Size = 1 << 30
	d.gives(doc) // as long as may be
}
