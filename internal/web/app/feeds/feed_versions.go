package feeds

import (
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A feedVersionsPage lists the versions of a feed that are kept, the newest first.
type feedVersionsPage struct {
	Name string
	Rows []feedVersionRow
}

// A feedVersionRow is a version, and what it changed.
type feedVersionRow struct {
	Version int64
	At      time.Time
	Who     string
	Changed string
	Present bool
}

// FeedVersions lists a feed's versions.
func (room *Room) FeedVersions(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	f, err := in.Feed(r.Context(), r.PathValue("name"))
	if err != nil {
		return err
	}
	list, err := in.FeedVersions(r.Context(), f.Name)
	if err != nil {
		return err
	}
	p := feedVersionsPage{Name: f.Name}
	for i, v := range list {
		row := feedVersionRow{Version: v.Version, At: v.MadeAt, Who: v.By.Who(), Present: v.Version == f.Version}
		switch {
		case v.Version == 1:
			row.Changed = "the feed was set up"
		case i+1 < len(list):
			row.Changed = changedWords(list[i+1].Feed, v.Feed)
		default:
			row.Changed = "what came before it is not kept"
		}
		p.Rows = append(p.Rows, row)
	}
	return room.Show(w, r, shell.Page{Template: "feed_versions", Section: "settings",
		Title: "Settings › Feeds › " + f.Name + ": versions", Data: p,
		Answer: shell.Plural(len(list), "version", "versions") + ", the newest first. The last 50 are kept."})
}

// changedWords says in what two versions of a feed differ.
func changedWords(before, after gangway.Feed) string {
	list := gangway.Each(differencesOf(before, after, nil), func(d feedDifference) string { return d.Name })
	if before.Mapping != after.Mapping {
		list = append(list, "mapping")
	}
	if before.Off != after.Off {
		list = append(list, map[bool]string{true: "switched off", false: "switched on"}[after.Off])
	}
	if len(list) == 0 {
		return "nothing, or secrets only"
	}
	return strings.Join(list, ", ")
}

// A feedDifference is a member in which two versions of a feed differ.
type feedDifference struct{ Name, Then, Now string }

// differencesOf lists what differs but the mapping, and whether a feed is off.
func differencesOf(then, now gangway.Feed, names []string) (list []feedDifference) {
	add := func(name, was, is string) {
		if was != is {
			list = append(list, feedDifference{name, was, is})
		}
	}
	add("what for", namesOf[then.Flow].Words, namesOf[now.Flow].Words)
	add("from", KindWords(then.Transport.Kind), KindWords(now.Transport.Kind))
	was, is := SettingsOf(then.Transport, names), SettingsOf(now.Transport, names)
	for _, s := range was {
		add(s.Name, s.words(), settingNamed(is, s.Name).words())
	}
	for _, s := range is {
		if settingNamed(was, s.Name).Name == "" {
			add(s.Name, "", s.words())
		}
	}
	add("format", formatWords(then.Format), formatWords(now.Format))
	add("how often it is fetched", everyWords(then), everyWords(now))
	if !reflect.DeepEqual(then.Complete, now.Complete) {
		add("complete", usuallyWords(then.Complete), usuallyWords(now.Complete))
	}
	add("removal_limit", fmt.Sprint(then.Limit(), " %"), fmt.Sprint(now.Limit(), " %"))
	return list
}

func settingNamed(list []Setting, name string) Setting {
	for _, s := range list {
		if s.Name == name {
			return s
		}
	}
	return Setting{}
}

// words is a setting's value as far as it may be shown.
func (s Setting) words() string {
	if s.Kept && s.Value == "" {
		return "(not shown)"
	}
	return s.Value
}

// everyWords says how often a feed is to be fetched, as it was set.
func everyWords(f gangway.Feed) string {
	if f.Every == 0 {
		return "as usual"
	}
	return IntervalWords(f.Every)
}

func usuallyWords(b *bool) string {
	if b == nil {
		return "as usual"
	}
	return shell.ValueWords(*b)
}

// A feedVersionPage is one version beside the present one.
type feedVersionPage struct {
	Name        string
	Row         feedVersionRow
	Now         int64 // the present version
	Mapping     string
	Differences []feedDifference
	Lines       []diffLine // of the mapping, from the version to the present one; nil: it is the same
	Local       bool       // only the operator sets such a feed
	Refused     string     // why it cannot be gone back to
}

// FeedVersion shows one version of a feed beside the present one.
func (room *Room) FeedVersion(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.showFeedVersion(w, r, in, nil)
}

func (room *Room) showFeedVersion(w http.ResponseWriter, r *http.Request, in store.Scoped, refused error) error {
	f, v, err := versionOf(r, in)
	if err != nil {
		return err
	}
	p := feedVersionPage{Name: f.Name, Now: f.Version, Mapping: v.Feed.Mapping,
		Row: feedVersionRow{Version: v.Version, At: v.MadeAt, Who: v.By.Who(), Present: v.Version == f.Version}}
	f.Transport.Secrets = nil // of the version they are not known
	p.Differences = differencesOf(v.Feed, f.Feed, room.settingNames(f.Feed))
	p.Lines = diffLines(v.Feed.Mapping, f.Mapping)
	p.Local = room.poller.Local(f.Feed) || room.poller.Local(v.Feed)
	page := shell.Page{Template: "feed_version", Section: "settings",
		Title: "Settings › Feeds › " + f.Name + ": version " + strconv.FormatInt(v.Version, 10), Answer: p.answer()}
	if refused != nil {
		p.Refused, page.Status = shell.SentenceOf(refused), http.StatusUnprocessableEntity
	}
	page.Data = p
	return room.Show(w, r, page)
}

// versionOf returns the feed and its version that an address names.
func versionOf(r *http.Request, in store.Scoped) (f store.StoredFeed, v store.FeedVersion, err error) {
	if f, err = in.Feed(r.Context(), r.PathValue("name")); err != nil {
		return f, v, err
	}
	n, err := numberIn(r, "version", "version")
	if err != nil {
		return f, v, err
	}
	v, err = in.FeedVersion(r.Context(), f.Name, n)
	return f, v, err
}

func (p feedVersionPage) answer() string {
	made := "Made by " + p.Row.Who + " on " + p.Row.At.UTC().Format(shell.LongUTC)
	switch {
	case p.Row.Present:
		return made + " · the present version"
	case len(p.Differences) == 0 && p.Lines == nil:
		return made + " · it does not differ from the present one"
	}
	return made + " · compared with the present one, version " + strconv.FormatInt(p.Now, 10)
}

// GoBackFeed makes an earlier version of a feed the present one.
func (room *Room) GoBackFeed(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	f, v, err := versionOf(r, in)
	if err != nil {
		return err
	}
	if room.poller.Local(f.Feed) || room.poller.Local(v.Feed) {
		return gangway.Errorf(gangway.Denied, "only the operator of this server may set a feed that reads its files")
	}
	err = room.poller.GoBack(r.Context(), in, room.Actor(r), f.Name, v.Version)
	if kind := gangway.KindOf(err); kind == gangway.Invalid || kind == gangway.Conflict {
		return room.showFeedVersion(w, r, in, err)
	}
	if err != nil {
		return err
	}
	room.Sessions.SetFlash(r.Context(), "Feed "+f.Name+" is as it was in version "+
		strconv.FormatInt(v.Version, 10)+" again. Secrets stay as they are.")
	return room.Redirect(w, r, FeedPath(f.Name))
}
