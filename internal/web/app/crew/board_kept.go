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

// A keptRow is what a reader made of a row.
type keptRow struct {
	on    bool
	way   string
	value string // of the option, as a form that was sent carries it; empty: any with this way will do
}

// keptRows is how many of them an address has; beyond, it says that nothing is ticked. board.js has the same number.
const keptRows = 300

// otherRows stands for the person in an address: all of whom it says nothing are not ticked.
const otherRows = "*"

// readBoardAsk reads what the address asks for, and the form if one was sent.
func readBoardAsk(r *http.Request) boardAsk {
	ask := boardAsk{key: r.FormValue("key"), aim: plan.Aim(r.FormValue("aim")), kept: map[string]keptRow{}}
	for _, side := range []string{"on", "off"} {
		for _, row := range r.URL.Query()[side] {
			id, way, _ := strings.Cut(row, ".")
			ask.kept[id] = keptRow{on: side == "on", way: way}
		}
	}
	for name, values := range r.PostForm {
		if id, is := strings.CutPrefix(name, "do."); is {
			way, _, _ := strings.Cut(values[0], " ")
			ask.kept[id] = keptRow{slices.Contains(r.PostForm["tick"], id), way, values[0]}
		}
	}
	return ask
}

// keptFor is what the reader made of a person's row, and the option with that way; below zero: there is none any more.
func (b boardView) keptFor(m plan.Moved) (k keptRow, at int, is bool) {
	if k, is = b.kept[m.Key()]; !is {
		k, is = b.kept[otherRows]
	}
	return k, slices.IndexFunc(m.Options, func(o plan.Option) bool { return string(o.Way) == k.way }), is
}

// keep picks what the reader left or made of it. Nobody agreed to two bookings on one day that were not shown.
func (b boardView) keep(picks []int) []int {
	picks = slices.Clone(picks)
	for i, m := range b.people {
		k, at, is := b.keptFor(m)
		if agreed := at >= 0 && (m.Options[at].OneADay == "" || b.shows(k, m.Options[at])); !is {
			continue
		} else if picks[i] = -1; agreed && (k.on || k.way == "") {
			picks[i] = at
		}
	}
	return picks
}

// shows reports whether a form showed an option as it is now.
func (b boardView) shows(k keptRow, o plan.Option) bool {
	return k.value == "" || k.value == b.value(o)
}

// query is the address of the board, with what the reader changed there or in the form that was sent.
func (b boardView) query() url.Values {
	q := url.Values{"key": {b.key}, "aim": {string(b.aim)}}
	picks := plan.TotalOf(b.aim, b.people, b.rates).Picks
	_, none := b.kept[otherRows]
	for i, m := range b.people {
		k, is := b.kept[m.Key()]
		proposed := !k.on && !m.Open // of who is being quoted for, nobody knows yet what will be proposed
		if picks[i] >= 0 {
			proposed = k.way == string(m.Options[picks[i]].Way) && k.on == (k.way != "")
		}
		if side := map[bool]string{true: "on", false: "off"}[k.on]; is && (none || !proposed) {
			q.Add(side, m.Key()+"."+k.way)
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

func (b boardView) address() string { return "/crew-changes/board?" + b.query().Encode() }
