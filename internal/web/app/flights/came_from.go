package flights

import (
	"gangway"
	"gangway/internal/web/app/shell"
)

// CameFrom says in words where a record comes from and, where known, on which day it
// was last seen there.
func CameFrom(from gangway.Origin) string {
	words := "Uploaded by your crew planning system"
	if name := from.Source.Feed(); name != "" {
		words = "From the feed “" + name + "”"
	}
	if from.SeenAt.IsZero() {
		return words
	}
	return words + ", last on " + shell.DateInWords(gangway.DateOf(from.SeenAt))
}
