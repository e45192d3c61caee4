package mail

import (
	"bufio"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/textproto"
	"path"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/transport"
)

// A mail may have so many parts, so deep in each other.
const (
	mostParts = 1000
	deepest   = 20
)

// A document is a part of a mail.
type document struct {
	part        int // its number among the parts
	name        string
	contentType string
	wrong       error
}

var (
	errParts = gangway.Errorf(gangway.Invalid, "the mail has more than 1,000 parts, or they are more than 20 deep in "+
		"each other")
	errMail  = gangway.Errorf(gangway.Invalid, "the mail cannot be read: its parts are not well formed")
	errEmpty = gangway.Errorf(gangway.Invalid, "the mail has neither attachments nor text")
	errFound = errors.New("found")
)

// documentsOf returns what a mail brings: its attachments, or its text where there are
// none. Each is read once here, so that it can be read afterwards.
func documentsOf(file io.ReadSeeker, most int64) (list []document, err error) {
	var text []document
	err = walk(file, func(p part) error {
		d := document{part: p.number, name: p.name(), contentType: p.contentType()}
		attached := d.name != "" || p.disposition() == "attachment"
		switch {
		case p.mediaType == "application/pgp-signature", strings.HasSuffix(p.mediaType, "pkcs7-signature"),
			strings.HasPrefix(p.mediaType, "image/") && p.disposition() != "attachment":
			return nil // of the signature beneath the text
		case !attached && (p.forwarded || !strings.HasPrefix(p.mediaType, "text/")):
			return nil
		}
		n, err := io.Copy(io.Discard, io.LimitReader(p.body, most+1))
		switch {
		case err != nil:
			d.wrong = gangway.Errorf(gangway.Invalid, "the attachment %q cannot be read: it was cut, or is not "+
				"encoded as it says", d.name)
		case n > most:
			d.wrong = transport.TooLong(most)
		}
		if attached {
			list = append(list, d)
		} else if plain := p.mediaType == "text/plain"; len(text) == 0 ||
			plain && !strings.HasPrefix(text[0].contentType, "text/plain") {
			text = []document{d}
		}
		return nil
	})
	if len(list) == 0 {
		list = text
	}
	if err == nil && len(list) == 0 {
		err = errEmpty
	}
	return list, err
}

// open returns a document's content.
func (d document) open(file io.ReadSeeker) (content io.Reader, err error) {
	err = walk(file, func(p part) error {
		if p.number == d.part {
			content = p.body
			return errFound
		}
		return nil
	})
	if errors.Is(err, errFound) {
		return content, nil
	}
	return nil, fmt.Errorf("part %d is not there: %w", d.part, err)
}

// A part is one that has no parts itself.
type part struct {
	number    int
	header    textproto.MIMEHeader
	mediaType string
	params    map[string]string
	body      io.Reader // without its transfer encoding
	forwarded bool      // it is in a mail that is attached
}

func (p part) disposition() string {
	kind, _, _ := mime.ParseMediaType(p.header.Get("Content-Disposition"))
	return kind
}

// contentType is the declared one; where nothing is declared that is text.
func (p part) contentType() string {
	return oneLine(mime.FormatMediaType(p.mediaType, p.params), 200)
}

// name is that of the file, without folders.
func (p part) name() string {
	_, params, _ := mime.ParseMediaType(p.header.Get("Content-Disposition"))
	name := cmp.Or(params["filename"], p.params["name"])
	if decoded, err := (&mime.WordDecoder{}).DecodeHeader(name); err == nil {
		name = decoded
	}
	name = path.Base(strings.ReplaceAll(oneLine(name, 200), `\`, "/"))
	if name == "." || name == "/" || name == ".." {
		return ""
	}
	return name
}

// walk visits the parts of a mail, in order. Its errors are Invalid, or those of visit.
func walk(file io.ReadSeeker, visit func(part) error) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	w := &walker{visit: visit}
	return w.mail(bufio.NewReader(file), 0, false)
}

type walker struct {
	visit func(part) error
	parts int // that were begun
}

// mail walks a whole mail: a header and what follows.
func (w *walker) mail(r *bufio.Reader, depth int, forwarded bool) error {
	var head []byte
	for {
		line, err := r.ReadSlice('\n')
		head = append(head, line...)
		if len(head) > mostHeader {
			return errHeader
		}
		if blank := strings.TrimRight(string(line), "\r\n") == ""; blank && err == nil &&
			(len(head) == len(line) || head[len(head)-len(line)-1] == '\n') || err == io.EOF {
			break
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return errMail
		}
	}
	h, err := readHeader(head)
	if err != nil {
		return err
	}
	return w.part(h.MIMEHeader, r, depth, forwarded)
}

// part walks a part, and those in it.
func (w *walker) part(h textproto.MIMEHeader, r io.Reader, depth int, forwarded bool) error {
	if w.parts++; w.parts > mostParts || depth > deepest {
		return errParts
	}
	mediaType, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || mediaType == "" {
		mediaType, params = "text/plain", nil
		if h.Get("Content-Type") != "" {
			mediaType = "application/octet-stream"
		}
	}
	if strings.HasPrefix(mediaType, "multipart/") {
		return w.multipart(multipart.NewReader(r, params["boundary"]), depth, forwarded)
	}
	body := decoded(h.Get("Content-Transfer-Encoding"), r)
	if mediaType == "message/rfc822" {
		return w.mail(bufio.NewReader(body), depth+1, true)
	}
	return w.visit(part{w.parts, h, mediaType, params, body, forwarded})
}

func (w *walker) multipart(r *multipart.Reader, depth int, forwarded bool) error {
	for {
		p, err := r.NextRawPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return errMail
		}
		if err := w.part(p.Header, p, depth+1, forwarded); err != nil {
			return err
		}
	}
}

// decoded undoes a transfer encoding.
//
// Source: RFC 2045, section 6: other characters in base64 are ignored.
func decoded(encoding string, r io.Reader) io.Reader {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, alphabet{r})
	case "quoted-printable":
		return quotedprintable.NewReader(r)
	}
	return r
}

// alphabet lets the characters of base64 through.
type alphabet struct{ r io.Reader }

func (a alphabet) Read(p []byte) (int, error) {
	for {
		n, err := a.r.Read(p)
		kept := 0
		for _, b := range p[:n] {
			letter := b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z'
			if letter || b >= '0' && b <= '9' || b == '+' || b == '/' || b == '=' {
				p[kept] = b
				kept++
			}
		}
		if kept > 0 || err != nil {
			return kept, err
		}
	}
}
