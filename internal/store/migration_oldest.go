package store

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// firstSaying is the first migration that says the oldest schema whose
// programs can work with it.
const firstSaying = 17

// oldestLine is the line by which a migration says the oldest schema whose
// programs can work with it: the number of the last migration that they must
// know. Its own number: none but those that know it.
var oldestLine = regexp.MustCompile(`(?m)^-- oldest: (\d+)$`)

// saysOldest returns the statement that writes down, together with what
// the migration does, what its file says of programs that do not know it. A
// file that says nothing admits none of them.
func saysOldest(name, text string) (string, error) {
	number, _, _ := strings.Cut(path.Base(name), "_")
	version, err := strconv.Atoi(number)
	if err != nil {
		return "", fmt.Errorf("migration %s has no number: %w", name, err)
	}
	if version < firstSaying {
		return "", nil
	}
	oldest := version
	if said := oldestLine.FindStringSubmatch(text); said != nil {
		if oldest, err = strconv.Atoi(said[1]); err != nil || oldest < firstSaying || oldest > version {
			return "", fmt.Errorf("migration %d: its oldest schema is from %d to %[1]d", version, firstSaying)
		}
	}
	return fmt.Sprintf("\nINSERT INTO schema_oldest (version, oldest)\nVALUES (%d, %d)\nON CONFLICT DO NOTHING;\n",
		version, oldest), nil
}
