package mail

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/scratch"
	"gangway/internal/transport"
	"gangway/internal/transport/limit"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

const (
	listing   = 2 * time.Minute
	mostMails = 100_000
	perMail   = 1 << 10 // bytes of a list, for one mail
)

// A listed is what the mailbox's list says of a mail.
type listed struct {
	uid  imap.UID
	time time.Time
	size int64
}

var errTooManyMails = gangway.Errorf(gangway.Invalid, "the mailbox has more than 100,000 mails: move away those that "+
	"nobody needs")

// Pull implements transport.Puller. The mails are fetched one by one into a file without a
// name: a mail is understood only when all of it is there.
func (b *box) Pull(ctx context.Context, q transport.Query) iter.Seq2[*transport.Arrival, error] {
	return func(yield func(*transport.Arrival, error) bool) {
		s, err := b.connect(ctx) // for a fresh count of mails
		if err != nil {
			yield(nil, err)
			return
		}
		mails, err := s.list(ctx)
		for _, m := range mails {
			var stopped bool
			var known bool
			if known, err = q.Knows(ctx, s.key(m.uid)); err != nil {
				break
			}
			if known {
				continue
			}
			if stopped, err = s.bring(ctx, m, cmp.Or(q.Most, transport.MostBytes), yield); err != nil || stopped {
				break
			}
		}
		if err != nil {
			s.cut()
			yield(nil, err)
			return
		}
		b.idle.Keep(s, 1)
	}
}

// list returns the mails, oldest first, without those that wait to be removed.
func (s *session) list(ctx context.Context) (mails []listed, err error) {
	switch {
	case s.mails == 0:
		return nil, nil
	case s.mails > mostMails:
		return nil, errTooManyMails
	}
	var all imap.SeqSet
	all.AddRange(1, 0)
	err = s.do(ctx, listing, reply+int64(s.mails)*perMail, func() error {
		cmd := s.imap.Fetch(all, &imap.FetchOptions{UID: true, Flags: true, InternalDate: true, RFC822Size: true})
		for m := cmd.Next(); m != nil; m = cmd.Next() {
			info, err := m.Collect()
			if err != nil {
				cmd.Close()
				return err
			}
			if info.UID != 0 && !slices.Contains(info.Flags, imap.FlagDeleted) && len(mails) < mostMails {
				mails = append(mails, listed{info.UID, info.InternalDate, info.RFC822Size})
			}
		}
		return cmd.Close()
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(mails, func(a, b listed) int { return cmp.Or(a.time.Compare(b.time), cmp.Compare(a.uid, b.uid)) })
	return mails, nil
}

// key names a mail for as long as it is in the mailbox.
func (s *session) key(uid imap.UID) string { return fmt.Sprintf("%d/%d", s.validity, uid) }

// uid returns the mail with a key; none if the mailbox's numbers are others now.
func (s *session) uid(key string) (imap.UID, bool) {
	validity, number, ok := strings.Cut(key, "/")
	v, err1 := strconv.ParseUint(validity, 10, 32)
	n, err2 := strconv.ParseUint(number, 10, 32)
	return imap.UID(n), ok && err1 == nil && err2 == nil && uint32(v) == s.validity && n > 0
}

// bring yields the documents of one mail.
func (s *session) bring(ctx context.Context, m listed, most int64, yield func(*transport.Arrival, error) bool) (
	stopped bool, err error) {
	a := transport.Arrival{Key: s.key(m.uid), Time: m.time, Body: strings.NewReader("")}
	head, err := s.header(ctx, m.uid)
	if err != nil {
		return false, err
	}
	if head == nil {
		return false, nil // somebody has moved it meanwhile
	}
	h, wrong := readHeader(head)
	if wrong == nil {
		a.From, wrong = s.box.sender(h)
	}
	whole := 2*most + 1<<20 // attachments are a third longer in a mail, and there may be some
	if wrong == nil && m.size > whole {
		wrong = transport.TooLong(most)
	}
	if wrong != nil {
		a.Wrong = wrong
		return !yield(&a, nil), nil
	}
	file, err := scratch.Create()
	if err != nil {
		return false, err
	}
	defer file.Close()
	switch found, err := s.fetch(ctx, m.uid, &imap.FetchItemBodySection{Peek: true}, file, whole); {
	case errors.Is(err, errLong):
		a.Wrong = transport.TooLong(most)
		return !yield(&a, nil), nil
	case err != nil || !found:
		return false, err
	}
	mail := file.Reader()
	documents, wrong := documentsOf(mail, most)
	if wrong != nil {
		a.Wrong = wrong
		return !yield(&a, nil), nil
	}
	for _, d := range documents {
		one := a
		one.Name, one.ContentType, one.Wrong = d.name, d.contentType, d.wrong
		if d.wrong == nil {
			content, err := d.open(mail)
			if err != nil {
				return false, errors.New("the mail cannot be read again")
			}
			one.Body = io.LimitReader(content, most)
		}
		if !yield(&one, nil) {
			return true, nil
		}
	}
	return false, nil
}

// header returns a mail's header, nil if the mail is not there, or too much of it.
func (s *session) header(ctx context.Context, uid imap.UID) ([]byte, error) {
	var head bytes.Buffer
	found, err := s.fetch(ctx, uid, &imap.FetchItemBodySection{Specifier: imap.PartSpecifierHeader, Peek: true,
		Partial: &imap.SectionPartial{Size: mostHeader + 1}}, &head, mostHeader+1)
	if err != nil || !found {
		return nil, err
	}
	return append([]byte{}, head.Bytes()...), nil
}

var errLong = errors.New("the mail is too long")

// fetch writes a section of a mail to a writer, at most so many bytes of it.
func (s *session) fetch(ctx context.Context, uid imap.UID, section *imap.FetchItemBodySection, to io.Writer,
	most int64) (found bool, err error) {
	// A mail of the greatest size at the slowest speed, and a little.
	long := limit.Patience + time.Duration(most>>10)*time.Second
	var broke error // why not all of it was taken, on our side
	err = s.do(ctx, long, most+most/8+reply, func() error {
		cmd := s.imap.Fetch(imap.UIDSetNum(uid), &imap.FetchOptions{UID: true,
			BodySection: []*imap.FetchItemBodySection{section}})
		for m := cmd.Next(); m != nil; m = cmd.Next() {
			for item := m.Next(); item != nil; item = m.Next() {
				part, ok := item.(imapclient.FetchItemDataBodySection)
				if !ok || part.Literal == nil {
					continue
				}
				n, err := io.Copy(to, limit.NewBody(ctx, part.Literal, s.cut, most, errLong))
				if err == nil && n < part.Literal.Size() {
					return io.ErrUnexpectedEOF // go-imap reads on: m.Next would read beside it
				}
				if err != nil {
					broke = err
					s.cut() // the rest of it is not waited for
					io.Copy(io.Discard, part.Literal)
					return err
				}
				found = true
			}
		}
		return cmd.Close()
	})
	if errors.Is(broke, errLong) || errors.As(broke, new(*scratch.Error)) {
		return false, broke
	}
	return found, err
}
