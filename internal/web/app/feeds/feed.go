package feeds

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A feedPage is one feed: as it is, how it is doing, and its history.
type feedPage struct {
	Feed        store.StoredFeed
	Name        string
	Settings    []Setting
	Format      string
	Lookup, All bool // it is asked by name; a run brings all there is
	Now         feedNow
	Local       bool   // it names files of our machine, so that no page sets it
	Caution     string // what an admin should know of its settings; empty: nothing
	Lacks       string // why only another build of the program can fetch it; empty: this one can

	About  remarkList // what was guessed in the newest run that read anything
	Runs   []feedRunRow
	Older  int64 // the last run of this page, where there are older ones; else 0
	Newest bool  // the page begins with the newest run
	Asked  bool  // it is asked while somebody waits, which leaves no run
	Given  bool  // it takes files by hand
}

// feedNow is how a feed is doing, which a page that stays open keeps up to date.
type feedNow struct {
	feedRow
	Off     bool
	Asked   bool                // it is asked while somebody waits
	Fetches bool                // it can be fetched at once
	Busy    bool                // it is being fetched
	Began   time.Time           // since when
	Run     store.FeedRunNow    // what that has changed so far
	Waits   bool                // it is due, and nobody has taken it yet
	Shorter *shorterList        // that the last run brought and that can be accepted
	Guess   *gangway.FeedRemark // the encoding of the last good run's documents was guessed
}

// Live reports whether the page is to be kept up to date.
func (n feedNow) Live() bool { return n.Busy || n.Waits }

// runsShown is how many runs a page of the history has.
const runsShown = 25

// Feed shows a feed with a page of its history: the newest runs, or those before one.
func (room *Room) Feed(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	before, _ := strconv.ParseInt(r.FormValue("before"), 10, 64) // anything else is the beginning
	p, err := room.feedPage(r.Context(), in, r.PathValue("name"), before)
	if err != nil {
		return err
	}
	return room.Show(w, r, p.page())
}

func (p feedPage) page() shell.Page {
	return shell.Page{Template: "feed", Section: "settings", Title: "Settings › Feeds › " + p.Name, Answer: p.answer(),
		Data: p}
}

// answer says in one line what the feed is and how it is doing.
func (p feedPage) answer() string {
	answer := p.Now.What + " · " + p.Now.Words
	switch {
	case p.Now.Busy:
		return answer + " · being fetched"
	case p.Now.Waits:
		return answer + " · about to be fetched"
	case !p.Now.Next.IsZero():
		return answer + " · next " + p.Now.Next.UTC().Format(shell.LongUTC)
	}
	return answer
}

func (room *Room) feedPage(ctx context.Context, in store.Scoped, name string, before int64) (feedPage, error) {
	f, err := in.Feed(ctx, name)
	if err != nil {
		return feedPage{}, err
	}
	live := room.live(f.Feed)
	p := feedPage{
		Feed: f, Name: f.Name, Settings: SettingsOf(f.Transport, room.settingNames(f.Feed)),
		Format: formatWords(f.Format), Lookup: f.Flow == gangway.TravellerLookupFlow, All: f.BringsAll(live),
		Local: room.poller.Local(f.Feed),
		Asked: f.Asked(live), Newest: before <= 0, Given: room.poller.MayGive(f.Feed) == nil,
	}
	if kind, err := room.poller.Kind(f.Transport.Kind); err == nil && kind.Caution != nil {
		p.Caution = kind.Caution(f.Transport.Settings)
	}
	if lacks := room.poller.Lacks(f.Feed); lacks != nil {
		p.Lacks = lacks.Error()
	}
	if p.Now, err = room.feedNow(ctx, in, f); err != nil {
		return p, err
	}
	runs, err := in.FeedRuns(ctx, name, max(0, before), runsShown+1)
	if err != nil {
		return p, err
	}
	if len(runs) > runsShown {
		runs = runs[:runsShown]
		p.Older = runs[runsShown-1].ID
	}
	for _, run := range runs {
		p.Runs = append(p.Runs, newFeedRunRow(run))
	}
	if i := slices.IndexFunc(runs, func(r gangway.FeedRun) bool { return r.Received > 0 }); i >= 0 && p.Newest {
		last, err := in.FeedRun(ctx, name, runs[i].ID)
		if err != nil {
			return p, err
		}
		p.About, _ = aboutDocument(slices.DeleteFunc(last.Warnings, func(r gangway.FeedRemark) bool {
			return r.Field == gangway.EncodingField // it stands above, with the button
		}))
	}
	return p, nil
}

// feedNow says how a feed is doing.
func (room *Room) feedNow(ctx context.Context, in store.Scoped, f store.StoredFeed) (feedNow, error) {
	latest, err := in.LatestFeedRuns(ctx)
	if err != nil {
		return feedNow{}, err
	}
	of, now, live := latest[f.Name], room.Now(), room.live(f.Feed)
	n := feedNow{feedRow: newFeedRow(f, live, of), Off: f.Off, Asked: f.Asked(live), Busy: f.Busy(now)}
	n.Waits = !n.Busy && !f.Due.IsZero() && !f.Due.After(now)
	n.Fetches = f.Scheduled(live) && !n.Off && !n.Busy && !n.Waits
	if !n.Busy && !n.Waits && !n.Off {
		n.Shorter = shorterOf(of.Last, of)
	}
	if f.Format.Encoding == "" && of.Good.ID > 0 {
		good, err := in.FeedRun(ctx, f.Name, of.Good.ID)
		if err != nil {
			return n, err
		}
		for _, r := range good.Warnings {
			if r.Field == gangway.EncodingField {
				n.Guess = &r
			}
		}
	}
	if n.Busy {
		run, err := in.FeedRunUnderWay(ctx, f.Name)
		if err != nil {
			return n, err
		}
		n.Began, n.Run = run.At, run
	}
	return n, nil
}

// settingNames are the settings of a feed's kind of transport, in the order in which they are told of.
func (room *Room) settingNames(f gangway.Feed) (names []string) {
	kind, err := room.poller.Kind(f.Transport.Kind)
	if err != nil {
		return nil
	}
	for _, s := range kind.Settings {
		names = append(names, s.Name)
	}
	return names
}
