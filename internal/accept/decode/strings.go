package decode

import "bytes"

// closing returns where the string ends that from is in, or -1 if it does not end in doc. escaped
// says that a backslash before from escapes what is there.
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

// escapes reports whether text, the inside of a string, ends with a backslash that escapes what
// follows: an odd number of them does. escaped says that the first byte of text is escaped itself.
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
