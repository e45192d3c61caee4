package store

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// oldestLine is the line with which a migration says which programs can work
// beside it: the number of the last migration that they must know. Its own
// number means that only programs that know the migration itself can.
var oldestLine = regexp.MustCompile(`(?m)^-- oldest: (\d+)$`)

// oldestOf returns the number of a migration, and of the last one that programs
// must know to work beside it. A file that does not say admits none that do not
// know it.
func oldestOf(name, text string) (version, oldest int64, err error) {
	number, _, _ := strings.Cut(path.Base(name), "_")
	if version, err = strconv.ParseInt(number, 10, 64); err != nil {
		return 0, 0, fmt.Errorf("migration %s has no number: %w", name, err)
	}
	said := oldestLine.FindStringSubmatch(text)
	if said == nil {
		return version, version, nil
	}
	if oldest, err = strconv.ParseInt(said[1], 10, 64); err != nil || oldest < FirstSchema || oldest > version {
		return 0, 0, fmt.Errorf("migration %d: its oldest schema must be from %d to %[1]d", version, FirstSchema)
	}
	return version, oldest, nil
}
