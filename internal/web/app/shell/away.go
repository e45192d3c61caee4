package shell

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"

	"gangway/internal/store"
	"gangway/internal/web"
)

// An awayPage says that the database cannot be reached. It has no frame, because
// the frame is read from the database.
type awayPage struct {
	Sent  bool   // a form was sent, and may or may not have been kept
	Again string // the page to try again
}

// showAway answers with the page that says that the database is away.
func (sh *Shell) showAway(w http.ResponseWriter, r *http.Request) {
	status := web.Answer(w.Header(), store.ErrAway)
	p := awayPage{Sent: r.Method != http.MethodGet && r.Method != http.MethodHead, Again: Local(r.URL.RequestURI())}
	if p.Sent {
		p.Again = Local(sh.Back(r))
	}
	r = r.WithContext(context.WithValue(r.Context(), visitorKey{}, nil))
	err := sh.Show(w, r, Page{Template: "away", Title: "Back in a moment", Status: status, Data: p})
	if err != nil {
		sh.Log.ErrorContext(r.Context(), "error page", "err", err)
		http.Error(w, store.ErrAway.Error(), status)
	}
}

// Away returns the handler for the application's address until there is a
// database for the application to run on.
func Away(appURL string, log *slog.Logger) (http.Handler, error) {
	at, err := url.Parse(appURL)
	if err != nil {
		return nil, fmt.Errorf("read the application's address: %w", err)
	}
	a, err := Alone(Config{AppURL: appURL, Log: log, Secure: at.Scheme == "https"})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /assets/{file}", a.Asset)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", web.Seconds(web.StartTakes))
		a.showAway(w, r)
	})
	return a.sheltered(mux), nil
}
