package flights

import (
	"context"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// UploadLinks are the feeds to which the people of an account may give files with a flow's records.
type UploadLinks struct {
	Feeds []string
	More  int // that are not shown
}

// uploadLinksShown is how many of them a page offers.
const uploadLinksShown = 3

// UploadsOf returns where people give files with a flow's records.
func UploadsOf(ctx context.Context, in store.Scoped, flow gangway.Flow) (l UploadLinks, err error) {
	feeds, err := in.Feeds(ctx)
	for _, f := range feeds {
		switch {
		case !f.ByHand() || f.Off || f.Flow != flow:
		case len(l.Feeds) == uploadLinksShown:
			l.More++
		default:
			l.Feeds = append(l.Feeds, f.Name)
		}
	}
	return l, err
}
