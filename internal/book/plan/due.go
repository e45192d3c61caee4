package plan

// DueUrgency ranks how soon people without flights have to be booked who are wanted in so many days, as
// Grade.Urgency does.
func DueUrgency(days int) int {
	switch {
	case days <= 3: // few seats are left
		return 2
	case days <= 7: // fares rise
		return 1
	}
	return 0
}
