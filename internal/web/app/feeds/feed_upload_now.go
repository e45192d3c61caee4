package feeds

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// An uploadedPage is what becomes of a file that somebody gave to a feed.
type uploadedPage struct {
	Name, Run     string
	File          string // what it is called, and how long it is; empty: that is not kept any more
	At            time.Time
	By            string // who gave it
	Records, Back string
	Admin         bool

	Live bool               // it was not read to its end, and stored, yet
	Now  store.FeedUnderWay // how far that is
	Busy bool               // the feed is, with another document

	State, Sign string // the badge of a run that has ended
	Ended       gangway.FeedRun
	Shorter     *shorterList // that can be accepted
	Whole       remarkList   // about the file
	Refused     remarkList
	Warned      remarkList
}

// UploadedFile shows what becomes of a file that was given.
func (room *Room) UploadedFile(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p, err := room.uploaded(r.Context(), in, r.PathValue("name"), r.PathValue("run"))
	if err != nil {
		return err
	}
	return room.Show(w, r, p.page())
}

// UploadStream sends how far the run of a file is, until its end.
func (room *Room) UploadStream(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	name, run := r.PathValue("name"), r.PathValue("run")
	return shell.Follow(room.Shell, w, r, shell.Followed[uploadedPage]{
		Changed: room.watchFeed(r.Context(), name),
		Now:     func(ctx context.Context) (uploadedPage, error) { return room.uploaded(ctx, in, name, run) },
		Live:    func(p uploadedPage) bool { return p.Live },
		Render: func(part io.Writer, p uploadedPage) error {
			if err := room.Part(part, "feed_uploaded", "head", p.page()); err != nil {
				return err
			}
			return room.Part(part, "feed_uploaded", "uploaded", p)
		},
	})
}

// uploaded says what becomes of a file now.
func (room *Room) uploaded(ctx context.Context, in store.Scoped, name, run string) (uploadedPage, error) {
	id, err := strconv.ParseInt(run, 10, 64)
	if err != nil {
		return uploadedPage{}, gangway.Errorf(gangway.NotFound, "there is no such run of feed %s", name)
	}
	f, err := room.uploadFeed(ctx, in, name)
	if err != nil {
		return uploadedPage{}, err
	}
	p := uploadedPage{Name: name, Run: run, Admin: isAdmin(ctx)}
	p.Records, p.Back = recordsOf(f.Flow)
	if list, err := in.FeedDocuments(ctx, name, id); err != nil {
		return p, err
	} else if len(list) > 0 {
		p.File = strings.TrimSpace(list[0].Name + " " + shell.SizeWords(list[0].Size))
	}
	switch now, err := in.FeedUnderWay(ctx, name, id); {
	case err == nil:
		p.Live, p.At, p.By = true, now.At, cmp.Or(now.Given.Name, now.Given.By)
		p.Now, p.Busy = now, f.Busy(room.Now())
		return p, nil
	case gangway.KindOf(err) != gangway.NotFound:
		return p, err
	}
	ended, err := in.FeedRun(ctx, name, id)
	if err == nil && !ended.ByHand() {
		err = gangway.Errorf(gangway.NotFound, "nobody gave the file of this run")
	}
	if err == nil {
		p.end(ended)
		p.Shorter, err = room.shorter(ctx, in, ended)
	}
	return p, err
}

// end says how a run went.
func (p *uploadedPage) end(run gangway.FeedRun) {
	p.At, p.By = run.At, cmp.Or(run.GivenBy.Name, run.GivenBy.ID)
	row := newFeedRunRow(run)
	p.State, p.Sign, p.Ended = row.State, row.Sign, run
	whole, warnings := aboutDocument(run.Warnings)
	p.Whole = whole
	p.Refused, _ = refusals(run, false)
	p.Warned, _ = leftOut(run, warnings, false)
}

func (p uploadedPage) page() shell.Page {
	answer := "Given by " + p.By + " on " + p.At.UTC().Format(shell.LongUTC)
	if p.File != "" {
		answer = p.File + " · g" + answer[1:]
	}
	if p.Live {
		answer += " · it is being read and stored"
	} else {
		answer += " · " + p.State
	}
	section := map[string]string{"/requests": "requests", "/crew-changes": "crew-changes"}[p.Back]
	return shell.Page{Template: "feed_uploaded", Section: cmp.Or(section, "book"), Title: "File for " + p.Name,
		Answer: answer, Data: p}
}
