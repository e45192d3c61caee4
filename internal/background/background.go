// Package background is for work that nobody waits for: a panic in it must not
// end the process with everybody else's work.
package background

import (
	"fmt"
	"log/slog"
	"runtime/debug"
)

// Guard does a piece of work, named by what, and returns its error. A panic in
// it is logged and returned as an error; what was begun is left to follow-up.
func Guard(log *slog.Logger, what string, do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			log.Error("a panic was caught", "doing", what, "panic", r, "stack", string(debug.Stack()))
			err = fmt.Errorf("%s: panic", what)
		}
	}()
	return do()
}
