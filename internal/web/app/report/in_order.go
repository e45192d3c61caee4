package report

import (
	"context"
	"errors"
	"sync"

	"gangway/internal/background"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/shell"
)

// A section is a part of the page: its heading, the template that shows it, and what works it out.
type section struct {
	title    string
	template string
	data     func(context.Context) (any, error)
}

// inOrder shows sections in their order, each as soon as it and those before it are worked out, a few of them at a
// time. One that fails is shown as failed. It returns once nothing is being worked out any more.
func (a *asked) inOrder(ctx context.Context, show func(string, any) error, sections []section) error {
	type result struct {
		data any
		err  error
	}
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	results, next := make([]chan result, len(sections)), make(chan int, len(sections))
	for i := range sections {
		results[i] = make(chan result, 1)
		next <- i
	}
	close(next)
	for range reportsOfPerson {
		workers.Go(func() {
			for i := range next {
				var r result
				r.err = background.Guard(a.room.Log, "the report's "+sections[i].title, func() (err error) {
					r.data, err = sections[i].data(ctx)
					return err
				})
				results[i] <- r
			}
		})
	}
	for i, s := range sections {
		if err := show("waiting", s.title); err != nil {
			return err
		}
		r := <-results[i]
		var err error
		if r.err != nil {
			err = a.failed(ctx, s.title, r.err, show)
		} else {
			err = show(s.template, r.data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sentence says why a part is missing.
func sentence(err error) string {
	if errors.Is(err, store.ErrReportTooLong) {
		return "It took longer than a minute: choose fewer days, or one vessel."
	}
	if shell.KindOf(err) == gangway.Internal {
		return "Something went wrong on our side; it was noted."
	}
	return shell.Capital(web.Message(err)) + "."
}
