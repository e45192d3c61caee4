package wire

// hasMore reports whether an array has more than most values; values is the text
// after its opening bracket. It only counts, so that a list that is too long is
// refused before any of its values is kept.
func hasMore(values []byte, most int) bool {
	commas, depth := 0, 0
	for i := 0; i < len(values); i++ {
		switch values[i] {
		case '"':
			for i++; i < len(values) && values[i] != '"'; i++ {
				if values[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth < 0 {
				return false
			}
		case ',':
			if depth > 0 {
				continue
			}
			if commas++; commas >= most {
				return true
			}
		}
	}
	return false
}
