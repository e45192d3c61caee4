package duffel

import (
	"context"
	"encoding/json"
	"fmt"

	"gangway/internal/gangway"
)

const budgetPrefix = "duffel-searches-"

// spend uses one of the account's searches for today, and fails if none is left. Days
// begin at midnight UTC.
func (s *Seller) spend(ctx context.Context) error {
	id := budgetPrefix + string(gangway.DateOf(s.now()))
	for try := 0; ; try++ {
		var used struct {
			Searches int `json:"searches"`
		}
		doc, version, err := s.ledger.Load(ctx, id)
		if err == nil {
			err = json.Unmarshal(doc, &used)
		} else if gangway.KindOf(err) == gangway.NotFound {
			err = nil
		}
		if err != nil {
			return fmt.Errorf("count searches: %w", err)
		}
		if used.Searches >= s.Daily {
			return gangway.Errorf(gangway.Unavailable,
				"today's %d searches with the airlines are used up; new ones are available from midnight UTC", s.Daily)
		}
		used.Searches++
		if doc, err = json.Marshal(used); err != nil {
			return fmt.Errorf("count searches: %w", err)
		}
		err = s.ledger.Save(ctx, gangway.Document{ID: id, Doc: doc, Version: version + 1})
		if gangway.KindOf(err) == gangway.Conflict && try < tries {
			continue // another process counted meanwhile
		}
		return err
	}
}

// tries is how often a write is tried when other versions are written first.
const tries = 20
