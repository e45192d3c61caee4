package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// A Sending is the upload, answer or run that crew changes are part of.
type Sending struct {
	Has    func(name string) bool // whether it has the crew change of a name, besides those written at once
	ByCall bool                   // it answers a question about one date
	Told   func(name, words string)
}

// Sending returns s for what writes the crew changes of one upload, answer or run.
func (s Scoped) Sending(what Sending) Scoped {
	s.sending = what
	return s
}

// decisions are what is decided about crew changes without an identifier while they are written.
type decisions struct {
	asks []question
	told [][2]string // names, and what was decided

	pairs int // that may be the same
}

func (d *decisions) tell(name any, format string, args ...any) {
	d.told = append(d.told, [2]string{name.(string), fmt.Sprintf(format, args...)})
}

// A question asks whether the newer of two crew changes is the older one, moved.
type question struct {
	older, newer string
	about        gangway.AuditEntry
}

// A changeRow is a stored crew change as decisions need it.
type changeRow struct {
	gangway.CrewChange
	changeTexts
	outranked, former string
	gone              int64
}

// holdChanges makes others who call it for the account wait until the transaction ends: they may decide about the same
// vessel. SQLite has one writer at a time.
func (s Scoped) holdChanges(tx statements) error {
	if s.db.dialect != postgres {
		return nil
	}
	return tx.exec(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, changeRecords.table+" "+s.account)
}

// keysByName gives each row the key under which the crew change of its name is stored: that of its date. One that has
// moved away keeps its key, so a new one of that name gets another.
func (s Scoped) keysByName(tx statements, b bulk) error {
	byName, away := map[string]string{}, map[string]bool{}
	err := tx.each(`
		SELECT key, named, outranked NOT LIKE $2 ESCAPE '\' FROM crew_change
		WHERE account = $1 AND named <> key AND named <> '' AND named LIKE 'on:' || change_date || ':%'`,
		[]any{s.account, `%{"source":"` + likeLiterally.Replace(string(b.from.Source)) + `",%`}, func(row scanner) error {
			var key, name string
			var leaves bool // what a feed said before an upload moved it stays beside the upload's
			err := row.Scan(&key, &name, &leaves)
			byName[name], away[key] = key, leaves
			return err
		})
	for _, row := range b.rows {
		name := row[3].(string)
		if row[0] = name; byName[name] != "" {
			row[0] = byName[name]
		} else if away[name] {
			row[0] = s.ownKey(name)
		}
	}
	return err
}

// ownKey returns a key for a crew change whose name was the key of another.
func (s Scoped) ownKey(name string) string {
	return name + "#" + strconv.FormatInt(s.db.Generation(), 36)
}

// changeRows reads crew changes by their keys.
func (s Scoped) changeRows(tx statements, keys []string) (map[string]*changeRow, error) {
	found := map[string]*changeRow{}
	for some := range slices.Chunk(keys, rowsAtOnce) {
		err := tx.each(`
			SELECT `+originColumns+`, key, outranked, former, gone, `+changeColumns+`
			FROM crew_change WHERE account = $1 AND key IN (`+placeholders(2, len(some))+`)`,
			slices.Concat([]any{s.account}, anys(some)), func(row scanner) (err error) {
				var key string
				var from gangway.Origin
				r := new(changeRow)
				if err = scanOrigin(row, &from, append([]any{&key, &r.outranked, &r.former, &r.gone},
					r.into()...)...); err == nil {
					r.CrewChange, err = r.read(key)
				}
				r.Origin, found[key] = from, r
				return err
			})
		if err != nil {
			return nil, fmt.Errorf("read crew changes: %w", err)
		}
	}
	return found, nil
}

// named returns the key of the crew change that has the name of c, or else the date to which one moved that had it.
func (s Scoped) named(tx statements, c gangway.CrewChange) (key string, moved gangway.Date, err error) {
	err = tx.each(`
		SELECT key, named, change_date, moves FROM crew_change
		WHERE account = $1 AND gone = 0 AND (key = $2 OR vessel = $3 AND (named = $2 OR moves <> ''))`,
		[]any{s.account, c.Name(), gangway.Fold(c.Vessel)}, func(row scanner) error {
			r, err := scanTexts(row, 4)
			has := gangway.CrewChange{Vessel: c.Vessel, Flag: c.Flag, ChangeDate: gangway.Date(r[2])}
			if err = cmp.Or(err, changeTexts{moves: r[3]}.readBeside(&has, r[0])); cmp.Or(r[1], r[0]) == c.Name() {
				key = r[0]
			} else if has.MovedFrom(c.ChangeDate) && has.Name() == r[1] {
				moved = has.ChangeDate
			}
			return err
		})
	return key, moved, err
}

