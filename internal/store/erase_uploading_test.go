package store_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// TestUploadWhileErasing holds that an upload that arrives while a traveller is
// being erased does not keep the traveller as a dropped member.
func TestUploadWhileErasing(t *testing.T) {
	url := storetest.PostgresURL(t)
	db := openURL(t, url)
	in := db.In(storetest.Account(t, db).Scope())
	c := change("C1", "Nordlys", "2026-12-01")
	must(t, did(in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{c}, storetest.Began)))
	conn, watching := connect(t, url), connect(t, url)
	erasing, err := conn.Begin(t.Context())
	must(t, err)
	must(t, did(erasing.Exec(t.Context(),
		`UPDATE crew_change SET doc = replace(doc, 'Reyes', 'erased'), version = version + 1`)))
	sent := make(chan error)
	go func() {
		later := change("C1", "Nordlys", "2026-12-01")
		later.OnSigners[0].Traveller = person("3", "Diaz", "Eva")
		_, err := in.UpsertCrewChanges(t.Context(), []gangway.CrewChange{later}, storetest.Began)
		sent <- err
	}()
	untilSomebodyWaits(t, watching) // the upload, for the row
	must(t, erasing.Commit(t.Context()))
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	now, err := in.CrewChange(t.Context(), "id:C1")
	if err != nil || len(now.Dropped) != 1 {
		t.Fatalf("CrewChange = %+v, %v; want one dropped member", now, err)
	}
	if name := now.Dropped[0].Traveller.LastName; name != "erased" {
		t.Errorf("%s was erased, and is kept as a dropped member", name)
	}
}
