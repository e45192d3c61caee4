package decode

import "bytes"

// closing returns where the string ends that goes on at from; -1: not in doc.
// escaped says that a backslash before from takes the meaning from what is there.
func closing(doc []byte, from int, escaped bool) int {
	for at := from; at < len(doc); at++ {
		n := bytes.IndexByte(doc[at:], '"')
		if n < 0 {
			break
		}
		if at += n; !escapes(doc[from:at], escaped) {
			return at
		}
	}
	return -1
}

// escapes reports whether a backslash at the end of text, which is the inside of
// a string, takes the meaning from what comes next: an odd number of them does.
// escaped says that one before text takes it from the first of text.
func escapes(text []byte, escaped bool) bool {
	n := 0
	for n < len(text) && text[len(text)-1-n] == '\\' {
		n++
	}
	if n == len(text) && escaped {
		n++
	}
	return n%2 == 1
}
