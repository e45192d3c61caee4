package feeds

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// An uploadedPage is what becomes of a file that somebody gave to a feed.
type uploadedPage struct {
	flowNames
	Name  string
	Run   int64
	File  string // what it is called, and how long it is; empty: that is not kept any more
	At    time.Time
	By    string // who gave it
	Admin bool

	Live bool               // it was not read to its end, and stored, yet
	Now  store.FeedUnderWay // how far that is
	Busy bool               // the feed is, with another document

	runRemarks
	Ended   feedRunRow
	Shorter *shorterList // that can be accepted
}

// UploadedFile shows what becomes of a file that was given.
func (room *Room) UploadedFile(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p, err := room.uploaded(r.Context(), in, r)
	if err != nil {
		return err
	}
	return room.Show(w, r, p.page())
}

// UploadStream sends how far the run of a file is, until its end.
func (room *Room) UploadStream(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return shell.Follow(room.Shell, w, r, shell.Followed[uploadedPage]{
		Changed: room.watchFeed(r.Context(), r.PathValue("name")),
		Now:     func(ctx context.Context) (uploadedPage, error) { return room.uploaded(ctx, in, r) },
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
func (room *Room) uploaded(ctx context.Context, in store.Scoped, r *http.Request) (uploadedPage, error) {
	name := r.PathValue("name")
	id, err := numberIn(r, "run", "run")
	if err != nil {
		return uploadedPage{}, err
	}
	f, err := room.uploadFeed(ctx, in, name)
	if err != nil {
		return uploadedPage{}, err
	}
	p := uploadedPage{flowNames: namesOf[f.Flow], Name: name, Run: id, Admin: isAdmin(ctx)}
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
		p.At, p.By = ended.At, cmp.Or(ended.GivenBy.Name, ended.GivenBy.ID)
		p.Ended, p.runRemarks = newFeedRunRow(ended), remarksOf(ended, false)
		p.Shorter, err = room.shorter(ctx, in, ended)
	}
	return p, err
}

func (p uploadedPage) page() shell.Page {
	answer := "Given by " + p.By + " on " + p.At.UTC().Format(shell.LongUTC)
	if p.File != "" {
		answer = p.File + " · g" + answer[1:]
	}
	if p.Live {
		answer += " · it is being read and stored"
	} else {
		answer += " · " + p.Ended.State
	}
	return shell.Page{Template: "feed_uploaded", Section: p.Section, Title: "File for " + p.Name,
		Answer: answer, Data: p}
}
