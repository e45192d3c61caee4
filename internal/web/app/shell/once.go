package shell

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// onceField is the form field with a key that each page has of its own: a form that is sent twice has the same.
const onceField = "once"

// oncePatience is how long a form that is sent again waits for the first to be carried out.
const oncePatience = 30 * time.Second

// Done is what came of a form. It is kept for a minute, and has neither a secret nor personal data.
type Done struct {
	To   string `json:"to"`            // where the reader goes on
	Said string `json:"said,omitzero"` // what they read there
}

// Seed is what a secret is made from that a form asks for: a form that is sent twice shows the same secret, which is
// kept nowhere for that. A form that was changed in between, after going back, asks for another.
func (sh *Shell) Seed(r *http.Request) []byte {
	form := r.PostForm.Encode()
	if r.PostFormValue(onceField) == "" {
		form = rand.Text()
	}
	return sh.FormKeys.Secret("seed", sh.Actor(r).ID, r.URL.Path, form)
}

// Once carries out a form, and leads to what came of it. A double click sends a form twice and shows the second answer
// only, so that is the first once more.
func (sh *Shell) Once(w http.ResponseWriter, r *http.Request, in store.Scoped,
	do func(*http.Request) (Done, error)) error {
	done, err := sh.CarryOut(r, in, do)
	if err != nil {
		return err
	}
	return sh.Finish(w, r, done)
}

// Finish leads to what came of a form.
func (sh *Shell) Finish(w http.ResponseWriter, r *http.Request, done Done) error {
	if done.Said != "" {
		sh.Sessions.SetFlash(r.Context(), done.Said)
	}
	return sh.Redirect(w, r, done.To)
}

// CarryOut is Once for forms with another answer. It carries the form out to its end, also if the reader is gone, as
// after the first click of two. An error is not kept: who sends the form again has it carried out again.
func (sh *Shell) CarryOut(r *http.Request, in store.Scoped,
	do func(*http.Request) (Done, error)) (done Done, err error) {
	ctx := context.WithoutCancel(r.Context())
	v, _ := VisitorOf(ctx)
	if r.PostFormValue(onceField) == "" { // a program's, or one of a part that came later
		return do(r.WithContext(ctx))
	}
	key := v.User.ID + " " + r.URL.Path + " " + r.PostForm.Encode()
	answer, err := sh.beginOnce(r.Context(), in, key)
	if err != nil {
		return done, err
	}
	if answer != nil {
		return done, json.Unmarshal(answer, &done)
	}
	defer func() { // after a panic, too
		err = errors.Join(err, in.EndOnce(ctx, store.FormRoute, key, answer))
	}()
	if done, err = do(r.WithContext(ctx)); err == nil {
		answer, err = json.Marshal(done)
	}
	return done, err
}

// beginOnce returns the answer to a form that was sent before; nil: it is to be carried out now.
func (sh *Shell) beginOnce(ctx context.Context, in store.Scoped, key string) ([]byte, error) {
	waits, cancel := context.WithTimeout(ctx, oncePatience)
	defer cancel()
	for {
		// A reader who leaves meanwhile leaves no key behind for which nothing is carried out.
		answer, err := in.BeginOnce(context.WithoutCancel(ctx), store.FormRoute, key, "", sh.Now())
		if !errors.Is(err, store.ErrRunning) {
			return answer, err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-waits.Done():
			return nil, gangway.Errorf(gangway.Conflict, "this form was sent a moment ago, and is still "+
				"being carried out")
		}
	}
}
