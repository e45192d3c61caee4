package gangway

import (
	"strings"
	"time"
)

// A Source is where records come from.
type Source string

// Uploaded is the source of what the customer's system sends by itself. Such
// records win over records that we fetch from that system.
const Uploaded Source = "upload"

// fed is how the sources start that we fetch records from.
const fed = "feed:"

// FeedSource is the source of the records that a feed brings. A feed's name
// consists of letters, digits, hyphens and underscores.
func FeedSource(name string) Source { return Source(fed + name) }

// Feed returns the name of the feed that s is; empty if s is not a feed.
func (s Source) Feed() string {
	name, is := strings.CutPrefix(string(s), fed)
	if !is {
		return ""
	}
	return name
}

// An Origin is where records come from, in which of the source's runs, and when.
//
// Decided: docs/choices.md, "Where records come from".
type Origin struct {
	Source     Source
	Generation int64     // grows from run to run; for a record: of the run that last changed it
	SeenAt     time.Time // for a record: when it was last sent or fetched, to within a day; zero: not known
}
