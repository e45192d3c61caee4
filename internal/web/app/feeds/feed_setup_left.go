package feeds

import (
	"gangway/internal/accept/mapping"
	"gangway/internal/accept/poll"
	"gangway/internal/web/app/shell"
)

// A namesLeft says what a mapping leaves out: the first names, and how many more there are.
type namesLeft struct {
	What  string
	Names []string
	More  string
}

// mostLeft is how many names are shown of each: more are a wall that nobody reads.
const mostLeft = 8

// namesLeftOut are what of theirs became no field of ours, and which fields of ours no record had.
func namesLeftOut(t poll.Trial) (list []namesLeft) {
	for i, names := range [][]string{t.Unread, t.Unfilled} {
		if len(names) == 0 {
			continue
		}
		n := namesLeft{What: []string{"Not used", "No record had"}[i]}
		for _, name := range names[:min(len(names), mostLeft)] {
			n.Names = append(n.Names, shortened(name))
		}
		if more := len(names) - len(n.Names); more > 0 {
			n.More = shell.Number(more) + " more"
		}
		if i == 0 && len(names) >= mapping.MostUnread {
			n.More = "at least " + n.More
		}
		list = append(list, n)
	}
	return list
}
