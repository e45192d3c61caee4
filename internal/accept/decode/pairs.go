package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// pairs are blocks of "name: value" or "name = value" between blank lines, each an object. Lines without
// either sign are ignored. A name that occurs again in a block has a list of its values.
type pairs struct{ lines *lines }

func openPairs(text io.Reader, head []byte) items { return &pairs{newLines(withLines(text, head))} }

func (p *pairs) next() (Item, error) {
	var block pairsBlock
	for {
		line, at, err := p.lines.next()
		switch line = bytes.TrimSpace(line); {
		case errors.As(err, new(*RecordError)):
			block.take(at, "", "", err)
			continue
		case err != nil && errors.Is(err, io.EOF) && block.at.N > 0:
			return block.item()
		case err != nil:
			return Item{At: at}, err
		case len(line) == 0 && block.at.N > 0:
			return block.item()
		case !utf8.Valid(line):
			block.take(at, "", "", notUTF8())
			continue
		}
		if i := bytes.IndexAny(line, ":="); i > 0 {
			block.take(at, trimmed(string(line[:i])), trimmed(string(line[i+1:])), nil)
		}
	}
}

// A pairsBlock is a block that is being read.
type pairsBlock struct {
	at      Place // of the first line of the block; zero if there is none yet
	members map[string]any
	header  *header
	bytes   int
	err     error // of the first line that is wrong
}

func (b *pairsBlock) take(at Place, name, value string, err error) {
	if b.at.N == 0 {
		b.at, b.members, b.header = at, map[string]any{}, newHeader(nil)
	}
	b.bytes += len(name) + len(value) + memberCost
	switch {
	case b.err != nil:
		return
	case err != nil:
		b.err = err
		return
	case b.bytes > 2*longestRow:
		b.err = &RecordError{fmt.Sprintf("a block has more than %d bytes", longestRow)}
		return
	}
	if !addMember(b.members, name, value) {
		b.header.add(name, len(b.header.names)+1)
	}
}

// addMember adds a member to an object. A name that is there again has a list of its values.
func addMember(members map[string]any, name string, value any) (again bool) {
	switch before := members[name].(type) {
	case nil:
		members[name] = value
		return false
	case []any:
		members[name] = append(before, value)
	default:
		members[name] = []any{before, value}
	}
	return true
}

func (b *pairsBlock) item() (Item, error) {
	if b.err != nil {
		return Item{At: b.at}, b.err
	}
	return Item{Value: b.members, At: b.at, header: b.header}, nil
}
