package limit

import (
	"errors"
	"strings"
	"unicode"

	"gangway/internal/transport/guard"
)

// longestWords is how much of what a server says is repeated.
const longestWords = 200

// Words returns what a server said as it may be repeated in a sentence: one short line,
// without control characters and without secrets.
func Words(said string, secrets ...string) string {
	for _, secret := range secrets {
		if secret != "" {
			said = strings.ReplaceAll(said, secret, "…")
		}
	}
	said = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(said, "�"), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
	if cut := []rune(said); len(cut) > longestWords {
		return string(cut[:longestWords]) + "…"
	}
	return said
}

// Unreachable describes why a server could not be connected to, or stopped answering.
// Sentences of this package stay as they are.
func Unreachable(err error, secrets ...string) error {
	switch {
	case err == nil, errors.As(err, new(*SlowError)), errors.Is(err, ErrSlow), errors.Is(err, ErrTooMuch):
		return err
	}
	return errors.New(Words(guard.Explain(err, "no answer").Error(), secrets...))
}
