package poll_test

import (
	"path/filepath"
	"strings"
	"testing"

	"gangway/internal/accept/poll"
	"gangway/internal/store/storetest"

	"gangway/internal/gangway"
)

// Where the folder for temporary files takes nothing, the customer's system is not blamed, and no file of ours is
// named.
func TestNoRoomForDocumentsIsOurFault(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	c.has(crew("Ana") + strings.Repeat("C-1;Reyes;Ana;F\n", 20_000))
	d.set(gangway.TravellersFlow, c.URL)
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	run, err := d.poller.Fetch(t.Context(), d.in, "crew", poll.Ask{})
	if err != nil || !strings.Contains(run.Error, "on our side") || strings.Contains(run.Error, "nowhere") {
		t.Errorf("without a folder for temporary files: %+v, %v; want it to be our fault", run, err)
	}
}

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
