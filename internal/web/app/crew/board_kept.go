package crew

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/book/plan"
)

// What a reader ticked, unticked or selected is in the address of a board, so that it is still so after other flights
// were looked at, or everything was quoted again.

// A keptRow is a row whose box or way is not as proposed.
type keptRow struct {
	on  bool
	way string
}

// keptRows is how many of them an address has; beyond, it says that nothing is ticked. board.js has the same number.
const keptRows = 300

// otherRows stands for the person in an address: all of whom it says nothing are not ticked.
const otherRows = "*"

// readBoardAsk reads what the address asks for.
func readBoardAsk(r *http.Request) boardAsk {
	q := r.URL.Query()
	ask := boardAsk{key: q.Get("key"), aim: plan.Aim(q.Get("aim")), kept: map[string]keptRow{}}
	for _, side := range []string{"on", "off"} {
		for _, row := range q[side] {
			id, way, _ := strings.Cut(row, ".")
			ask.kept[id] = keptRow{side == "on", way}
		}
	}
	return ask
}

// keptFor is what the reader made of a person's row.
func (b boardView) keptFor(m plan.Moved) (k keptRow, is bool) {
	if k, is = b.kept[plan.PersonKey(m.Person)]; !is {
		k, is = b.kept[otherRows]
	}
	return k, is
}

// among returns the option with the way of k; below zero: there is none any more.
func (k keptRow) among(list []plan.Option) int {
	return slices.IndexFunc(list, func(o plan.Option) bool { return string(o.Way) == k.way })
}

// keep picks what the reader left or made of it.
func (b boardView) keep(picks []int) []int {
	picks = slices.Clone(picks)
	for i, m := range b.people {
		if k, is := b.keptFor(m); is {
			if picks[i] = -1; k.on {
				picks[i] = k.among(m.Options)
			}
		}
	}
	return picks
}

// query is what the address of the board has, with what the reader changed there or in the form that was sent.
func (b boardView) query() url.Values {
	q := url.Values{"key": {b.key}, "aim": {string(b.aim)}}
	picks := plan.TotalOf(b.aim, b.people, b.rates).Picks
	_, none := b.kept[otherRows]
	for i, m := range b.people {
		id := plan.PersonKey(m.Person)
		k, is := b.kept[id]
		if value, sent := b.picked[id]; sent {
			var was keptRow
			if picks[i] >= 0 {
				was.way = string(m.Options[picks[i]].Way)
				was.on = was.way != "" && !none
			}
			k.way, _ = readOption(value)
			k.on = slices.Contains(b.ticked, id)
			is = k.on != was.on || picks[i] >= 0 && k.way != was.way
		}
		if side := map[bool]string{true: "on", false: "off"}[k.on]; is {
			q.Add(side, id+"."+k.way)
		}
	}
	if none || len(q["on"])+len(q["off"]) > keptRows {
		q["off"] = []string{otherRows}
	}
	if len(q["on"]) > keptRows {
		q.Del("on")
	}
	return q
}

// changed is the part of it that says what the reader changed.
func (b boardView) changed() string {
	q := b.query()
	q.Del("key")
	q.Del("aim")
	if len(q) == 0 {
		return ""
	}
	return "&" + q.Encode()
}

func (b boardView) address() string { return "/crew-changes/board?" + b.query().Encode() }
