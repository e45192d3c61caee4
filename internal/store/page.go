package store

import (
	"cmp"
	"encoding/binary"
	"errors"
)

// A page is a page of a SQLite file that holds rows or part of an index: a node
// of a b-tree, without the bytes that an extension may have reserved at its end.
//
// Source: https://sqlite.org/fileformat2.html, "B-tree Pages".
type page []byte

// The kinds of such pages; a page's first byte says which it is.
const (
	interiorIndex = 0x02
	interiorTable = 0x05
	leafIndex     = 0x0a
	leafTable     = 0x0d
)

// isTree reports whether p is such a page, provided that it is not on the list
// of free pages. An overflow page begins with the number of another page, so
// that its first byte is 0 in a file of up to manyPages.
func (p page) isTree() bool {
	switch p[0] {
	case interiorIndex, interiorTable, leafIndex, leafTable:
		return true
	}
	return false
}

// manyPages is the number of pages from which on a page number may look like a kind.
const manyPages = interiorIndex << 24

// A span is a part of a page.
type span struct{ from, to int }

var errOddPage = errors.New("a page is not as SQLite writes it: check the file with PRAGMA integrity_check")

// unused returns the parts of p that hold no data: between the list of cells and
// their content, and where cells were moved to other pages or deleted.
func (p page) unused() ([]span, error) {
	content := cmp.Or(p.number(5), 1<<16)
	list := []span{{p.header() + 2*p.number(3), content}}
	if list[0].from > content || content > len(p) {
		return nil, errOddPage
	}
	for free, last := p.number(1), content; free != 0; {
		if free < last || free+4 > len(p) {
			return nil, errOddPage
		}
		end := free + p.number(free+2)
		if end < free+4 || end > len(p) {
			return nil, errOddPage
		}
		list = append(list, span{free + 4, end})
		last, free = end, p.number(free)
	}
	return list, nil
}

// An overflow is where a row that is too long for its page continues, and with how many bytes.
type overflow struct {
	first uint32
	bytes int
}

// overflows returns the overflows of all rows of p.
func (p page) overflows() (list []overflow, err error) {
	if p[0] == interiorTable {
		return nil, nil // it has no rows
	}
	for i := range p.number(3) {
		at := p.header() + 2*i
		if at+2 > len(p) {
			return nil, errOddPage
		}
		at = p.number(at)
		if p[0] == interiorIndex {
			at += 4
		}
		size, at := p.varint(at)
		if p[0] == leafTable {
			_, at = p.varint(at)
		}
		local := p.local(size)
		if at+local > len(p) || local < size && at+local+4 > len(p) {
			return nil, errOddPage
		}
		if local < size {
			list = append(list, overflow{binary.BigEndian.Uint32(p[at+local:]), size - local})
		}
	}
	return list, nil
}

// local returns how much of a row of size bytes is on the page itself.
func (p page) local(size int) int {
	most, least := (len(p)-12)*64/255-23, (len(p)-12)*32/255-23
	if p[0] == leafTable {
		most = len(p) - 35
	}
	if size <= most {
		return size
	}
	if rest := least + (size-least)%(len(p)-4); rest <= most {
		return rest
	}
	return least
}

func (p page) header() int {
	if p[0] == interiorIndex || p[0] == interiorTable {
		return 12
	}
	return 8
}

func (p page) number(at int) int { return int(binary.BigEndian.Uint16(p[at:])) }

// varint reads a number and returns where it ends; that is beyond the page if the page cuts it off.
func (p page) varint(at int) (n, end int) {
	for i := range 9 {
		if at+i >= len(p) {
			break
		}
		b := p[at+i]
		if i == 8 {
			return n<<8 | int(b), at + 9
		}
		n = n<<7 | int(b&0x7f)
		if b < 0x80 {
			return n, at + i + 1
		}
	}
	return 0, len(p) + 1
}
