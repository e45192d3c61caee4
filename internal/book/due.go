package book

// Urgency ranks how soon those of a crew change in so many days have to be booked who are not, as plan.Grade.Urgency
// does: by how near it is, and by how empty.
func (p Progress) Urgency(days int) int {
	switch missing := p.Size() - p.Booked; {
	case days < 0 || missing == 0 && len(p.Misfits)+p.Unneeded == 0:
		return 0
	case days <= 3 || days <= 5 && p.Booked == 0: // few seats are left, or nobody has begun
		return 2
	case days <= 7: // fares rise
		return 1
	}
	return 0
}
