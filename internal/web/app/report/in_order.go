package report

import (
	"context"
	"errors"

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
	data     func() any
}

// inOrder shows sections in their order. One that fails is shown as failed.
func (a *asked) inOrder(ctx context.Context, show func(string, any) error, sections []section) error {
	for _, s := range sections {
		var data any
		err := background.Guard(a.room.Log, "the report's "+s.title, func() error {
			data = s.data()
			return nil
		})
		if err != nil {
			err = a.failed(ctx, s.title, err, show)
		} else {
			err = show(s.template, data)
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
