//go:build !oracle

package database_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/database"
)

// TestOracleLeftOut checks that a program without Oracle's driver says which program has it.
func TestOracleLeftOut(t *testing.T) {
	settings := json.RawMessage(`{"url": "oracle://u@crew.example/crew", "query": "SELECT 1"}`)
	_, opening := database.Kind.Open(settings, transport.Options{})
	for _, err := range []error{opening, database.Kind.Lacks(settings)} {
		if gangway.KindOf(err) != gangway.Invalid || !strings.HasPrefix(err.Error(), "url ") ||
			!strings.Contains(err.Error(), "make build-oracle") {
			t.Errorf("of an Oracle address: %v; want Invalid, and the program that reads it", err)
		}
	}
	if err := database.Kind.Lacks(json.RawMessage(`{"url": "mysql://u@crew.example/crew"}`)); err != nil {
		t.Errorf("of a MySQL address: %v; want nothing", err)
	}
}
