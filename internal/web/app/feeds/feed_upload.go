package feeds

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A feedUploadPage is the form by which somebody gives a feed a file.
type feedUploadPage struct {
	flowNames
	Name    string
	Format  string // the feed's, where it has one
	Whole   bool   // a file has all there is: what it does not have is no longer suggested or shown
	Fetched bool   // the feed is also fetched by itself
	Most    int64  // bytes of a file
	Admin   bool
	Wrong   string
}

// MostWords says how long a file may be.
func (p feedUploadPage) MostWords() string {
	if p.Most%(1<<30) == 0 {
		return strconv.FormatInt(p.Most>>30, 10) + " GiB"
	}
	return shell.SizeWords(p.Most)
}

// UploadForm shows the form by which somebody gives a feed a file.
func (room *Room) UploadForm(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.showUpload(w, r, in, http.StatusOK, "")
}

func (room *Room) showUpload(w http.ResponseWriter, r *http.Request, in store.Scoped, status int, wrong string) error {
	f, err := room.uploadFeed(r.Context(), in, r.PathValue("name"))
	if err != nil {
		return err
	}
	live := room.live(f.Feed)
	p := feedUploadPage{flowNames: namesOf[f.Flow], Name: f.Name, Whole: f.BringsAll(live), Fetched: f.Scheduled(live),
		Most: room.poller.MostGiven(), Admin: isAdmin(r.Context()), Wrong: wrong}
	if f.Format.Kind != "" && f.Format.Kind != gangway.AutoFormat {
		p.Format = string(f.Format.Kind)
	}
	return room.Show(w, r, shell.Page{Template: "feed_upload", Section: p.Section, Title: "Upload a file: " + f.Name,
		Answer: p.Words + " · read as this feed's files always are", Status: status, Data: p})
}

// uploadFeed returns a feed that the visitor may give a file. An admin set up a feed of kind upload so
// that people use it; only admins stand in for a customer's system.
//
// Decided: docs/choices.md, "Feeds".
func (room *Room) uploadFeed(ctx context.Context, in store.Scoped, name string) (store.StoredFeed, error) {
	f, err := in.Feed(ctx, name)
	switch {
	case err != nil:
		return f, err
	case !f.ByHand() && !isAdmin(ctx):
		return f, gangway.Errorf(gangway.Denied, "only admins give files to a feed that is fetched by itself")
	}
	return f, room.poller.MayGive(f.Feed)
}

func isAdmin(ctx context.Context) bool {
	v, _ := shell.VisitorOf(ctx)
	return v.User.Role.May(gangway.ToAdminister)
}

// TakeUpload gives a feed the file of the form, and leads to the page of what becomes of it. Whether the
// sender may is known before the file is read.
func (room *Room) TakeUpload(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	if _, err := room.uploadFeed(r.Context(), in, r.PathValue("name")); err != nil {
		return err
	}
	r.Body = &pacedBody{ReadCloser: r.Body, flow: http.NewResponseController(w), began: time.Now()}
	return room.WithFile(room.poller.MostGiven(), room.giveUpload)(w, r, in)
}

// giveUpload gives the file that has come to the feed.
func (room *Room) giveUpload(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	file := shell.FileOf(r.Context())
	switch {
	case file == nil:
		return room.showUpload(w, r, in, http.StatusUnprocessableEntity, "Choose a file.")
	case file.Size == 0:
		return room.showUpload(w, r, in, http.StatusUnprocessableEntity, "There is nothing in this file.")
	}
	name := r.PathValue("name")
	run, err := room.poller.Give(r.Context(), in, name, poll.Document{
		Name: file.Name, ContentType: file.ContentType, Body: io.NewSectionReader(file, 0, file.Size),
		Size: file.Size, By: room.Actor(r), Shrunk: r.PostFormValue("shrunk") == "yes" && isAdmin(r.Context()),
	})
	if gangway.KindOf(err) == gangway.Conflict {
		return room.showUpload(w, r, in, http.StatusConflict, shell.SentenceOf(err))
	}
	if err != nil {
		return err
	}
	return room.Redirect(w, r, FeedPath(name)+"/upload/"+strconv.FormatInt(run, 10))
}

// A long file takes long: it may come at slowest bytes a second, and may pause for readingPause.
const (
	readingPause = 2 * time.Minute
	slowest      = 16 << 10
)

// A pacedBody gives its sender as much time as a slow line needs; a dead one gets none.
type pacedBody struct {
	io.ReadCloser
	flow  *http.ResponseController
	began time.Time
	came  int64
}

// Read is part of io.Reader.
func (b *pacedBody) Read(p []byte) (int, error) {
	until := b.began.Add(readingPause + time.Duration(b.came/slowest)*time.Second)
	if latest := time.Now().Add(readingPause); until.After(latest) {
		until = latest
	}
	b.flow.SetReadDeadline(until)                    // if it cannot be set there is none
	b.flow.SetWriteDeadline(until.Add(readingPause)) // the answer comes after all of the body
	n, err := b.ReadCloser.Read(p)
	b.came += int64(n)
	return n, err
}
