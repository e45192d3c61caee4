package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"gangway/internal/transport"
)

// mostNames is how many names are tried for a file whose own is taken in done/ or failed/.
const mostNames = 100

// Settle implements transport.Settler. The report is written before the file is moved, so
// that a file in failed/ has one, whenever the program ends.
func (w *Watcher) Settle(ctx context.Context, key string, as transport.Outcome) error {
	file, ok := transport.ReadKey(key)
	if !ok || !transport.Wanted(file.Name, w.c.Pattern) {
		return nil // nothing that Pull has yielded
	}
	f, err := w.take(ctx)
	if err != nil {
		return err
	}
	if err := settle(ctx, f, file, as); err != nil {
		f.Close() // it may be what is wrong
		return err
	}
	w.idle.Keep(f, 1)
	return nil
}

func settle(ctx context.Context, f Folder, file transport.File, as transport.Outcome) error {
	now, err := f.Stat(ctx, file.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // put away before
	}
	if err != nil {
		return fmt.Errorf("the file %q cannot be found: %w", file.Name, err)
	}
	if now.NotPlain || now.Size != file.Size || !now.Time.IsZero() && now.Time.Sub(file.Time).Abs() > now.Within {
		return nil // replaced after it was read: this is another document
	}
	folder := "done"
	if as.Failed {
		folder = "failed"
	}
	to, err := freeName(ctx, f, folder, file)
	if err == nil && len(as.Report) > 0 {
		err = f.Write(ctx, transport.ReportName(to), as.Report)
	}
	if err == nil {
		err = f.Rename(ctx, file.Name, to)
	}
	if err != nil {
		return fmt.Errorf("the file %q cannot be moved to %s/, and is not read again while it stays as it is: let the "+
			"user of this feed write in the folder: %w", file.Name, folder, err)
	}
	return nil
}

// mostName is how long a name may be in bytes that is put away: folders take 255, and its report has
// a longer one.
const mostName = 255 - len(".report.txt") - len(" 2006-01-02 150405 (99)")

// shortened returns a name, or its beginning and its ending if it is longer than most.
func shortened(name string, most int) string {
	if len(name) <= most {
		return name
	}
	ending := path.Ext(name)
	if len(ending) > most/4 {
		ending = ""
	}
	stem := name[:most-len(ending)]
	for len(stem) > 0 && !utf8.RuneStart(name[len(stem)]) {
		stem = stem[:len(stem)-1]
	}
	return stem + ending
}

// freeName returns a name in a folder that nothing has, and makes the folder if it is
// missing: the file's own name, or else one with the time of its last change, so that a
// file which has the same name every day is not looked for under a hundred others.
func freeName(ctx context.Context, f Folder, folder string, file transport.File) (string, error) {
	_, err := f.Stat(ctx, folder)
	if errors.Is(err, fs.ErrNotExist) {
		err = f.MakeFolder(ctx, folder)
	}
	if err != nil {
		return "", err
	}
	name := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '_'
		}
		return r
	}, file.Name)
	name = shortened(name, mostName)
	for i := range mostNames {
		to := folder + "/" + name
		_, err := f.Stat(ctx, to)
		if errors.Is(err, fs.ErrNotExist) {
			return to, nil
		}
		if err != nil {
			return "", err
		}
		if i == 0 {
			ending := path.Ext(name)
			file.Name = strings.TrimSuffix(name, ending) + file.Time.UTC().Format(" 2006-01-02 150405") + ending
		}
		name = transport.AsideName(file.Name, i)
	}
	return "", fmt.Errorf("%s/ has too many files with that name", folder)
}