// decideMoves decides about those rows of b that are new or changed: what has moved is written in the place of what it
// was. The caller holds the account's crew changes.
func (s Scoped) decideMoves(tx statements, b bulk) error {
	*b.decided = decisions{}
	// The account's clock is not behind real time: what is past only by it, DecideMoves leaves.
	today, names := gangway.TodayAt(b.from.SeenAt), map[string]bool{}
	fresh := map[string][]Row{} // by vessel
	for _, row := range b.rows {
		key, vessel, date, name := row[0].(string), row[1].(string), gangway.Date(row[2].(string)), row[3].(string)
		names[name] = true
		if changed, known := b.known[key]; gangway.NamedByDate(name) && !today.Over(date) && (changed || !known) {
			fresh[vessel] = append(fresh[vessel], row)
		}
	}
	has := func(name string) bool { return names[name] || s.sending.Has != nil && s.sending.Has(name) }
	for vessels := range slices.Chunk(slices.Sorted(maps.Keys(fresh)), rowsAtOnce) {
		beside, bytes, taken := map[string][]string{}, map[string]int{}, map[[2]string]bool{} // by vessel, and by date
		err := tx.each(`
			SELECT key, vessel, change_date, named, moves, octet_length(doc) FROM crew_change
			WHERE account = $1 AND change_date >= $2 AND vessel IN (`+placeholders(3, len(vessels))+`)`,
			slices.Concat([]any{s.account, string(today.Earliest)}, anys(vessels)),
			func(row scanner) error {
				var key, vessel, name, moves string
				var date gangway.Date
				size := 0
				err := row.Scan(&key, &vessel, &date, &name, &moves, &size)
				if name = cmp.Or(name, key); !gangway.NamedByDate(name) {
					taken[[2]string{vessel, string(date)}] = true
				} else if !has(name) && slices.ContainsFunc(fresh[vessel], func(row Row) bool {
					return near(gangway.Date(row[2].(string)), date, moves)
				}) {
					beside[vessel] = append(beside[vessel], key)
					bytes[vessel] += size
				}
				return err
			})
		for vessel, keys := range beside {
			for _, row := range fresh[vessel] {
				bytes[vessel] += len(row.doc())
			}
			if bytes[vessel] > comparedAtMost {
				b.decided.tell(fresh[vessel][0][3], "The crew changes of this vessel are too large to be compared.")
				continue
			}
			err = cmp.Or(err, s.decideVessel(tx, b, fresh[vessel], keys, taken))
		}
		if err != nil {
			return fmt.Errorf("look for crew changes that have moved: %w", err)
		}
	}
	return nil
}

// comparedAtMost is how many bytes the crew changes of one vessel have at most that are compared: some 10,000 people.
const comparedAtMost = 4 << 20

// near reports whether a date is near another, or among the dates that moves name.
func near(date, other gangway.Date, moves string) bool {
	return date.AddDays(-gangway.AskedDays) <= other && other <= date.AddDays(gangway.AskedDays) ||
		strings.Contains(moves, `"`+string(date)+`"`)
}

