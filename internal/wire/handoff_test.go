package wire_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"gangway"
	"gangway/internal/wire"
)

func form(pairs ...string) url.Values {
	f := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		f.Set(pairs[i], pairs[i+1])
	}
	return f
}

func TestReadHandoff(t *testing.T) {
	f := form("vessel", "Nordlys", "flag", "no", "change_airport", "ams",
		"onsigners[1][last_name]", "Kowalski", "onsigners[1][dob]", "31.12.1990",
		"onsigners[0][last_name]", "O'Brien-Smith, Jr.", "onsigners[0][first_name]", "Zoë", "onsigners[0][dob]", "1990-04-30",
		"onsigners[0][nationality]", "ie", "onsigners[0][gender]", "f", "onsigners[0][doc_country]", "IE", "onsigners[0][doc_number]", "P123",
		"onsigners[0][doc_expire]", "2031-01-01", "onsigners[0][home_airport]", "dub", "onsigners[0][arrive]", "2026-12-01",
		"onsigners[0][id]", "C-7", "onsigners[0][custom_fields][Cost centre]", "77",
		"offsigners[0][last_name]", "Santos", "offsigners[0][arrive]", "2026-12-02",
		"unknown", "x", "onsigners[x][dob]", "x", "onsigners[0]", "x")
	h, err := wire.ReadHandoff(f)
	if err != nil {
		t.Fatal(err)
	}
	c := h.Change
	if c.Vessel != "Nordlys" || c.Flag != "NO" || c.ChangeAirport != "AMS" || len(c.OnSigners) != 2 || len(c.OffSigners) != 1 || len(h.Warnings) != 3 {
		t.Fatalf("ReadHandoff = %+v with %d warnings", c, len(h.Warnings))
	}
	zoe := c.OnSigners[0]
	if zoe.LastName != "OBrienSmith Jr" || zoe.FirstName != "Zoë" || zoe.Nationality != "IE" || zoe.Gender != "F" || zoe.HomeAirport != "DUB" ||
		zoe.Arrive.Date != "2026-12-01" || zoe.CustomFields["Cost centre"] != "77" || zoe.ID != "C-7" || len(h.Warnings[0]) != 0 {
		t.Errorf("first member = %+v, warnings %q", zoe, h.Warnings[0])
	}
	kowalski := c.OnSigners[1]
	if kowalski.LastName != "Kowalski" || kowalski.DOB != "" || !strings.Contains(strings.Join(h.Warnings[1], " "), `"31.12.1990"`) {
		t.Errorf("a malformed date gives %+v, warnings %q; want it left out and told", kowalski, h.Warnings[1])
	}
	if off := c.OffSigners[0]; off.Call(gangway.OffSigner).Date != "2026-12-02" {
		t.Errorf("an off-signer's arrival binds on %+v; want 2026-12-02", off.Call(gangway.OffSigner))
	}
}

func TestReadHandoffLimits(t *testing.T) {
	f := url.Values{}
	for i := range 200 {
		f.Set(fmt.Sprintf("onsigners[%d][last_name]", i), "Santos")
	}
	if _, err := wire.ReadHandoff(f); err != nil {
		t.Errorf("200 members: %v", err)
	}
	f.Set("offsigners[0][last_name]", "Santos")
	if _, err := wire.ReadHandoff(f); gangway.KindOf(err) != gangway.Invalid {
		t.Errorf("201 members: %v; want Invalid", err)
	}
	if _, err := wire.ReadHandoff(form("vessel", "\xff")); gangway.KindOf(err) != gangway.Invalid {
		t.Errorf("no UTF-8: %v; want Invalid", err)
	}
	if h, err := wire.ReadHandoff(url.Values{}); err != nil || h.Change.Size() != 0 {
		t.Errorf("an empty form = %+v, %v; want no members and no error", h, err)
	}
}
