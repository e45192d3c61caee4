package crew

import (
	"cmp"
	"context"

	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A batchNews tells readers of a crew change about its latest batch: that it is under
// way, or whom it did not book and why.
type batchNews struct {
	Search, ID string
	Words      string
	Under      bool       // it is under way
	Failed     []batchRow // people it did not book
	More       int        // how many of them are not named
}

// failedShown is how many people who were not booked a crew change names.
const failedShown = 5

// batchWords says who began a batch that is under way, and how far it is.
func batchWords(b store.BatchLine) string {
	does := " is booking "
	if b.Search == "" {
		does = " is changing the flights of "
	}
	return cmp.Or(b.By.Name, b.By.Email) + does + shell.Plural(b.All, "traveller", "travellers") + ": " +
		shell.Number(b.All-b.Pending) + " of " + shell.Number(b.All)
}

func batchNewsOf(b store.BatchLine) *batchNews {
	return &batchNews{Search: b.Search, ID: b.ID, Words: batchWords(b), Under: true}
}

// newsOf returns the news of a search's latest batch, or nil where there was none.
func (room *Room) newsOf(ctx context.Context, in store.Scoped, st flights.MemberBookings) (*batchNews, error) {
	if st.Batch == nil {
		return nil, nil
	}
	n := batchNewsOf(*st.Batch)
	if n.Under = st.Batch.Pending > 0; n.Under {
		return n, nil
	}
	n.Words = batchSummary{By: cmp.Or(st.Batch.By.Name, st.Batch.By.Email), At: st.Batch.CreatedAt}.Words()
	if st.Batch.Missed == 0 {
		return n, nil
	}
	p, err := room.batchNow(ctx, in, st.Batch.ID)
	if err != nil {
		return nil, err
	}
	for _, row := range p.Rows {
		switch {
		case row.Locator != "" || row.Wrong == "":
		case len(n.Failed) < failedShown:
			n.Failed = append(n.Failed, row)
		default:
			n.More++
		}
	}
	return n, nil
}
