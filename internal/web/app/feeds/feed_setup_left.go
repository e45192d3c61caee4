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
	if unread := leftNames(t.Unread, mapping.MostUnread); unread.Names != nil {
		unread.What = "Not used"
		list = append(list, unread)
	}
	if unfilled := leftNames(t.Unfilled, 0); unfilled.Names != nil {
		unfilled.What = "No record had"
		list = append(list, unfilled)
	}
	return list
}

// leftNames are the first of names, of which there may be more than most; 0: there are not.
func leftNames(names []string, most int) (n namesLeft) {
	shown := names[:min(len(names), mostLeft)]
	for _, name := range shown {
		n.Names = append(n.Names, shortened(name))
	}
	if more := len(names) - len(shown); more > 0 {
		n.More = shell.Number(more) + " more"
		if most > 0 && len(names) >= most {
			n.More = "at least " + n.More
		}
	}
	return n
}
