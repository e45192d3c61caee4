package deliver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// reasonShown is how many letters of a reason are shown: a mapping's message may be as long as somebody likes.
const reasonShown = 400

// FailureWords says in a sentence why a try at an outlet failed; a try that did not fail has none.
func FailureWords(a store.Attempt, o gangway.Outlet) string {
	switch {
	case a.At.IsZero() || a.Status >= 200 && a.Status <= 299:
		return ""
	case a.Status == 0:
		return gangway.Sentence(gangway.Shortened(o.AnswerWords(a.Status, a.Answer), reasonShown))
	case a.Status >= 300 && a.Status <= 399:
		return fmt.Sprintf("It answered %s: redirects are not followed, so the address must be the right one.",
			gangway.HTTPStatusWords(a.Status))
	case a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden:
		return fmt.Sprintf("It answered %s: it does not accept the outlet's authentication.",
			gangway.HTTPStatusWords(a.Status))
	}
	return fmt.Sprintf("It answered %s.", gangway.HTTPStatusWords(a.Status))
}

// ofMapping reports whether nothing came of a try because of the outlet's mapping.
func ofMapping(a store.Attempt, o gangway.Outlet) bool {
	return o.Mapping != "" && a.Status == 0 && (a.Unsent() || strings.HasPrefix(a.Answer, mappingRests))
}

var (
	errNoSignature = errors.New(store.NothingSent + "a signing secret of the outlet cannot be used: make a new " +
		"one, and drop the old one, on the outlet's page or by gangway outlet rotate --now")
	errTooLong = errors.New(store.NothingSent + "the document was not made in time: this machine is busy, and it is " +
		"tried again")
	errOurs = errors.New(store.NothingSent + "the document could not be made: whoever runs Gangway finds the reason " +
		"in its log, and it is tried again")
)

// unsent says for admins why a consignment could not be made or sent, in place of an error of ours: errOurs where they
// can do nothing about it.
func unsent(err error) error {
	var settings *gangway.Error
	switch {
	case errors.Is(err, errSecret):
		return errNoSignature
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return errTooLong
	case errors.As(err, &settings) && settings.Kind == gangway.Invalid:
		return fmt.Errorf("%sthe outlet's settings cannot be used: %s", store.NothingSent, settings.Msg)
	}
	return errOurs
}