// decideVessel decides about new or changed rows of one vessel, beside crew changes that are stored.
func (s Scoped) decideVessel(tx statements, b bulk, rows []Row, beside []string, taken map[[2]string]bool) error {
	keys := slices.Clone(beside)
	for _, row := range rows {
		keys = append(keys, row[0].(string))
	}
	stored, err := s.changeRows(tx, keys)
	var ahead int64 // programs and feeds come in without the account's clock
	err = cmp.Or(err, tx.each(`SELECT ahead FROM account WHERE id = $1`, []any{s.account},
		func(row scanner) error { return row.Scan(&ahead) }))
	s = s.At(time.Duration(ahead) * time.Millisecond)
	known, sent := make([]gangway.KnownChange, len(beside)), make([]gangway.SentChange, len(rows))
	for i, key := range beside {
		if err == nil {
			known[i] = gangway.KnownChange{CrewChange: stored[key].CrewChange,
				Stays: s.sending.ByCall && stored[key].gone == 0}
			known[i].Flown, err = s.flown(tx, known[i].CrewChange, b.from.SeenAt)
		}
	}
	for i, row := range rows {
		if err == nil {
			sent[i].CrewChange, err = readCrewChange(row.doc(), "", "")
			sent[i].Origin, sent[i].Taken = b.from, taken[[2]string{row[1].(string), row[2].(string)}]
			switch was := stored[row[0].(string)]; {
			case !b.known[row[0].(string)] || was.gone > 0:
			case b.from.Source != gangway.Uploaded && was.Origin.Source != b.from.Source:
				sent[i].Was = &sent[i].CrewChange // it only stays beside another source's, and changes nothing
			default:
				sent[i].Was = &was.CrewChange
			}
		}
	}
	if err != nil {
		return err
	}
	for i, v := range gangway.DecideMoves(sent, known, gangway.TodayAt(s.Now(b.from.SeenAt))) {
		row := rows[i]
		m := gangway.DateMove{At: b.from.SeenAt, Why: v.Why}
		if old := stored[v.Moved]; old != nil {
			if now := stored[row[0].(string)]; now != nil { // it came before the former date was asked again
				err = s.join(tx, old, now, m, gangway.BySystem())
			} else if err = s.saveMove(tx, old, sent[i].CrewChange, m, gangway.BySystem()); err == nil {
				err = b.pass(row, []string{old.dropped, old.news, old.moved}, old.doc, b.from)
			}
			if row[0] = v.Moved; err != nil {
				return err
			}
			b.decided.tell(row[3], "The crew change of %s on %s moved to %s: %s.", old.Vessel, old.ChangeDate,
				sent[i].ChangeDate, v.Why)
		}
		for _, d := range v.Asks {
			old := stored[d.Key].CrewChange
			if b.decided.pairs++; b.decided.pairs == askedAtMost+1 {
				b.decided.tell(row[3], "Bookers are asked about the first %d that may have moved.", askedAtMost)
			}
			if b.decided.pairs > askedAtMost {
				break
			}
			about := aboutMove(gangway.CrewChangeAsked, old, sent[i].ChangeDate, d.Why, gangway.BySystem(), m.At)
			b.decided.asks = append(b.decided.asks, question{d.Key, row[0].(string), about})
			b.decided.tell(row[3], "The crew change of %s on %s may have moved to %s (%s): both are kept, and bookers "+
				"are asked.", old.Vessel, old.ChangeDate, sent[i].ChangeDate, d.Why)
		}
	}
	return nil
}

// askedAtMost is how many questions one upload, or portion of a run, brings at most: more than people answer.
const askedAtMost = 1000

// aboutMove is what the audit log says of c and another date.
func aboutMove(what gangway.AuditEvent, c gangway.CrewChange, to gangway.Date, why string, by gangway.Actor,
	at time.Time) gangway.AuditEntry {
	return gangway.AuditEntry{At: at, By: by, What: what,
		Before: map[string]any{"vessel": c.Vessel, "change_date": string(c.ChangeDate)},
		After:  map[string]any{"vessel": c.Vessel, "change_date": string(to), "why": why}}
}

// flown reports whether somebody in c has flown.
func (s Scoped) flown(tx statements, c gangway.CrewChange, at time.Time) (has bool, err error) {
	c.Dropped = nil
	in := gangway.Among(crewChangeTravellers(c))
	err = tx.each(`SELECT doc, check_at FROM booking WHERE account = $1 AND change_key = $2 AND departs <= $3`,
		[]any{s.account, c.Key(), string(gangway.DateOf(s.Now(at)).AddDays(1))}, func(row scanner) error {
			b, err := scanBooking(row)
			has = has || err == nil && b.Ticketed() && !b.Itinerary.Departure().After(s.Now(at)) && in(b.Passenger)
			return err
		})
	return has, err
}

// saveMove notes that a crew change moves to the date of now, and keeps how it was for as long as that can be undone.
func (s Scoped) saveMove(tx statements, old *changeRow, now gangway.CrewChange, m gangway.DateMove,
	by gangway.Actor) error {
	m.From, m.To = old.ChangeDate, now.ChangeDate
	former, err := readClaims(old.former)
	former = slices.DeleteFunc(former, func(c claim) bool {
		return !gangway.DateMove{At: instant(c.Seen)}.Recent(m.At)
	})
	former = append(former, claim{old.Origin.Source, millis(m.At), rawDoc(old.doc)})
	return cmp.Or(err, s.saveMoves(tx, old.Key(), old.WithMove(m), former),
		s.recordIn(tx, aboutMove(gangway.CrewChangeMoved, old.CrewChange, m.To, m.Why, by, m.At)))
}

