package store

import (
	"context"
	"slices"
	"strings"

	"gangway"
)

// actors are those whom an AuditQuery asks for.
type actors struct {
	ids  []string
	name string // of the operating system's user, where commands are asked for
}

// eachActor is a statement for those who have entries of a customer, each with
// the name of the latest.
var eachActor = latestOfEach("audit", "customer", "by_whom", "by_name", "at", mostValues)

// actors returns whom somebody typed: an e-mail address or another ID, a name
// or words of it, or both as the page writes them. Names are known of those who
// have entries of the customer; without one, IDs alone are taken.
func (db *DB) actors(ctx context.Context, customer, typed string) (actors, error) {
	typed = strings.TrimSpace(typed)
	command := gangway.ByCommand("", "").ID
	if user, ok := strings.CutPrefix(typed, command+" "); ok {
		return actors{[]string{command}, strings.TrimSpace(user)}, nil
	}
	id, _, _ := strings.Cut(typed, " (")
	who := actors{ids: []string{foldEmail(id)}}
	if strings.Contains(id, "@") || customer == "" || typed == "" {
		return who, nil
	}
	known := false
	err := eachRow(ctx, db.reader, eachActor, []any{customer}, func(row scanner) error {
		texts, err := scanTexts(row, 2)
		if err != nil {
			return err
		}
		switch {
		case texts[0] == who.ids[0]:
			known = true
		case texts[0] != command && gangway.HasWords(texts[1], typed) && len(who.ids) < mostFit:
			who.ids = append(who.ids, texts[0])
		}
		return nil
	})
	if err != nil {
		return who, err
	}
	if !known && len(who.ids) == 1 && !slices.Contains([]string{gangway.System, gangway.Unknown}, typed) {
		return actors{[]string{command}, typed}, nil // nobody else: an operating system's user
	}
	return who, nil
}
