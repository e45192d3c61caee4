package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"gangway/internal/transport"
	"gangway/internal/transport/limit"

	"github.com/emersion/go-imap/v2"
)

// Settle implements transport.Settler: the mail is moved to done or failed. A report is
// left there first, as a mail beside it, so that no mail in failed lacks its report.
func (b *box) Settle(ctx context.Context, key string, as transport.Outcome) error {
	s, err := b.take(ctx)
	if err != nil {
		return err
	}
	if err := s.settle(ctx, key, as); err != nil {
		s.cut() // it may be what is wrong
		return err
	}
	b.idle.Keep(s, 1)
	return nil
}

func (s *session) settle(ctx context.Context, key string, as transport.Outcome) error {
	uid, ok := s.uid(key)
	if !ok {
		return nil // of another numbering: whatever was meant is not known here any more
	}
	mail, err := s.info(ctx, uid)
	if err != nil || mail == nil {
		return err // put away before
	}
	name := "done"
	if as.Failed {
		name = "failed"
	}
	to, err := s.folder(ctx, name)
	if err == nil && len(as.Report) > 0 {
		err = s.report(ctx, to, key, mail.header, as)
	}
	if err == nil {
		err = s.move(ctx, uid, mail, to)
	}
	if err != nil {
		return fmt.Errorf("a mail cannot be moved to the folder %s, and is not read again while it stays where it is: "+
			"%w", name, err)
	}
	return nil
}

// An info is what is needed of a mail that is in the mailbox.
type info struct {
	header   header
	answered bool
	size     int64
}

// info returns it, or nil if the mail is not there, or only waits to be removed.
func (s *session) info(ctx context.Context, uid imap.UID) (*info, error) {
	var found *info
	err := s.do(ctx, limit.Patience, reply, func() error {
		mails, err := s.imap.Fetch(imap.UIDSetNum(uid), &imap.FetchOptions{UID: true, Flags: true,
			RFC822Size: true}).Collect()
		for _, m := range mails {
			if m.UID == uid && !slices.Contains(m.Flags, imap.FlagDeleted) {
				found = &info{answered: slices.Contains(m.Flags, imap.FlagAnswered), size: m.RFC822Size}
			}
		}
		return err
	})
	if err != nil || found == nil {
		return nil, err
	}
	raw, err := s.header(ctx, uid)
	if err != nil || raw == nil {
		return nil, err
	}
	found.header, _ = readHeader(raw) // one that cannot be read is moved all the same
	return found, nil
}

// folder returns the name of the folder done or failed, which it makes if it is missing:
// within the mailbox, or beside it where the server has no folders in folders.
func (s *session) folder(ctx context.Context, name string) (folder string, err error) {
	err = s.do(ctx, limit.Patience, reply, func() error {
		names := []string{name}
		self, err := s.imap.List("", s.box.Mailbox, nil).Collect()
		if err != nil {
			return err
		}
		if len(self) > 0 && self[0].Delim != 0 {
			names = []string{s.box.Mailbox + string(self[0].Delim) + name, name}
		}
		for _, n := range names {
			list, err := s.imap.List("", n, nil).Collect()
			if err != nil {
				return err
			}
			if slices.ContainsFunc(list, func(l *imap.ListData) bool {
				return l.Mailbox == n && !slices.Contains(l.Attrs, imap.MailboxAttrNoSelect)
			}) {
				folder = n
				return nil
			}
		}
		for _, n := range names {
			if err = s.imap.Create(n, nil).Wait(); err == nil {
				s.imap.Subscribe(n).Wait() // so that mail programs show it; not all servers know that
				folder = n
				return nil
			}
		}
		return err
	})
	return folder, err
}

// move moves a mail. A server that cannot move copies, and then marks the mail as deleted:
// no other mail that is so marked is removed with it.
func (s *session) move(ctx context.Context, uid imap.UID, mail *info, to string) error {
	caps := s.imap.Caps()
	if caps.Has(imap.CapMove) {
		return s.do(ctx, limit.Patience, reply, func() error {
			_, err := s.imap.Move(imap.UIDSetNum(uid), to).Wait()
			return err
		})
	}
	copied, err := s.has(ctx, to, mail.header.ids("Message-Id"), mail.size)
	if err != nil {
		return err
	}
	return s.do(ctx, limit.Patience, reply, func() error {
		if !copied {
			if _, err := s.imap.Copy(imap.UIDSetNum(uid), to).Wait(); err != nil {
				return err
			}
		}
		if err := s.imap.Store(imap.UIDSetNum(uid), &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true,
			Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close(); err != nil {
			return err
		}
		if caps.Has(imap.CapUIDPlus) {
			return s.imap.UIDExpunge(imap.UIDSetNum(uid)).Close()
		}
		return nil
	})
}

// has reports whether a folder has a mail with one of these identifiers, and of this size
// if it is not 0: it was copied there before.
func (s *session) has(ctx context.Context, folder string, ids []string, size int64) (found bool, err error) {
	if len(ids) == 0 {
		return false, nil
	}
	err = s.do(ctx, limit.Patience, reply, func() error {
		if err := s.selectMailbox(folder); err != nil {
			return err
		}
		data, err := s.imap.UIDSearch(&imap.SearchCriteria{Header: []imap.SearchCriteriaHeaderField{
			{Key: "Message-Id", Value: ids[0]}}}, nil).Wait()
		if err == nil {
			for _, uid := range data.AllUIDs() {
				mails, failed := s.imap.Fetch(imap.UIDSetNum(uid), &imap.FetchOptions{UID: true,
					RFC822Size: true}).Collect()
				for _, m := range mails {
					found = found || size == 0 || m.RFC822Size == size
				}
				err = errors.Join(err, failed)
			}
		}
		return errors.Join(err, s.selectMailbox(s.box.Mailbox))
	})
	return found, err
}

// report leaves a mail that says what was wrong, once.
func (s *session) report(ctx context.Context, folder, key string, about header, as transport.Outcome) error {
	id := s.box.messageID("report", key)
	left, err := s.has(ctx, folder, []string{id}, 0)
	if err != nil || left {
		return err
	}
	m, err := s.box.compose(id, about, "Report: ", string(as.Report))
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if _, err := m.WriteTo(&text); err != nil {
		return errors.New("the report cannot be written")
	}
	return s.do(ctx, limit.Patience, reply, func() error {
		cmd := s.imap.Append(folder, int64(text.Len()), nil)
		if _, err := cmd.Write(text.Bytes()); err != nil {
			return err
		}
		if err := cmd.Close(); err != nil {
			return err
		}
		_, err := cmd.Wait()
		return err
	})
}
