package store

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
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

// An erasureEntry is a line of the erasure log, by which a restore repeats an erasure that the copy does not have. It
// is written before the erasure is committed: if that never happens, somebody is named whom the customer wanted erased.
// It names people by keyed hashes only. What --keep erases is not logged, as it is erased again by itself.
//
// The erasure's entry in the audit log names the line, so a copy tells which erasures it has. Times do not: clocks are
// set back, and those of two machines differ.
type erasureEntry struct {
	ID       string    `json:"id,omitempty"` // of people
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

// logTraveller writes who is about to be erased, and notes the line in e.
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
	e.line = rand.Text()
	return s.db.logErasure(erasureEntry{ID: e.line, At: e.at, Account: s.account,
		Key: keyedHash(keys[0], erasureKeyName), People: slices.Sorted(maps.Keys(people))})
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
	Skipped   int      `json:"skipped"`        // lines whose erasures the database has
	Left      []string `json:"left,omitempty"` // what could not be erased yet, and why
}

// RepeatErasures does again what a log says was erased, unless the database has it: somebody who was sent again after
// that stays. Called again, it erases those who had a live booking.
func (db *DB) RepeatErasures(ctx context.Context, by gangway.Actor, log io.Reader, at time.Time, forget Forget) (
	done Reerased, err error) {
	has, err := db.erasedLines(ctx)
	if err != nil {
		return done, err
	}
	of := map[string]map[string][]string{} // by account and hash, the lines
	for dec := json.NewDecoder(log); ; {
		var entry erasureEntry
		if err := dec.Decode(&entry); err == io.EOF {
			break
		} else if err != nil {
			return done, gangway.Errorf(gangway.Invalid, "the erasure log cannot be read: %v", err)
		}
		line := cmp.Or(entry.ID, entry.At.Format(time.RFC3339Nano))
		switch {
		case has[line]:
			done.Skipped++
		case entry.Customer == "":
			if err := db.hasKey(entry); err != nil {
				return done, err
			}
			if of[entry.Account] == nil {
				of[entry.Account] = map[string][]string{}
			}
			for _, hash := range entry.People {
				of[entry.Account][hash] = append(of[entry.Account][hash], line)
			}
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
		repeated := map[string]bool{}
		for _, lines := range hashes {
			for _, line := range lines {
				repeated[line] = true
			}
		}
		who, err := in.hashed(ctx, hashes)
		if err != nil {
			return done, err
		}
		for subject, hash := range who {
			switch _, err := in.EraseTraveller(ctx, by, subject, at, forget); gangway.KindOf(err) {
			case gangway.NoError:
				done.People++
			case gangway.Conflict:
				done.Left = append(done.Left, id+": "+err.Error())
				for _, line := range hashes[hash] {
					delete(repeated, line)
				}
			case gangway.NotFound: // it was erased with somebody else's records, or the account was removed
			default:
				return done, err
			}
		}
		if err := in.noteErased(ctx, by, slices.Sorted(maps.Keys(repeated)), at); err != nil {
			return done, err
		}
	}
	return done, nil
}

// linesNoted is where the audit log's entry about an erasure names the lines of the erasure log.
const linesNoted = "lines"

// erasedLines are the lines of the erasure log whose erasures the database has.
func (db *DB) erasedLines(ctx context.Context) (map[string]bool, error) {
	has := map[string]bool{}
	err := eachRow(withLongWork(ctx), db.reader, `SELECT became FROM audit WHERE what = $1`,
		[]any{string(gangway.TravellerErased)}, func(row scanner) error {
			var text string
			if err := row.Scan(&text); err != nil {
				return err
			}
			about, err := readDetails(text)
			lines, _ := about[linesNoted].([]any)
			for _, line := range lines {
				if id, ok := line.(string); ok {
					has[id] = true
				}
			}
			return err
		})
	return has, wrapf(err, "read what was erased")
}

// noteErased notes lines of the log that were repeated, also those of people who were not there.
func (s Scoped) noteErased(ctx context.Context, by gangway.Actor, lines []string, at time.Time) error {
	if len(lines) == 0 {
		return nil
	}
	err := s.Record(ctx, by, gangway.TravellerErased, map[string]any{"bookings": 0, "records": 0, "finished": true,
		linesNoted: lines}, at)
	if gangway.KindOf(err) == gangway.NotFound { // the account came after the copy
		return nil
	}
	return err
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

// hashed returns who in the account's records has one of the hashes, and which.
func (s Scoped) hashed(ctx context.Context, hashes map[string][]string) (map[erasure.DataSubject]string, error) {
	who := map[erasure.DataSubject]string{}
	keys, err := s.db.erasureKeys()
	if err != nil {
		return nil, err
	}
	for _, h := range travellerTables {
		err := s.eachTableRow(ctx, h, func(_ travellerRow, list []gangway.Traveller) {
			for _, t := range list {
				l := erasure.IdentityOf(t)
				is := erasureMarks(l)
				for _, key := range keys {
					if len(is) == 0 {
						break
					}
					if hash := keyedHash(key, is[0]); hashes[hash] != nil {
						who[subject(l)] = hash
					}
				}
			}
		}, h.allStatement(), s.account)
		if err != nil {
			return nil, err
		}
	}
	return who, nil
}
