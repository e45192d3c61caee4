// Package background is for work that no caller waits for: a panic in it must not
// end the process and everybody else's work with it.
package background

import (
	"fmt"
	"log/slog"
	"runtime/debug"
)

// Guard runs do, which what describes, and returns its error. A panic in it is logged
// and returned as an error; work that was begun is left to follow-up.
func Guard(log *slog.Logger, what string, do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			log.Error("a panic was caught", "doing", what, "panic", r, "stack", string(debug.Stack()))
			err = fmt.Errorf("%s: panic", what)
		}
	}()
	return do()
}
