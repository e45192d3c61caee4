package gangway_test

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
)

// TestOutletNotice goes through what an outlet may meet, look by look, and what admins are told at each.
func TestOutletNotice(t *testing.T) {
	began := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	type look struct {
		at time.Duration
		// "well", "empty" (well, but nothing was accepted), "paused", and "off@D", "failing@D": since began + D; each
		// followed by " parked" if something is
		state string
		told  gangway.OutletNews
	}
	const (
		hour, day = time.Hour, 24 * time.Hour
		failing   = gangway.NewsFailing
		recovered = gangway.NewsRecovered
	)
	for name, looks := range map[string][]look{
		"what fails is told after an hour, and once more after a day": {
			{time.Minute, "failing@0s", ""}, {hour - time.Second, "failing@0s", ""}, {hour, "failing@0s", failing},
			{2 * hour, "failing@0s", ""}, {day - time.Second, "failing@0s", ""},
			{day, "failing@0s", gangway.NewsFailingDay}, {9 * day, "failing@0s", ""}},
		"a short break is told to nobody": {
			{time.Minute, "failing@0s", ""}, {hour, "well", ""}, {2 * hour, "well", ""}},
		"a recovery is told once it has lasted for a quarter of an hour, once": {
			{hour, "failing@0s", failing}, {2 * hour, "well", ""}, {2*hour + 14*time.Minute, "well", ""},
			{2*hour + 15*time.Minute, "well", recovered}, {3 * hour, "well", ""}},
		"it is no recovery that nothing was sent": {
			{hour, "failing@0s", failing}, {2 * hour, "empty", ""}, {5 * hour, "empty", ""},
			{6 * hour, "well", ""}, {7 * hour, "well", recovered}},
		"a quarter of an hour begins anew with each failure": {
			{hour, "failing@0s", failing}, {2 * hour, "well", ""}, {2*hour + 10*time.Minute, "failing@2h5m", ""},
			{2*hour + 16*time.Minute, "well", ""}, {2*hour + 20*time.Minute, "well", ""},
			{2*hour + 31*time.Minute, "well", recovered}},
		"switched off is told at once, and recovers once something was accepted": {
			{0, "off@0s", gangway.NewsOff}, {day, "off@0s", ""}, {day + hour, "empty", ""}, {day + 2*hour, "well", ""},
			{day + 3*hour, "well", recovered}},
		"what fails and is then switched off is told both": {
			{hour, "failing@0s", failing}, {hour + time.Minute, "off@0s", gangway.NewsOff}},
		"paused is not failing, and not recovered": {
			{day, "paused", ""}, {day + hour, "failing@0s", gangway.NewsFailingDay}, {2 * day, "paused", ""},
			{3 * day, "paused", ""}},
		"what fails again is told again, but not within six hours": {
			{hour, "failing@0s", failing}, {2 * hour, "well", ""}, {3 * hour, "well", recovered},
			{5 * hour, "failing@3h30m", ""}, {9*hour - time.Second, "failing@3h30m", ""},
			{9 * hour, "failing@3h30m", failing}},
		"what is parked is told at once, and not for each": {
			{0, "well parked", gangway.NewsParked}, {day, "well parked", ""}, {9 * day, "well parked", ""}},
		"once nothing was parked it is told anew, but not within six hours": {
			{0, "well parked", gangway.NewsParked}, {hour, "well", ""}, {2 * hour, "well parked", ""},
			{6 * hour, "well parked", gangway.NewsParked}, {7 * hour, "well", ""},
			{day, "well parked", gangway.NewsParked}},
		"what is parked is told beside the trouble, each once": {
			{hour, "failing@0s parked", failing}, {hour + time.Minute, "failing@0s parked", gangway.NewsParked},
			{2 * hour, "well parked", ""}, {3 * hour, "well parked", recovered}, {4 * hour, "well parked", ""}},
		"who switches off what was just switched on again is not heard at each time": {
			{0, "off@0s", gangway.NewsOff}, {time.Minute, "empty", ""}, {2 * time.Minute, "off@2m", ""},
			{6 * hour, "off@2m", gangway.NewsOff}},
	} {
		t.Run(name, func(t *testing.T) {
			var n gangway.OutletNotice
			for _, l := range looks {
				o, found := outletThat(t, began, l.state)
				next, told := n.Next(o, found, began.Add(l.at))
				if told != l.told {
					t.Fatalf("after %s, %s: told %q; want %q", l.at, l.state, told, l.told)
				}
				n = next
			}
		})
	}
	t.Run("one that comes and goes every hour and a quarter is told at most eight times a day", func(t *testing.T) {
		var n gangway.OutletNotice
		told := 0
		for at := time.Duration(0); at < day; at += time.Minute {
			state, round := "well", at%(150*time.Minute)
			if round < 75*time.Minute {
				state = "failing@" + (at - round).String()
			}
			o, found := outletThat(t, began, state)
			var news gangway.OutletNews
			if n, news = n.Next(o, found, began.Add(at)); news != "" {
				told++
			}
		}
		if told < 4 || told > 8 {
			t.Errorf("told %d times; want four to eight", told)
		}
	})
	t.Run("a mail says what, since when, why and what to do, and no secret", func(t *testing.T) {
		m := gangway.OutletMail{Notice: gangway.OutletNotice{News: failing, Since: began, At: began.Add(hour)},
			Outlet: gangway.Outlet{Name: "erp", Transport: gangway.Transport{Kind: "endpoint",
				Settings: []byte(`{"url":"https://crew.example/in?key=hush"}`)}},
			Account: gangway.Account{Customer: gangway.Customer{Name: "Halcyon Tankers"},
				Environment: gangway.Development},
			Condition: gangway.Condition{State: gangway.IsFailing,
				Latest: &gangway.OutletFailure{Why: "It answered 502 Bad Gateway."}},
			Page: "https://gangway.example/settings/outlets/erp"}
		want := "Gangway: outlet erp has been failing for an hour (Halcyon Tankers, development)"
		if got := m.Subject(); got != want {
			t.Errorf("subject %q; want %q", got, want)
		}
		one := m
		one.Condition.One = true
		want = "Gangway: outlet erp has not accepted one booking for an hour (Halcyon Tankers, development)"
		if got := one.Subject(); got != want {
			t.Errorf("subject %q; want %q", got, want)
		}
		text := m.Text()
		for _, part := range []string{"https://crew.example/in?…", "since Mon 2 Nov 2026 09:00 UTC", "502 Bad Gateway",
			"What to do:", "Halcyon Tankers", "development", m.Page} {
			if !strings.Contains(text, part) {
				t.Errorf("the mail lacks %q:\n%s", part, text)
			}
		}
		if strings.Contains(text, "hush") {
			t.Errorf("the mail has the secret of an address:\n%s", text)
		}
	})
}

// outletThat is an outlet in a state, and what is found there.
func outletThat(t *testing.T, began time.Time, state string) (o gangway.Outlet, found gangway.OutletLook) {
	t.Helper()
	state, found.Parked = strings.CutSuffix(state, " parked")
	is, after, _ := strings.Cut(state, "@")
	if after != "" {
		since := calltest.Must(time.ParseDuration(after))(t)
		o.FailingSince = began.Add(since)
	}
	o.Off = is == "off"
	if o.Paused = is == "paused"; o.Paused {
		o.FailingSince = began
	}
	found.Taken = is == "well"
	return o, found
}
