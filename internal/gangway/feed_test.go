package gangway

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
)

func TestFeedsThatCannotBe(t *testing.T) {
	for _, tt := range []struct {
		feed Feed
		live bool
		want string // the member that is named
	}{
		{Feed{Name: "crew", Flow: TravellersFlow}, true, ""},
		{Feed{Name: "crew", Flow: TravellersFlow, Every: time.Hour}, false, ""},
		{Feed{Name: "look-up_2", Flow: TravellerLookupFlow}, true, ""},
		{Feed{Name: "new", Flow: TravellersFlow}, true, "name"},
		{Feed{Name: "", Flow: TravellersFlow}, true, "name"},
		{Feed{Name: "crew/all", Flow: TravellersFlow}, true, "name"},
		{Feed{Name: strings.Repeat("x", 65), Flow: TravellersFlow}, true, "name"},
		{Feed{Name: "crew", Flow: "people"}, true, "flow"},
		{Feed{Name: "crew", Flow: TravellerLookupFlow}, false, "flow"},
		{Feed{Name: "crew", Flow: CrewChangesFlow, Every: time.Hour}, true, "every"},
		{Feed{Name: "crew", Flow: CrewChangesFlow, Every: time.Hour}, false, ""},
		{Feed{Name: "crew", Flow: TravellersFlow, Every: time.Second}, true, "every"},
		{Feed{Name: "crew", Flow: TravellersFlow, Every: 169 * time.Hour}, true, "every"},
		{Feed{Name: "crew", Flow: TravellersFlow, RemovalLimit: 101}, true, "removal_limit"},
		{Feed{Name: "crew", Flow: TravellersFlow, Mapping: strings.Repeat(" ", 64<<10+1)}, true, "mapping"},
	} {
		err := tt.feed.Check(tt.live)
		if tt.want == "" && err != nil || tt.want != "" &&
			(KindOf(err) != Invalid || !strings.HasPrefix(fmt.Sprint(err), tt.want+" ")) {
			t.Errorf("Check(%v, live: %v) = %v; want %q named", tt.feed, tt.live, err, tt.want)
		}
	}
}

func TestWhenFeedsAreFetched(t *testing.T) {
	for _, tt := range []struct {
		flow      Flow
		live      bool
		scheduled bool
		every     time.Duration
		all       bool
	}{
		{TravellersFlow, true, true, time.Hour, true},
		{TravellersFlow, false, true, time.Minute, false},
		{TravellerLookupFlow, true, false, time.Hour, false},
		{TravelRequestsFlow, true, false, time.Hour, false},
		{TravelRequestsFlow, false, true, time.Minute, false},
		{CrewChangesFlow, true, false, time.Hour, false},
		{CrewChangesFlow, false, true, time.Minute, false},
	} {
		f := Feed{Flow: tt.flow}
		if s, e, a := f.Scheduled(tt.live), f.Interval(tt.live), f.BringsAll(tt.live); s != tt.scheduled ||
			e != tt.every || a != tt.all {
			t.Errorf("%s, live: %v: scheduled %v, every %s, all %v; want %v, %s, %v", tt.flow, tt.live, s, e, a,
				tt.scheduled, tt.every, tt.all)
		}
	}
	no := false
	if f := (Feed{Flow: TravellersFlow, Complete: &no, Every: 2 * time.Hour}); f.BringsAll(true) ||
		f.Interval(true) != 2*time.Hour {
		t.Error("what a feed says of itself does not count")
	}
}

func TestSecretSettingsAreNotShown(t *testing.T) {
	f := Feed{Name: "crew", Transport: Transport{Kind: "sftp", Secrets: SecretSettings(`{"password":"hunter2"}`)}}
	doc := calltest.Must(json.Marshal(f))(t)
	for _, shown := range []string{string(doc), fmt.Sprint(f), fmt.Sprintf("%+v", f), fmt.Sprintf("%#v", f),
		fmt.Sprintf("%s %q %x", f.Transport.Secrets, f.Transport.Secrets, f.Transport.Secrets)} {
		if strings.Contains(shown, "hunter2") || strings.Contains(shown, "68756e74657232") ||
			strings.Contains(shown, "104, 117") || strings.Contains(shown, "104 117") {
			t.Errorf("a secret is shown: %s", shown)
		}
	}
}
