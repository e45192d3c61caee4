package book

import (
	"fmt"
	"log/slog"
	"runtime/debug"
)

// Guard does work in the background and returns its error. A panic in it is
// logged and returned as an error: it must not end the process with everybody
// else's work. What was begun is left to follow-up.
func Guard(log *slog.Logger, what string, do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			log.Error("a panic was caught", "doing", what, "panic", r, "stack", string(debug.Stack()))
			err = fmt.Errorf("%s: panic", what)
		}
	}()
	return do()
}
