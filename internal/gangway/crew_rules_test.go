package gangway

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
)

// from answers with what was typed into fields.
func from(typed map[string]any) func(string) string {
	return func(field string) string {
		text, _ := typed[field].(string)
		return text
	}
}

// TestReadCrewRules: rules are read as people type them and written so again, and what is wrong is said by field.
func TestReadCrewRules(t *testing.T) {
	typed := map[string]any{"board_by": "6:00", "leave_from": "18:00", "nights": "0", "short": "10", "critical": "4",
		"night_price": "150", "night_prices": "nlrtm 160.50\n\n BKK  60 usd\r\n"}
	want := map[string]any{"board_by": "06:00", "leave_from": "18:00", "nights": "0", "short": "10", "critical": "4",
		"night_price": "150.00 USD", "night_prices": "BKK 60.00 USD\nNLRTM 160.50 USD"}
	rules, wrong := ReadCrewRules(from(typed), DefaultCrewRules(), "USD")
	if len(wrong) > 0 || !maps.Equal(rules.Typed(), want) {
		t.Fatalf("read as %q, wrong %v; want %q", rules.Typed(), wrong, want)
	}
	again, wrong := ReadCrewRules(from(rules.Typed()), DefaultCrewRules(), "USD")
	if len(wrong) > 0 || !maps.Equal(again.Typed(), want) {
		t.Errorf("read again they are %q, wrong %v", again.Typed(), wrong)
	}
	var fields map[string]json.RawMessage
	if doc, err := json.Marshal(rules); err != nil || json.Unmarshal(doc, &fields) != nil {
		t.Fatal(err)
	}
	for field := range fields {
		if want[field] == nil || len(fields) != len(want) {
			t.Errorf("stored are %q; want what can be typed", fields)
		}
	}
	ports := make([]string, 101)
	for i := range ports {
		ports[i] = fmt.Sprintf("NL%03d 1", i)
	}
	for _, tt := range [][]string{{"board_by", "24:01"}, {"board_by", "6"}, {"leave_from", "24:00"}, {"nights", "-1"},
		{"nights", "31"}, {"short", "5"}, {"short", "12 h"}, {"critical", "13"}, {"night_price", "-1"},
		{"night_price", "1.234"}, {"night_price", "9 EUR"}, {"night_prices", "NLRTM"}, {"night_prices", "NLRTM 1 EUR"},
		{"night_prices", "NLRTM 1\nnlrtm 2"}, {"night_prices", strings.Join(ports, "\n")}} {
		_, wrong := ReadCrewRules(from(map[string]any{tt[0]: tt[1]}), DefaultCrewRules(), "USD")
		if len(wrong) != 1 || KindOf(wrong[tt[0]]) != Invalid {
			t.Errorf("%.40q: wrong are %v; want that field", tt, wrong)
		}
	}
	_, wrong = ReadCrewRules(from(map[string]any{"night_price": "150"}), CrewRules{}, "")
	if wrong["night_price"] == nil {
		t.Error("a price without a currency was read")
	}
}

// TestNight: a crew change's own price is before that of a port, and that before the account's. Nobody makes one up.
func TestNight(t *testing.T) {
	usd := func(units int64) Money { return Money{Minor: units * 100, Currency: "USD"} }
	account := CrewRules{NightPrice: usd(150), NightPrices: "BKK 60.00 USD\nNLRTM 160.00 USD"}
	for _, tt := range []struct {
		name  string
		rules CrewRules
		at    []Place
		want  Money
	}{
		{"of the port", account, []Place{"NLRTM", "AMS"}, usd(160)},
		{"of the airport", account, []Place{"THBKK", "BKK"}, usd(60)},
		{"of the account", account, []Place{"SGSIN", "SIN"}, usd(150)},
		{"of the crew change", CrewRules{NightPrice: usd(90)}.Or(account), []Place{"NLRTM"}, usd(90)},
		{"a crew change without one", CrewRules{BoardBy: "06:00"}.Or(account), []Place{"NLRTM"}, usd(160)},
		{"nights for nothing", CrewRules{NightPrice: usd(0)}.Or(account), []Place{"NLRTM"}, usd(0)},
		{"nobody knows", CrewRules{}.Or(DefaultCrewRules()), []Place{"NLRTM"}, Money{}},
	} {
		if got, known := tt.rules.Night(tt.at...); got != tt.want || known != (tt.want != Money{}) {
			t.Errorf("%s: %v, %t; want %v", tt.name, got, known, tt.want)
		}
	}
}

// TestByHour: the ship's hour is for who comes on its day, or later.
func TestByHour(t *testing.T) {
	join, leave := Leg{ArriveOn: "2026-12-05"}, Leg{Date: "2026-12-05"}
	for _, tt := range []struct {
		side       Side
		hour       string
		ship       Date
		leg        Leg
		by, leaves string
	}{
		{OnSigner, "06:00", "2026-12-05", join, "06:00", ""},
		{OnSigner, "24:00", "2026-12-05", Leg{ArriveOn: "2026-12-05", ArriveBy: "06:00"}, "", ""},
		{OnSigner, "06:00", "2026-12-06", join, "", ""},
		{OnSigner, "", "2026-12-05", Leg{ArriveOn: "2026-12-05", ArriveBy: "18:00"}, "18:00", ""},
		{OffSigner, "18:00", "2026-12-05", leave, "", "18:00"},
		{OffSigner, "18:00", "2026-12-06", leave, "", ""},
		{"", "18:00", "2026-12-05", leave, "", ""},
	} {
		legs := []Leg{tt.leg}
		if ByHour(legs, tt.side, tt.hour, tt.ship); legs[0].ArriveBy != tt.by || legs[0].LeaveAfter != tt.leaves {
			t.Errorf("%+v: the leg is %+v", tt, legs[0])
		}
	}
}
