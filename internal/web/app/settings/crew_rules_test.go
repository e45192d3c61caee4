package settings_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

const crewRules = "/settings/crew-rules"

// TestCrewRules: an admin sets hours, nights, buffers, prices, transits and rates on one page, which says where each
// default is from; what cannot be read is said at its field and nothing is saved.
func TestCrewRules(t *testing.T) {
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	opened := admin.Get(crewRules).Has("Our own default: 24:00", "Our own default: 6.", "Crew need: any",
		`href="/settings/policy"`, "oysterlink.com")
	form := opened.Sent(crewRules)
	admin.Post(crewRules, form).Shows(crewRules, "were saved")
	if got := settingsOf(t, s); len(got.Crew.Typed()) > 0 || len(s.Audit(t, gangway.SettingsChanged)) != 0 {
		t.Errorf("the form as it opens sets %q", got.Crew.Typed())
	}
	form = admin.Get(crewRules).Sent(crewRules)
	admin.Post(crewRules, fill(form, "rates", " 1 EUR =  1.0845 USD, 19 nov, ECB daily\r\n",
		"board_by", "18:00", "nights", "0", "short", "10", "critical", "5",
		"night_price", "150", "night_prices", "nlrtm 160\nBKK 60.5 USD", "transits", "us dxb")).Shows(crewRules,
		"were saved", "NLRTM 160.00 USD", "NLRTM port of Rotterdam", `value="DXB, US"`,
		"1 EUR = 1.0845 USD, 19 Nov 2036, ECB daily")
	got := settingsOf(t, s)
	if fmt.Sprint(got.Crew.Typed()) != "map[board_by:18:00 critical:5 night_price:150.00 USD "+
		"night_prices:BKK 60.50 USD\nNLRTM 160.00 USD nights:0 short:10]" || got.Transits != "DXB,US" ||
		got.Rates != "1 EUR = 1.0845 USD, 19 Nov 2036, ECB daily" {
		t.Errorf("the settings are %q, %q, %q", got.Crew.Typed(), got.Transits, got.Rates)
	}
	apptest.IsEntry(t, s, apptest.LastEntry(t, s), gangway.SettingsChanged, "admin@example.com (Ingrid Holm)")
	admin.Get("/settings/audit").Has("board by: none → 18:00", "night price: none → 150.00 USD",
		"transits: none → DXB,US", "rates: none → 1 EUR = 1.0845 USD, 19 Nov 2036, ECB daily")

	again := func() url.Values { return admin.Get(crewRules).Sent(crewRules) }
	for field, wrong := range map[string]string{"board_by": "25:00", "leave_from": "noon", "nights": "many",
		"short": "4", "critical": "11", "night_price": "150 EUR", "night_prices": "NLXXX 10", "transits": "QQQ",
		"rates": "EUR 1.0845"} {
		admin.Post(crewRules, fill(again(), field, wrong)).Is(http.StatusUnprocessableEntity, "1 field to correct",
			`id="`+field+`"`, `aria-invalid="true"`, wrong)
	}
	if now := settingsOf(t, s); *now.Crew.Nights != 0 || now.Rates != got.Rates {
		t.Errorf("what was refused has changed the rules to %q, %q", now.Crew.Typed(), now.Rates)
	}

	stale := again()
	now := settingsOf(t, s)
	now.Crew.BoardBy = "20:00"
	storetest.Settings(t, apptest.Production(s), now)
	admin.Post(crewRules, fill(stale, "nights", "3")).Is(http.StatusConflict, "omebody has changed the rules",
		`value="3"`)
	now.SetCurrency("EUR")
	storetest.Settings(t, apptest.Production(s), now)
	admin.Get(crewRules).Has("In any port, EUR", "1 EUR = 1.0845 USD", "150.00 USD")
	admin.Post(crewRules, again()).Is(http.StatusUnprocessableEntity, "in EUR, the currency of this account")
	admin.Post(crewRules, fill(again(), "night_price", "", "night_prices", "")).Shows(crewRules, "were saved",
		"1 EUR = 1.0845 USD")
	s.Passed.Store(int64(time.Minute))
	for _, role := range []gangway.Role{gangway.Booker, gangway.Approver} {
		s.SignedIn(t, role).Post(crewRules, again()).Is(http.StatusForbidden)
	}
}