func (s Scoped) saveMoves(tx statements, key string, moves []gangway.DateMove, former []claim) error {
	doc, err := json.Marshal(moves)
	return cmp.Or(err, tx.exec(`
		UPDATE crew_change SET moves = $3, former = $4, gone = 0, version = version + 1 WHERE account = $1 AND key = $2`,
		s.account, key, string(doc), writeClaims(former)))
}

// ask stores questions, each unless it was asked before.
func (s Scoped) ask(tx statements, list []question) error {
	for _, q := range list {
		asked := false
		err := tx.each(`
			SELECT older FROM crew_change_question
			WHERE account = $1 AND (older = $2 AND newer = $3 OR older = $3 AND newer = $2)`,
			[]any{s.account, q.older, q.newer}, func(scanner) error { asked = true; return nil })
		if err == nil && !asked {
			err = cmp.Or(tx.exec(`INSERT INTO crew_change_question (account, older, newer, why) VALUES ($1, $2, $3, $4)`,
				s.account, q.older, q.newer, q.about.After["why"]), s.recordIn(tx, q.about),
				tx.exec(`UPDATE crew_change SET gone = 0 WHERE account = $1 AND key = $2`, s.account, q.older))
		}
		if err != nil {
			return fmt.Errorf("ask about a crew change: %w", err)
		}
	}
	return nil
}

// A ChangeQuestion asks whether the newer of two crew changes is the older one, moved.
type ChangeQuestion struct {
	Older, Newer gangway.CrewChange
	Why          string
}

// ChangeQuestions returns the questions about a crew change that nobody has answered.
func (s Scoped) ChangeQuestions(ctx context.Context, key string) ([]ChangeQuestion, error) {
	list, err := selectAll(ctx, s.db.reader, func(row scanner) (q ChangeQuestion, err error) {
		err = row.Scan(&q.Older.StoredKey, &q.Newer.StoredKey, &q.Why)
		return q, err
	}, `SELECT older, newer, why FROM crew_change_question
		WHERE account = $1 AND answered = 0 AND (older = $2 OR newer = $2) ORDER BY older, newer LIMIT 50`, s.account, key)
	for i := range list {
		for _, c := range []*gangway.CrewChange{&list[i].Older, &list[i].Newer} {
			if *c, err = s.CrewChange(ctx, c.StoredKey); err != nil {
				return nil, unlessNotFound(err) // answered meanwhile
			}
		}
	}
	return list, err
}

// Asked returns the crew changes that people are asked about.
func (s Scoped) Asked(ctx context.Context) (map[string]bool, error) {
	asked := map[string]bool{}
	return asked, eachRow(ctx, s.db.reader, `
		SELECT older, newer FROM crew_change_question WHERE account = $1 AND answered = 0`,
		[]any{s.account}, func(row scanner) error {
			pair, err := scanTexts(row, 2)
			asked[pair[0]], asked[pair[1]] = true, true
			return err
		})
}

// AnswerQuestion stores a person's answer: the newer crew change is the older one, moved, or they are two. Conflict:
// somebody has answered it.
func (s Scoped) AnswerQuestion(ctx context.Context, by gangway.Actor, older, newer string, same bool,
	at time.Time) error {
	return s.decide(ctx, []string{older, newer}, func(tx statements, stored map[string]*changeRow) error {
		var why string
		err := tx.each(`
			SELECT why FROM crew_change_question
			WHERE account = $1 AND older = $2 AND newer = $3 AND answered = 0`,
			[]any{s.account, older, newer}, func(row scanner) error { return row.Scan(&why) })
		old, now := stored[older], stored[newer]
		switch {
		case err != nil || why == "" || old == nil || now == nil:
			return cmp.Or(err, gangway.Errorf(gangway.Conflict, "this question was answered already"))
		case same:
			return s.join(tx, old, now, gangway.DateMove{By: by.ID, At: at, Why: old.Alike(now.CrewChange)}, by)
		}
		return cmp.Or(s.recordIn(tx, aboutMove(gangway.CrewChangesTwo, old.CrewChange, now.ChangeDate, why, by, at)),
			tx.exec(`UPDATE crew_change_question SET answered = 1 WHERE account = $1 AND older = $2 AND newer = $3`,
				s.account, older, newer))
	})
}

