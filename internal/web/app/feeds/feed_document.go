package feeds

import (
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// FeedDocument sends a document of a run as it came. It may name anybody, so that the audit log has
// an entry before the first byte goes out. It is read and sent portion by portion.
func (room *Room) FeedDocument(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	name := r.PathValue("name")
	id, err := numberIn(r, "id", "run")
	if err != nil {
		return err
	}
	place, err := numberIn(r, "place", "document")
	if err != nil {
		return err
	}
	run, err := in.FeedRun(r.Context(), name, id)
	if err != nil {
		return err
	}
	d, err := in.FeedDocument(r.Context(), name, id, int(place))
	if err != nil {
		return err
	}
	about := map[string]any{"feed": name, "run": run.At.UTC().Format(time.RFC3339), "document": place + 1,
		"bytes": d.Size}
	if err := in.Record(r.Context(), room.Actor(r), gangway.FeedDocumentTaken, about, room.Now()); err != nil {
		return err
	}
	head := w.Header()
	// Whatever it says it is, no browser is to open it as a page of ours.
	head.Set("Content-Type", "application/octet-stream")
	head.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{
		"filename": fileName(name, run.At, d)}))
	head.Set("Content-Length", strconv.FormatInt(d.Size, 10)) // so that a file that is cut off is seen to be
	err = in.WriteFeedDocument(r.Context(), name, d, w)
	if err != nil { // where nothing has gone out yet, a page says so
		head.Del("Content-Length")
		head.Del("Content-Disposition")
	}
	return err
}

// longestName is how long the name of a file is at most, for the systems that it is saved on.
const longestName = 100

// fileName is what a document is saved as: its own name, of letters and figures only, after those of
// the feed and the day, so that it neither hides, nor leads anywhere, nor replaces another.
func fileName(feed string, at time.Time, d store.FeedDocument) string {
	own := path.Base(strings.ReplaceAll(d.Name, `\`, "/"))
	var b strings.Builder
	for _, r := range own {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	own = strings.Trim(b.String(), "._")
	if len(own) > longestName {
		own = own[len(own)-longestName:] // with its ending
	}
	name := feed + "-" + at.UTC().Format("20060102-150405") + "-" + strconv.Itoa(d.Place+1)
	if own == "" {
		return name + endingOf(d.ContentType)
	}
	return name + "-" + own
}

// endingOf is the ending for the files of a type that feeds read.
func endingOf(contentType string) string {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return ""
	}
	return map[string]string{"application/json": ".json", "text/csv": ".csv", "text/xml": ".xml",
		"application/xml": ".xml", "application/yaml": ".yaml", "text/plain": ".txt", "application/zip": ".zip",
		"application/gzip": ".gz", "application/soap+xml": ".xml",
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx"}[kind]
}
