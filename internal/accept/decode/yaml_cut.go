package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// A yamlCut cuts YAML into pieces: entries of a list that is not indented, or documents.
type yamlCut struct {
	lines *lines
	most  int64 // bytes of memory that a piece may take
	heavy func() error
	list  bool
	held  []byte // a line that was read and belongs to the next piece, with its end
	at    Place  // of it
}

// begin moves to the first piece and reports whether it is an entry of a list.
func (c *yamlCut) begin() (list bool, err error) {
	if _, err := c.more(); err != nil {
		return false, err
	}
	if c.held == nil {
		return false, ErrEmpty
	}
	return isYAMLEntry(c.held), nil
}

// more moves to the next piece and reports whether there is one.
func (c *yamlCut) more() (bool, error) {
	for c.held == nil || isNothing(c.held) || isYAMLMark(c.held) && len(bytes.TrimSpace(c.held)) == 3 {
		line, at, err := c.line()
		if errors.Is(err, io.EOF) {
			c.held = nil
			return false, nil
		}
		if err != nil {
			return false, err
		}
		c.held, c.at = bytes.Clone(line), at
	}
	return true, nil
}

// next returns the next piece, and where it begins.
func (c *yamlCut) next() ([]byte, Place, error) {
	more, err := c.more()
	switch {
	case err != nil:
		return nil, c.at, err
	case !more:
		return nil, c.at, io.EOF
	case c.list && !isYAMLEntry(c.held):
		return nil, c.at, &BrokenError{errors.New("a list is followed by something that is not an entry of it"), c.at}
	}
	text, at := c.held, c.at
	c.held = nil
	weight, heavy := yamlWeight(text), false
	for {
		line, lineAt, err := c.line()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, at, err
		}
		if isYAMLMark(line) || c.list && isYAMLEntry(line) {
			c.held, c.at = bytes.Clone(line), lineAt
			break
		}
		if weight += yamlWeight(line); weight > c.most {
			return nil, at, &BrokenError{fmt.Errorf("it would take more than %d MB of memory as one value",
				max(c.most>>20, 1)), lineAt}
		}
		if weight > heavyValue && !heavy {
			heavy = true
			if err := c.heavy(); err != nil {
				return nil, at, err
			}
		}
		text = append(text, line...)
	}
	if !utf8.Valid(text) {
		return nil, at, &BrokenError{notUTF8(), at}
	}
	return text, at, nil
}

// line reads a line, with its end.
func (c *yamlCut) line() ([]byte, Place, error) {
	line, at, err := c.lines.next()
	if alone, is := errors.AsType[*RecordError](err); is {
		err = &BrokenError{alone, at}
	}
	if err != nil {
		return nil, at, err
	}
	return append(line, '\n'), at, nil
}

// isNothing reports whether a line is blank, a comment or a directive.
func isNothing(line []byte) bool {
	trimmed := bytes.TrimSpace(line)
	return len(trimmed) == 0 || trimmed[0] == '#' || line[0] == '%'
}

func isYAMLEntry(line []byte) bool {
	return line[0] == '-' && (len(line) == 2 || line[1] == ' ' || line[1] == '\t')
}

// isYAMLMark reports whether a line begins or ends a document.
func isYAMLMark(line []byte) bool {
	return (bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))) &&
		(len(line) == 4 || line[3] == ' ' || line[3] == '\t')
}

// yamlWeight estimates, before a text is parsed, how many bytes its nodes will take. Every node follows one
// of the characters that are counted.
func yamlWeight(text []byte) int64 {
	const node = 200
	n := bytes.Count(text, []byte("- "))
	for _, b := range text {
		switch b {
		case '\n', ':', ',', '[', '{', '?':
			n++
		}
	}
	return int64(n)*node + 2*int64(len(text))
}
