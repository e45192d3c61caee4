package shell

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A leftScale says how a time left is written and how urgent it is. Every page
// carries it as data, so that clocks.js counts down by the same limits and words.
type leftScale struct {
	Words   []leftStep `json:"words"`
	Urgency []leftStep `json:"urgency"`
}

// A leftStep is what is written of a time left that is shorter than a limit.
type leftStep struct {
	Under int    `json:"under,omitempty"` // minutes; 0: no limit
	Says  string `json:"says"`
}

// timeLeftScale: {d} days, {h} hours of the day, {m} minutes of the hour, {mm} those with two digits.
var timeLeftScale = leftScale{
	Words: []leftStep{
		{60, "{m} min"},
		{24 * 60, "{h} h {mm} min"},
		{0, "{d} d {h} h"},
	},
	Urgency: []leftStep{
		{60, "act"},
		{6 * 60, "watch"},
		{0, "good"},
	},
}

// TimeLeft says how long there is, and how urgent that is.
func TimeLeft(d time.Duration) (words, class string) {
	class = leftStepOf(timeLeftScale.Urgency, d)
	if d <= 0 {
		return "past", class
	}
	m := int(d.Minutes()) // making a strings.Replacer costs more than all of this
	words = strings.Replace(leftStepOf(timeLeftScale.Words, d), "{d}", strconv.Itoa(m/1440), 1)
	words = strings.Replace(words, "{h}", strconv.Itoa(m/60%24), 1)
	words = strings.Replace(words, "{mm}", fmt.Sprintf("%02d", m%60), 1)
	return strings.Replace(words, "{m}", strconv.Itoa(m%60), 1), class
}

func leftStepOf(steps []leftStep, d time.Duration) string {
	for _, s := range steps {
		if s.Under == 0 || d < time.Duration(s.Under)*time.Minute {
			return s.Says
		}
	}
	return ""
}
