package store_test

import (
	"database/sql"
	"fmt"
	"sync"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// TestSchemaChangesUnderway holds that nobody notices when a newer program migrates
// the database while this one runs: connections whose statements were prepared for
// the old columns are dropped, and the statements are run again.
func TestSchemaChangesUnderway(t *testing.T) {
	url := storetest.PostgresURL(t)
	db := openURL(t, url)
	in := db.In(storetest.Account(t, db).Scope())
	must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{person("1", "Reyes", "Ana")})))
	other, err := sql.Open("pgx", url)
	must(t, err)
	defer other.Close()
	everything := func(step string) {
		var all sync.WaitGroup
		for i := range 24 {
			all.Go(func() {
				for range 8 {
					if _, err := in.Traveller(t.Context(), "id:1"); err != nil {
						t.Errorf("%s: read: %v", step, err)
					}
					if _, err := in.SuggestTravellers(t.Context(), "REY", nil, 10); err != nil {
						t.Errorf("%s: suggest: %v", step, err)
					}
					_, err := in.UpsertTravellers(t.Context(), []gangway.Traveller{person(fmt.Sprint("n", i), "Santos",
						"Bea")})
					if err != nil {
						t.Errorf("%s: write many: %v", step, err)
					}
					if _, err := in.UpdateSettings(t.Context(), storetest.Operator, storetest.Began,
						func(*gangway.Settings) error {
							return nil
						}); err != nil {
						t.Errorf("%s: write: %v", step, err)
					}
				}
			})
		}
		all.Wait()
	}
	everything("before")
	for _, change := range []string{
		`ALTER TABLE traveller ALTER COLUMN doc TYPE varchar; ALTER TABLE account ALTER COLUMN settings TYPE varchar`,
		`ALTER TABLE traveller ALTER COLUMN doc TYPE text; ALTER TABLE account ALTER COLUMN settings TYPE text`,
	} {
		must(t, did(other.ExecContext(t.Context(), change)))
		everything(change)
	}
}
