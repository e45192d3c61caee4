package report_test

import (
	"testing"

	"gangway"
	"gangway/internal/web/app/apptest"
)

func TestReport(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.Reported(t, apptest.Production(s), 300)
	c := s.SignedIn(t, gangway.Booker)
	a := c.Get("/report")
	a.Shows("/report", "By vessel", "By route", "By airline")
	a.Lacks("could not be worked out")
}