// decide changes crew changes, while nobody else decides about them.
func (s Scoped) decide(ctx context.Context, keys []string,
	do func(tx statements, stored map[string]*changeRow) error) error {
	if err := s.write(ctx, func(tx *sql.Tx) error {
		st := within(ctx, tx)
		if err := s.holdChanges(st); err != nil {
			return err
		}
		stored, err := s.changeRows(st, keys)
		return cmp.Or(err, do(st, stored))
	}); err != nil {
		return err
	}
	return s.recheckChanges(ctx, func(key string) bool { return slices.Contains(keys, key) })
}

// join makes a crew change the older one, moved to its date: what was booked for it is then for that.
func (s Scoped) join(tx statements, old, now *changeRow, m gangway.DateMove, by gangway.Actor) error {
	beside, err := replaced(old.CrewChange, now.CrewChange, gangway.Origin{Source: now.Origin.Source, SeenAt: m.At,
		Generation: now.Origin.Generation}, now.moved)
	if err != nil {
		return err
	}
	claims, err := readClaims(old.outranked)
	if claims = without(claims, now.Origin.Source); old.Origin.Source != now.Origin.Source {
		claims = append(claims, claim{old.Origin.Source, millis(old.Origin.SeenAt), rawDoc(old.doc)})
	}
	return cmp.Or(err, s.saveMove(tx, old, now.CrewChange, m, by), tx.exec(`
		UPDATE crew_change SET (vessel, change_date, named, doc, moved, source, last_seen, generation) = (
			SELECT vessel, change_date, named, doc, moved, source, last_seen, generation
			FROM crew_change WHERE account = $1 AND key = $3), dropped = $4, outranked = $5, news = $6
		WHERE account = $1 AND key = $2`, s.account, old.Key(), now.Key(), beside[0], writeClaims(claims), beside[1]),
		s.hand(tx, now.Key(), old.Key(), time.Time{}),
		tx.exec(`DELETE FROM crew_change WHERE account = $1 AND key = $2`, s.account, now.Key()))
}

// hand moves the bookings, searches and batches made for one crew change since an instant to another.
func (s Scoped) hand(tx statements, from, to string, since time.Time) error {
	was, err := json.Marshal(map[string]string{"change": from})
	is, wrong := json.Marshal(map[string]string{"change": to})
	old, now := strings.Trim(string(was), "{}"), strings.Trim(string(is), "{}")
	return cmp.Or(err, wrong, tx.exec(`
		UPDATE booking SET change_key = $3, doc = replace(doc, $4, $5)
		WHERE account = $1 AND change_key = $2 AND created_at >= $6`, s.account, from, to, old, now, millis(since)),
		tx.exec(`
		UPDATE search SET doc = replace(doc, $2, $3) WHERE account = $1 AND created_at >= $4 AND doc LIKE $5 ESCAPE '\'`,
			s.account, old, now, millis(since), `%`+likeLiterally.Replace(old)+`%`),
		tx.exec(`UPDATE batch SET change_key = $3 WHERE account = $1 AND change_key = $2 AND created_at >= $4`,
			s.account, from, to, millis(since)))
}

