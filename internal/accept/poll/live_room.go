package poll

import (
	"context"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/background"
	"gangway/internal/gangway"
)

// A liveRoom bounds how much memory all answers take together that somebody waits for: so many long
// ones are read at a time, one of each account, and short ones as long as they have room, of which an
// account gets half.
//
// Decided: docs/choices.md, "Feeds".
type liveRoom struct{ asked, long, short *background.Slots }

// shortRoom is the room for short answers in bytes; each takes timesInMemory its length of it, which is
// what XML of small elements takes once it is read.
const (
	shortRoom     = 64 << 20
	timesInMemory = 10
)

func newLiveRoom() liveRoom {
	return liveRoom{asked: background.NewSlots(askedAtOnce, askedOfOne),
		long:  background.NewSlots(longAnswersAtOnce, 1),
		short: background.NewSlots(shortRoom, shortRoom/2)}
}

// How many questions are with customers' systems at a time, and how many of one account: a page may have dozens for
// as many feeds, and answers that come all at once leave nobody else a turn at the processors.
const (
	askedAtOnce = 64
	askedOfOne  = 16
)

// errNoRoom says nothing against the system that was asked: it is not counted among its failures.
var errNoRoom = gangway.Errorf(gangway.Unavailable,
	"its answer was not read, because many others are being read just now; ask again in a moment")

// An answer is the room that one answer has, with all its pages, until it is stored.
type answer struct {
	room    liveRoom
	tidier  *background.Tidier
	account string
	until   time.Time // when there is no time left to read it

	silence gangway.Silence       // what keeps it just now
	note    func(gangway.Silence) // of silence; nil: nobody asks

	says   decode.Envelope // of itself
	size   int64
	long   bool
	leaves []func()
}

// answer returns an answer that has no room yet. A quarter of the time that somebody waits is for reading it.
func (p *Poller) answer(ctx context.Context, account string) *answer {
	until, _ := ctx.Deadline()
	return &answer{room: p.live.room, tidier: &p.tidier, account: account, until: until.Add(-p.patience() / 4)}
}

// keeps notes what keeps the answer from now on.
func (a *answer) keeps(s gangway.Silence) {
	if a.silence = s; a.note != nil {
		a.note(s)
	}
}

// begins waits until its question may be asked. errNoRoom: it could not in time.
func (a *answer) begins(ctx context.Context) (over func(), err error) {
	ctx, cancel := context.WithDeadline(ctx, a.until)
	defer cancel()
	if over, err = a.room.asked.Take(ctx, a.account, 1); err != nil {
		return nil, errNoRoom
	}
	return over, nil
}

// holds waits until there is room for one more document. errNoRoom: there was none in time.
func (a *answer) holds(ctx context.Context, d *document) error {
	if a.long {
		return nil
	}
	ctx, cancel := context.WithDeadline(ctx, a.until)
	defer cancel()
	a.size += d.size
	a.long = a.size > smallDocument || !d.isShort()
	var leave func()
	var err error
	if a.long {
		leave, err = takeFor(ctx, a.room.long, a.account)
	} else {
		leave, err = a.room.short.Take(ctx, a.account, d.size*timesInMemory)
	}
	if err != nil {
		return errNoRoom
	}
	a.leaves = append(a.leaves, leave)
	return nil
}

// end gives the room back. Nobody waits for what that takes.
func (a *answer) end() {
	for _, leave := range a.leaves {
		if a.long {
			go leave()
		} else {
			leave()
		}
	}
	a.tidier.Leave(a.size)
}
