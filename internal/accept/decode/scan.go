package decode

import (
	"bytes"
	"fmt"
)

// A scan finds the end of a value in the part of a document that has arrived, and continues where it
// was when more arrives. It counts brackets; whether they match is checked when the value is read.
type scan struct {
	buf   []byte
	start int // where the current value begins: everything from there on is kept
	at    int // the next byte to look at

	text    bool  // at is within a string
	escaped bool  // at follows a backslash there
	level   int   // how many objects and arrays are open
	members []int // how many members each of them has
	wrong   string

	maxMembers int // of an object
}

// newScan returns a scan for documents whose values are nested at most depth levels deep, counting
// the array of records.
func newScan(buf []byte, depth int) scan {
	return scan{buf: buf, members: make([]int, max(depth, 1)), maxMembers: maxMembers}
}

// begin starts a value at the next byte.
func (s *scan) begin() { s.start, s.text, s.level, s.wrong = s.at, false, 0, "" }

// end moves to the end of the current value and reports whether it was found. A number or a name
// such as null ends at the first byte that can follow a value.
func (s *scan) end() bool {
	buf, i := s.buf, s.at
	if s.text {
		if i = s.close(i); !s.text && s.level == 0 {
			s.at = i
			return true
		}
	}
	for ; i < len(buf); i++ {
		switch buf[i] {
		case '"':
			if n := bytes.IndexByte(buf[i+1:], '"'); n >= 0 && buf[i+n] != '\\' { // as nearly all strings end
				i += n + 1
			} else {
				s.text, s.escaped = true, false
				i = s.close(i+1) - 1
			}
			if s.level == 0 && !s.text {
				s.at = i + 1
				return true
			}
		case ':':
			s.member()
		case '[', '{':
			s.open()
		case ']', '}':
			if s.level == 0 {
				s.at = i
				return true
			}
			if s.level--; s.level == 0 {
				s.at = i + 1
				return true
			}
		case ',', ' ', '\n', '\r', '\t':
			if s.level == 0 {
				s.at = i
				return true
			}
		}
	}
	s.at = len(buf)
	return false
}

// close returns the position after the string that i is in. If the string does not end yet, at stays
// within it.
func (s *scan) close(i int) int {
	end := closing(s.buf, i, s.escaped)
	if s.text = end < 0; s.text {
		s.escaped = escapes(s.buf[i:], s.escaped)
		return len(s.buf)
	}
	return end + 1
}

func (s *scan) open() {
	if s.level++; s.level < len(s.members) {
		s.members[s.level] = 0
	} else {
		s.wrong = fmt.Sprintf("values are nested more than %d deep", len(s.members))
	}
}

func (s *scan) member() {
	if s.level >= len(s.members) {
		return
	}
	if s.members[s.level]++; s.members[s.level] > s.maxMembers {
		s.wrong = fmt.Sprintf("an object has more than %d members", s.maxMembers)
	}
}
