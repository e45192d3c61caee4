package store

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"gangway/internal/erasure"
	"gangway/internal/gangway"
)

// An erasureEntry is a line of the erasure log, by which a restore repeats an erasure that was made after the copy. It
// is written before the erasure is committed: if that never happens, somebody is named whom the customer wanted erased.
// It names people by keyed hashes only. What --keep erases is not logged, as it is erased again by itself.
type erasureEntry struct {
	At       time.Time `json:"at"`
	Account  string    `json:"account,omitempty"`
	Key      string    `json:"key,omitempty"`      // which key the hashes of people are made with
	People   []string  `json:"people,omitempty"`   // of identifiers, passports, or names with birth dates
	Customer string    `json:"customer,omitempty"` // was removed
}

// LogErasures has each erasure written to a file outside the database.
func (db *DB) LogErasures(file string) { db.erasures = file }

// logErasure writes an entry, if there is a log. The entry is on disk when it returns.
func (db *DB) logErasure(entry erasureEntry) error {
	if db.erasures == "" {
		return nil
	}
	f, err := os.OpenFile(db.erasures, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		err = errors.Join(json.NewEncoder(f).Encode(entry), f.Sync(), f.Close())
	}
	if err != nil {
		err = gangway.Errorf(gangway.Unavailable, "nothing was erased: the erasure log cannot be written: %v", err)
	}
	return err
}

// logTraveller writes who is about to be erased.
func (s Scoped) logTraveller(e *erasing) error {
	if s.db.erasures == "" {
		return nil
	}
	keys, err := s.db.erasureKeys()
	if err != nil {
		return err
	}
	people := map[string]bool{}
	for l := range e.mine {
		for _, mark := range erasureMarks(l) {
			people[keyedHash(keys[0], mark)] = true
		}
	}
	return s.db.logErasure(erasureEntry{At: e.at, Account: s.account, Key: keyedHash(keys[0], erasureKeyName),
		People: slices.Sorted(maps.Keys(people))})
}

// erasureKeys are the keys of the hashes, the newest first.
func (db *DB) erasureKeys() ([][]byte, error) {
	if db.sealer == nil {
		return nil, gangway.Errorf(gangway.Invalid, "the erasure log needs the keys to the secrets: give "+
			"--secret-key-file")
	}
	return db.sealer.Derive("gangway erasure log")
}

// erasureKeyName is what the name of a key is the hash of.
const erasureKeyName = "key"

func keyedHash(key []byte, text string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// erasureMarks are what somebody is known by, the surest first.
func erasureMarks(l erasure.Identity) (list []string) {
	if l.ID != "" {
		list = append(list, "id "+l.ID)
	}
	if l.DocNumber != "" {
		list = append(list, "document "+l.DocCountry+" "+l.DocNumber)
	}
	if l.DOB != "" {
		list = append(list, "name "+string(l.DOB)+" "+l.Name)
	}
	return list
}

// subject is who has an identity, by what is surest.
func subject(l erasure.Identity) erasure.DataSubject {
	switch {
	case l.ID != "":
		return erasure.DataSubject{ID: l.ID}
	case l.DocNumber != "":
		return erasure.DataSubject{DocCountry: gangway.Country(l.DocCountry), DocNumber: l.DocNumber}
	}
	return erasure.DataSubject{Name: l.Name, DOB: l.DOB}
}

// Reerased says what RepeatErasures did.
type Reerased struct {
	People    int      `json:"people"`
	Customers int      `json:"customers"`
	Left      []string `json:"left,omitempty"` // what could not be erased yet, and why
}

// RepeatErasures does again what a log says was erased since a time. With later, only people in bookings are erased: it
// is called again for those who had a live booking, and customers may have sent others anew.
func (db *DB) RepeatErasures(ctx context.Context, by gangway.Actor, log io.Reader, since, at time.Time, later bool,
	forget Forget) (done Reerased, err error) {
	of := map[string][]string{}
	for dec := json.NewDecoder(log); ; {
		var entry erasureEntry
		if err := dec.Decode(&entry); err == io.EOF {
			break
		} else if err != nil {
			return done, gangway.Errorf(gangway.Invalid, "the erasure log cannot be read: %v", err)
		}
		switch {
		case entry.At.Before(since):
		case entry.Customer == "":
			if err := db.hasKey(entry); err != nil {
				return done, err
			}
			of[entry.Account] = append(of[entry.Account], entry.People...)
		default:
			if _, err := db.RemoveCustomer(ctx, by, entry.Customer, at); err == nil {
				done.Customers++
			} else if gangway.KindOf(err) != gangway.NotFound {
				return done, err
			}
		}
	}
	for id, hashes := range of {
		in := db.In(gangway.Scope{Account: id})
		who, err := in.hashed(ctx, hashes, later)
		if err != nil {
			return done, err
		}
		for _, subject := range who {
			switch _, err := in.EraseTraveller(ctx, by, subject, at, forget); gangway.KindOf(err) {
			case gangway.NoError:
				done.People++
			case gangway.Conflict:
				done.Left = append(done.Left, id+": "+err.Error())
			case gangway.NotFound: // it was erased with somebody else's records, or the account was removed
			default:
				return done, err
			}
		}
	}
	return done, nil
}

// hasKey refuses an entry whose hashes are under a key that was not given: nobody would be found by them.
func (db *DB) hasKey(entry erasureEntry) error {
	keys, err := db.erasureKeys()
	if err == nil && !slices.ContainsFunc(keys, func(key []byte) bool {
		return entry.Key == keyedHash(key, erasureKeyName)
	}) {
		err = gangway.Errorf(gangway.Invalid, "the erasure log names people under a key that is not given: add the "+
			"key that the server had on %s to --secret-key-file, on a line of its own", entry.At.Format(time.DateOnly))
	}
	return err
}

// hashed returns who in the account's records, or only in its bookings, has one of the hashes.
func (s Scoped) hashed(ctx context.Context, hashes []string, inBookings bool) (who []erasure.DataSubject, err error) {
	keys, err := s.db.erasureKeys()
	if err != nil {
		return nil, err
	}
	for _, h := range travellerTables {
		if inBookings && h.table != "booking" {
			continue
		}
		err := s.eachTableRow(ctx, h, func(_ travellerRow, list []gangway.Traveller) {
			for _, t := range list {
				l := erasure.IdentityOf(t)
				if is := erasureMarks(l); len(is) > 0 && !slices.Contains(who, subject(l)) &&
					slices.ContainsFunc(keys, func(key []byte) bool {
						return slices.Contains(hashes, keyedHash(key, is[0]))
					}) {
					who = append(who, subject(l))
				}
			}
		}, h.allStatement(), s.account)
		if err != nil {
			return nil, err
		}
	}
	return who, nil
}
