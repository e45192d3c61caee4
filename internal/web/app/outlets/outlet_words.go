package outlets

import "gangway/internal/web/app/feeds"

// outletKind names a kind of transport that bookings leave by.
func outletKind(kind string) string {
	if kind == "mail" {
		return "Mail"
	}
	return feeds.KindWords(kind)
}
