package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// errorKinds are the kinds of errors as programs read them.
var errorKinds = map[gangway.Kind]string{gangway.Internal: "internal", gangway.Invalid: "invalid",
	gangway.NotFound: "not_found", gangway.Conflict: "conflict", gangway.Denied: "denied",
	gangway.Unavailable: "unavailable"}

// printError says why a command failed.
func printError(out io.Writer, err error, asJSON bool) {
	text := store.Told(err).Error()
	if !asJSON {
		fmt.Fprintln(out, "gangway:", text)
		return
	}
	kind := errorKinds[gangway.KindOf(err)]
	if wrong := (usageError{}); errors.As(err, &wrong) {
		kind = "usage"
	}
	_ = printJSON(out, map[string]string{"error": text, "kind": kind}) // there is nowhere else to say it
}

// wantsJSON reports whether a command line asks for JSON, also one that cannot be read.
func wantsJSON(args []string) bool {
	given, err := strconv.ParseBool(os.Getenv("GANGWAY_JSON"))
	return err == nil && given || slices.Contains(args, "--json")
}
