package decode

import (
	"bytes"
	"fmt"
)

// A scan looks for the end of a value in what there is of a document, and goes
// on where it was when there is more. It counts brackets, and does not ask
// whether they fit each other.
type scan struct {
	buf   []byte
	start int // where the value at hand begins: nothing from there on is let go
	at    int // what comes next

	text    bool  // at is within a string
	escaped bool  // behind a backslash there
	level   int   // how many values are open
	members []int // of each of them
	wrong   string
}

// newScan returns a scan for documents whose values are nested at most depth
// deep, the array of records among them.
func newScan(buf []byte, depth int) scan { return scan{buf: buf, members: make([]int, max(depth, 1))} }

// begin makes what comes next the value at hand.
func (s *scan) begin() { s.start, s.text, s.level, s.wrong = s.at, false, 0, "" }

// end goes to the end of the value at hand and reports whether it was found.
// What is neither an object nor an array nor a string ends before what may
// stand behind it.
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

// close returns what comes behind the string that goes on at i; where it does
// not end yet, at is within it.
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
	if s.members[s.level]++; s.members[s.level] > mostMembers {
		s.wrong = fmt.Sprintf("an object has more than %d members", mostMembers)
	}
}
