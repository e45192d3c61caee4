package store

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// firstWithOldest is the first migration whose file has an oldestLine.
const firstWithOldest = 17

// oldestLine is the line with which a migration says which programs can work
// beside it: the number of the last migration that they must know. Its own
// number means that only programs that know the migration itself can.
var oldestLine = regexp.MustCompile(`(?m)^-- oldest: (\d+)$`)

// oldestStatement returns the statement that stores what the migration's file says
// about programs that do not know it. It is run together with the migration. A
// file that says nothing admits none of them.
func oldestStatement(name, text string) (string, error) {
	number, _, _ := strings.Cut(path.Base(name), "_")
	version, err := strconv.Atoi(number)
	if err != nil {
		return "", fmt.Errorf("migration %s has no number: %w", name, err)
	}
	if version < firstWithOldest {
		return "", nil
	}
	oldest := version
	if said := oldestLine.FindStringSubmatch(text); said != nil {
		if oldest, err = strconv.Atoi(said[1]); err != nil || oldest < firstWithOldest || oldest > version {
			return "", fmt.Errorf("migration %d: its oldest schema must be from %d to %[1]d", version, firstWithOldest)
		}
	}
	return fmt.Sprintf("\nINSERT INTO schema_oldest (version, oldest)\nVALUES (%d, %d)\nON CONFLICT DO NOTHING;\n",
		version, oldest), nil
}
