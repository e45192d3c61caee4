package apptest

import (
	"testing"

	"gangway/internal/store"

	"gangway/internal/gangway"
)

// LastEntry returns the latest entry of the audit log.
func LastEntry(t *testing.T, s *Site) gangway.AuditEntry {
	t.Helper()
	list := s.Audit(t, "")
	if len(list) == 0 {
		t.Fatal("the audit log is empty")
	}
	return list[len(list)-1]
}

// IsEntry fails the test unless e says that who, of the site's customer, did what.
func IsEntry(t *testing.T, s *Site, e gangway.AuditEntry, what gangway.AuditEvent, who string) {
	t.Helper()
	customer := s.Production.Customer.ID
	if who == gangway.Unknown {
		customer = ""
	}
	if e.What != what || e.By.Who() != who || e.Customer != customer || e.By.From != "127.0.0.1" || !e.At.Equal(Today) {
		t.Fatalf("the audit log says %+v; want %s by %s", e, what, who)
	}
}

// Audit returns the entries about an event, or all entries if none is named, oldest first.
func (s *Site) Audit(t *testing.T, of gangway.AuditEvent) []gangway.AuditEntry {
	t.Helper()
	return Must(s.DB.Audit(t.Context(), store.AuditQuery{What: of}, 1000))(t)
}
