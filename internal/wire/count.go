package wire

// hasMore reports whether an array, of which values holds what stands behind its
// opening bracket, has more than most values. It only counts, so that a list
// that is too long is refused before the first of its values is kept.
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
