package feeds_test

import (
	"net/http"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/apptest"
)

// TestFeedIsDeletedOnItsPage: whoever deletes a feed is told before what goes with it, and it goes, also while it is
// being fetched.
func TestFeedIsDeletedOnItsPage(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.SetFeeds(t, s)
	in, admin := apptest.Production(s), s.SignedIn(t, gangway.Admin)
	people := []gangway.Traveller{{ID: "C1", LastName: "Santos", FirstName: "Maria"},
		{ID: "C2", LastName: "Reyes", FirstName: "Ana"}}
	rows := apptest.Must(store.TravellerRows(people))(t)
	from := gangway.Origin{Source: gangway.FeedSource("crew"), Generation: s.DB.Generation(), SeenAt: s.Now()}
	apptest.Must(in.UpsertTravellerRows(t.Context(), rows, from))(t)
	admin.Get("/settings/feeds/crew").Has(`href="/settings/feeds/crew/delete"`)
	admin.Get("/settings/feeds/lookup/delete").Has("It has brought nothing that would go with it")
	admin.Get("/settings/feeds/crew/delete").Shows("/settings/feeds/crew/delete", "<li>2 travellers</li>",
		"Delete feed crew", "bookings")

	apptest.Done(t, in.HoldFeed(t.Context(), apptest.SetBusyFeed(t, s), s.Now().Add(15*time.Second)))
	admin.Get("/settings/feeds/busy/delete").Has("It is being fetched right now. Deleting the feed stops that.")
	admin.Post("/settings/feeds/busy/delete", nil).Has("Feed busy was deleted, and 0 records")

	admin.Post("/settings/feeds/crew/delete", nil).
		Shows("/settings/feeds", "Feed crew was deleted, and 2 records that only it had brought").
		Lacks(`href="/settings/feeds/crew"`)
	apptest.IsEntry(t, s, apptest.LastEntry(t, s), gangway.FeedDeleted, "admin@example.com (Ingrid Holm)")
	if list, err := in.SuggestTravellers(t.Context(), "Santos", nil, 10); err != nil || len(list) > 0 {
		t.Errorf("still suggested: %v, %v", list, err)
	}
	for _, sent := range []int{admin.Get("/settings/feeds/crew").Status,
		admin.Post("/settings/feeds/crew/delete", nil).Status} {
		if sent != http.StatusNotFound {
			t.Errorf("the feed that was deleted: %d; want 404", sent)
		}
	}
}