// UndoMove undoes the latest move of a crew change: it is again as it was before, with what was booked until then. What
// it became stays as a crew change of its own, with what was booked since.
func (s Scoped) UndoMove(ctx context.Context, by gangway.Actor, key string, at time.Time) error {
	return s.decide(ctx, []string{key}, func(tx statements, stored map[string]*changeRow) error {
		c := cmp.Or(stored[key], new(changeRow))
		former, err := readClaims(c.former)
		i, n := c.Undoable(at), -1
		if i >= 0 {
			n = slices.IndexFunc(former, func(f claim) bool { return f.Seen == millis(c.Moves[i].At) })
		}
		if err != nil || n < 0 {
			return cmp.Or(err, gangway.Errorf(gangway.Conflict, "this move was undone or is older than 30 days"))
		}
		m, source, doc := &c.Moves[i], former[n].Source, string(former[n].Doc)
		was, err := readCrewChange(doc, "", "")
		if other, _, found := s.named(tx, was); cmp.Or(err, found) != nil || other != "" {
			return cmp.Or(err, found, gangway.Errorf(gangway.Conflict, "another crew change is on %s by now", m.From))
		}
		m.Undone = true
		out := was.Replace(gangway.CrewChange{Dropped: c.Dropped}, at).Dropped
		dropped, err := writeBeside(out, len(out) > 0)
		claims, broken := readClaims(c.outranked)
		next := s.ownKey(c.Name())
		return cmp.Or(err, broken, tx.exec(`
			INSERT INTO crew_change
				(account, key, vessel, change_date, named, doc, version, moved, source, last_seen, generation)
			SELECT account, $3, vessel, change_date, named, doc, 1, moved, source, last_seen, generation
			FROM crew_change WHERE account = $1 AND key = $2`, s.account, key, next), tx.exec(`
			UPDATE crew_change SET change_date = $3, named = $4, doc = $5, dropped = $6, source = $7, outranked = $8,
				news = ''
			WHERE account = $1 AND key = $2`, s.account, key, string(was.ChangeDate), was.Name(), doc, dropped,
			string(source), writeClaims(without(claims, source))),
			s.saveMoves(tx, key, c.Moves, slices.Delete(former, n, n+1)),
			s.hand(tx, key, next, s.Now(m.At)),
			s.recordIn(tx, aboutMove(gangway.CrewChangeMoveUndone, c.CrewChange, m.From, m.Why, by, at)),
			s.ask(tx, []question{{key, next,
				aboutMove(gangway.CrewChangeAsked, was, m.To, "the move was undone", by, at)}}))
	})
}

// leaveCrewChange withdraws a crew change that a feed no longer has. One that people are asked about stays until the
// answer. One without an identifier that a system does not have on its date may have moved to another: it is hidden,
// and decided about beside those of the same vessel, now and when others come.
func (s Scoped) leaveCrewChange(ctx context.Context, tx *sql.Tx, key string, from gangway.Origin,
	of Days) (some bool, err error) {
	st := within(ctx, tx)
	if err := s.holdChanges(st); err != nil {
		return false, err
	}
	var source, vessel, day, name string
	var generation, gone, size int64
	var outranks, asked bool
	err = st.each(`
		SELECT source, vessel, change_date, named, generation, gone, octet_length(doc), outranked <> '', EXISTS (
			SELECT 1 FROM crew_change_question
			WHERE account = $1 AND answered = 0 AND (older = $2 OR newer = $2))
		FROM crew_change WHERE account = $1 AND key = $2`, []any{s.account, key}, func(row scanner) error {
		return row.Scan(&source, &vessel, &day, &name, &generation, &gone, &size, &outranks, &asked)
	})
	date := gangway.Date(day)
	switch {
	case err != nil, asked, source != string(from.Source), generation >= from.Generation, of != (Days{}) && gone > 0:
		return false, err
	case of == (Days{}), outranks, !gangway.NamedByDate(cmp.Or(name, key)), size > comparedAtMost,
		gangway.TodayAt(from.SeenAt).Over(date):
		n, err := s.withdraw(ctx, tx, changeRecords, `key = $2`, key)
		return n > 0, err
	}
	var rows []Row
	b := bulk{records: changeRecords, from: from, decided: new(decisions)}
	err = cmp.Or(
		st.exec(`UPDATE crew_change SET gone = $3, version = version + 1 WHERE account = $1 AND key = $2`, s.account, key,
			millis(from.SeenAt)),
		st.each(`
			SELECT `+strings.Join(changeRecords.columns, ", ")+` FROM crew_change
			WHERE account = $1 AND vessel = $2 AND gone = 0 AND source = $3 AND change_date >= $4 AND change_date <= $5
				AND octet_length(doc) <= $7 AND NOT EXISTS (SELECT 1 FROM crew_change_question q WHERE q.account = $1 AND
					(q.older = $6 AND q.newer = crew_change.key OR q.newer = $6 AND q.older = crew_change.key))`,
			[]any{s.account, vessel, source, string(date.AddDays(-gangway.AskedDays)), string(date.AddDays(
				gangway.AskedDays)), key, comparedAtMost / gangway.AskedDays}, func(row scanner) error {
				texts, err := scanTexts(row, len(changeRecords.columns))
				rows = append(rows, anys(texts))
				return err
			}))
	if err == nil && len(rows) > 0 {
		err = s.decideVessel(st, b, rows, []string{key}, nil)
	}
	return true, cmp.Or(err, s.ask(st, b.decided.asks))
}
