package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"

	"gangway/internal/gangway"
	"gangway/internal/scratch"
	"gangway/internal/store"
	"gangway/internal/web"
)

// A File is a file that somebody has sent with a form. It is there for as long as the request is.
type File struct {
	io.ReaderAt
	Name, ContentType string
	Size              int64
}

// fileKey is the place of the File in a request's context.
type fileKey struct{}

// FileOf returns the file of a form; nil: none was chosen.
func FileOf(ctx context.Context) *File {
	f, _ := ctx.Value(fileKey{}).(*File)
	return f
}

// isFileForm reports whether a request brings a form with a file in it to an address that takes one.
func (sh *Shell) isFileForm(r *http.Request) bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && media == "multipart/form-data" && r.Method == http.MethodPost && sh.takesFile != nil &&
		sh.takesFile(r.URL.Path)
}

// WithFile lets h take a form with a file of at most so many bytes, at an address of Config.TakesFile. The form is
// read only here, once its sender was let in. The file goes to the disk as it comes, and few bodies may come at a time.
//
// Decided: docs/choices.md, "What anybody may fill".
func (sh *Shell) WithFile(most int64, h web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		if !sh.isFileForm(r) {
			return h(w, r, in)
		}
		if r.ContentLength > most+formLimit { // before any of it is read
			return tooLong(most)
		}
		r.Body = http.MaxBytesReader(w, r.Body, most+formLimit)
		leave, err := sh.budget.Stream(w, r, web.Network(web.Client(r)))
		if err != nil {
			return err
		}
		defer leave()
		form, file, err := readFileForm(r, most)
		if err == nil {
			_, err = io.Copy(io.Discard, r.Body) // nobody waits for more of it
		}
		if file != nil {
			defer file.ReaderAt.(*scratch.File).Close()
			r = r.WithContext(context.WithValue(r.Context(), fileKey{}, file))
		}
		if err != nil {
			return err
		}
		for name, values := range form {
			r.Form[name] = append(values, r.Form[name]...)
		}
		r.PostForm = form
		if err := boundFields(form); err != nil {
			return err
		}
		if err := sh.sameEnvironment(r); err != nil {
			return err
		}
		return h(w, r, in)
	}
}

// readFileForm reads the fields and the file of a form.
func readFileForm(r *http.Request, most int64) (form url.Values, file *File, err error) {
	form = url.Values{}
	parts, err := r.MultipartReader()
	if err != nil {
		return form, nil, errUnreadable
	}
	left := int64(formLimit)
	for {
		part, err := parts.NextPart()
		switch {
		case err == io.EOF: // wrapped it says that the form was cut
			return form, file, nil
		case err != nil:
			return form, file, orUnreadable(err)
		}
		if part.FileName() != "" && file == nil {
			file, err = spoolFile(part, most)
		} else if part.FileName() == "" {
			var value []byte
			value, err = io.ReadAll(io.LimitReader(part, left+1))
			if left -= int64(len(value) + len(part.FormName())); left < 0 {
				return form, file, &http.MaxBytesError{Limit: formLimit}
			}
			// An empty field of a file has no name of one.
			if part.Header.Get("Content-Type") == "" {
				form.Add(part.FormName(), string(value))
			}
		}
		if err != nil {
			return form, file, orUnreadable(err)
		}
	}
}

// spoolFile puts a file aside in one that has no name, so that nothing of it stays when the process ends.
func spoolFile(part *multipart.Part, most int64) (*File, error) {
	temp, err := scratch.Create()
	if err != nil {
		return nil, err
	}
	f := &File{ReaderAt: temp, Name: part.FileName(), ContentType: part.Header.Get("Content-Type")}
	if f.ContentType == "application/octet-stream" { // what browsers say of what they do not know
		f.ContentType = ""
	}
	if unreadable(f.Name, "") || len(f.Name) > nameBytes {
		f.Name = ""
	}
	if f.Size, err = io.Copy(temp, io.LimitReader(part, most+1)); err == nil && f.Size > most {
		err = tooLong(most)
	}
	return f, err
}

func tooLong(most int64) error {
	return web.Unprocessable(fmt.Sprintf("the file may have at most %d MiB; it has more", most>>20))
}

var errUnreadable = gangway.Errorf(gangway.Invalid, "what was sent cannot be read as a form")

// orUnreadable is err where it says what the sender can do about it.
func orUnreadable(err error) error {
	var own *scratch.Error
	switch {
	case errors.As(err, new(*http.MaxBytesError)), errors.As(err, new(*web.Refusal)), errors.As(err, &own):
		return err
	}
	return errUnreadable
}
