package crew

import "slices"

// An area is a rectangle of the map: left, top, right, bottom.
type area [4]float64

// apart reports whether b is at least that far from a.
func (a area) apart(b area, by float64) bool {
	return a[0] >= b[2]+by || b[0] >= a[2]+by || a[1] >= b[3]+by || b[1] >= a[3]+by
}

// within reports whether all of a is inside box.
func (a area) within(box area) bool {
	return a[0] >= box[0] && a[1] >= box[1] && a[2] <= box[2] && a[3] <= box[3]
}

// The size of a label's letters, and its distance from its own dot and from everything
// else, in pixels.
const (
	letterWidth = 6.2
	labelHigh   = 10
	labelOff    = 4.5
	labelsApart = 2
)

// placeLabels puts labels beside, above or below their dots, in the order of the list. It
// leaves out a label that would touch another label or another dot.
func placeLabels(list []mapPlace, dots []area, scale float64, box area) {
	var taken []area
	for i := range list {
		p := &list[i]
		if p.Label == "" {
			continue
		}
		width, high, off := float64(len(p.Label))*letterWidth*scale, labelHigh*scale, labelOff*scale
		own := area{p.X - p.Size, p.Y - p.Size, p.X + p.Size, p.Y + p.Size}
		free := func(a area) bool {
			clear := func(b area) bool { return b == own || a.apart(b, labelsApart*scale) }
			return a.within(box) && !slices.ContainsFunc(taken, func(b area) bool { return !clear(b) }) &&
				!slices.ContainsFunc(dots, func(b area) bool { return !clear(b) })
		}
		at := func(x, y float64) area { return area{x, y, x + width, y + high} }
		places := []area{
			at(p.X+off, p.Y-high/2), at(p.X-off-width, p.Y-high/2),
			at(p.X-width/2, p.Y+off), at(p.X-width/2, p.Y-off-high),
		}
		found := slices.IndexFunc(places, free)
		if found < 0 {
			p.Label = ""
			continue
		}
		a := places[found]
		taken = append(taken, a)
		p.LabelX, p.LabelY = a[0], a[1]+high*0.85 // the baseline
	}
}
