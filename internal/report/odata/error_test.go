package odata

import (
	"errors"
	"strings"
	"testing"
)

// wantError checks that err is an *Error of that status whose text contains want.
func wantError(t *testing.T, err error, status int, want string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Status != status || !strings.Contains(e.Error(), want) {
		t.Errorf("err = %v; want %d, %s", err, status, want)
	}
}
