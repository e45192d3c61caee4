package store_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

func began() time.Time { return storetest.Began }

// TestGivenDocumentIsStored holds that a document that was given is stored with who gave it, makes its
// feed due, and is in the audit log without its name, which may be a person's.
func TestGivenDocumentIsStored(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		setFeed(t, in, gangway.Feed{Name: "crew", Flow: gangway.TravellersFlow,
			Transport: gangway.Transport{Kind: gangway.UploadTransport, Settings: []byte("{}")}})
		doc := bytes.Repeat([]byte("id;name\n"), 100_000)
		given := store.GivenDocument{By: storetest.Operator, Name: "Reyes.csv", ContentType: "text/csv", Shrunk: true}
		id := sure(in.GiveFeedDocument(t.Context(), "crew", given, bytes.NewReader(doc), began))(t)
		now, err := in.FeedUnderWay(t.Context(), "crew", id)
		if err != nil || now.Given.Name != storetest.Operator.Name || now.Progress.Size != int64(len(doc)) {
			t.Errorf("under way: %+v, %v; want all of it there, by %s", now, err, storetest.Operator.Name)
		}
		l := takeFeed(t, db, storetest.Began)
		if l.Run != id || l.Given == nil || !l.Given.Shrunk || l.Generation() <= id {
			t.Errorf("taken: %+v; want the run of the document", l)
		}
		list, err := in.FeedDocuments(t.Context(), "crew", id)
		if err != nil || len(list) != 1 || list[0].Name != "Reyes.csv" || list[0].ContentType != "text/csv" {
			t.Fatalf("documents: %+v, %v; want the one that was given", list, err)
		}
		var raw bytes.Buffer
		err = in.WriteFeedDocument(t.Context(), "crew", list[0], &raw)
		if err != nil || !bytes.Equal(raw.Bytes(), doc) {
			t.Errorf("it has %d bytes, %v; want it as it was given", raw.Len(), err)
		}
		must(t, in.NoteFeedProgress(t.Context(), l, store.FeedProgress{Read: 7, Size: 9, Records: 3}))
		now, err = in.FeedUnderWay(t.Context(), "crew", id)
		if want := (store.FeedProgress{Read: 7, Size: 9, Records: 3}); err != nil || now.Progress != want {
			t.Errorf("progress: %+v, %v; want %+v", now.Progress, err, want)
		}
		run, err := in.EndFeedRun(t.Context(), l, gangway.FeedRun{GivenBy: storetest.Operator}, store.FeedRunEnd{
			DropDocuments: true}, storetest.Began)
		must(t, err)
		got, err := in.FeedRun(t.Context(), "crew", run.ID)
		if err != nil || got.GivenBy.ID != storetest.Operator.ID || got.GivenBy.Name != storetest.Operator.Name {
			t.Errorf("the run: %+v, %v; want who gave its document", got, err)
		}
		if list, err := in.FeedDocuments(t.Context(), "crew", id); err != nil || len(list) > 0 {
			t.Errorf("documents: %v, %v; want it dropped", list, err)
		}
		wantKind(t, gangway.NotFound, did(in.FeedUnderWay(t.Context(), "crew", id)))
		entries, err := db.Audit(t.Context(), store.AuditQuery{What: gangway.FeedGiven}, 10)
		if err != nil || len(entries) != 1 || entries[0].What != gangway.FeedGiven ||
			entries[0].After["feed"] != "crew" || len(entries[0].After) != 3 {
			t.Errorf("audit log: %+v, %v; want what was given to which feed, without its name", entries, err)
		}
	})
}

// TestHalfGivenDocument holds that nothing stays of a document whose sending breaks off, and that
// what a killed process leaves of one is neither run nor kept for long.
func TestHalfGivenDocument(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		setFeed(t, in, gangway.Feed{Name: "crew", Flow: gangway.TravellersFlow,
			Transport: gangway.Transport{Kind: gangway.UploadTransport, Settings: []byte("{}")}})
		keep := func(f store.StoredFeed) (gangway.Feed, error) { return f.Feed, nil }
		must(t, did(in.SetFeed(t.Context(), storetest.Operator, "crew", keep, time.Time{},
			storetest.Began)))
		rows := func(table string) (n int) {
			t.Helper()
			must(t, db.Reader().QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n))
			return n
		}
		cut := errors.New("the line broke")
		half := func() io.Reader {
			return io.MultiReader(strings.NewReader(strings.Repeat("id;name\n", 100_000)), iotest.ErrReader(cut))
		}
		_, err := in.GiveFeedDocument(t.Context(), "crew", store.GivenDocument{}, half(), began)
		if !errors.Is(err, cut) || rows("feed_run") > 0 || rows("feed_document") > 0 {
			t.Errorf("given half: %v, %d runs, %d portions; want the line's error and nothing kept", err,
				rows("feed_run"), rows("feed_document"))
		}

		// A process that is killed deletes nothing: the account is gone from under this one instead.
		looked := false
		_, err = in.GiveFeedDocument(t.Context(), "crew", store.GivenDocument{}, readerFunc(func([]byte) (int, error) {
			looked = true
			if taken, err := db.TakeFeeds(t.Context(), storetest.Began, storetest.Began.Add(time.Minute), 10,
				2); err != nil || len(taken) > 0 {
				t.Errorf("taken while it comes in: %v, %v; want nothing", taken, err)
			}
			l, err := in.TakeFeed(t.Context(), "crew", storetest.Began, storetest.Began.Add(time.Minute))
			if err != nil || l.Given != nil {
				t.Errorf("run while it comes in: %+v, %v; want a run of its own", l, err)
			}
			if _, err := db.Expire(t.Context(), storetest.Began.Add(91*24*time.Hour)); err != nil {
				t.Error(err)
			}
			if n := rows("feed_run"); n != 1 {
				t.Errorf("after 91 days %d runs are kept; want only the one under way", n)
			}
			return 0, io.EOF
		}), began)
		if !looked || gangway.KindOf(err) != gangway.NotFound && err == nil {
			t.Errorf("given for 91 days: %v; want it refused", err)
		}
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
