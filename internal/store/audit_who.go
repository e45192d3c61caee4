package store

import (
	"context"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// actors are the people and programs that an AuditQuery asks for.
type actors struct {
	ids  []string
	name string // the operating system's user, if commands are asked for
}

// eachActor is a statement for everybody who has entries of a customer, each with
// the name in the latest.
var eachActor = latestOfEach("audit", "customer", "by_whom", "by_name", "at", mostValues)

// actors returns whom somebody typed: by an e-mail address or another ID, by a name
// or words of it, or by both as the page writes them. Names are looked up among
// those who have entries of the customer; without a customer only IDs are found.
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
		return actors{[]string{command}, typed}, nil // nobody has that name: it may be an operating system's user
	}
	return who, nil
}
