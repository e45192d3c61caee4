package decode

import (
	"bytes"
	"errors"
	"io"

	"go.yaml.in/yaml/v3"
)

// yamlEntries are the entries of a YAML list that is not indented, as programs write it. Each entry is
// parsed by itself, in bounded memory.
//
// An entry may refer to anchors of earlier ones: the text of entries with anchors is kept and parsed
// again before an entry with a reference.
type yamlEntries struct {
	cut     *yamlCut
	limits  Limits
	anchors []byte // the text of entries with anchors
	again   int    // bytes that were parsed again
}

// How much of entries with anchors is kept, and how much may be parsed again in all.
const (
	mostAnchors   = 64 << 10
	mostReferring = 64 << 20
)

// openYAML reads YAML: a list, or several documents, are a list.
func openYAML(text io.Reader, head []byte, limits Limits) (values items, list bool, err error) {
	cut := &yamlCut{lines: newLines(withLines(text, head)), most: limits.Whole, heavy: limits.Heavy}
	if cut.list, err = cut.begin(); err != nil {
		return nil, false, err
	}
	if cut.list {
		return &yamlEntries{cut: cut, limits: limits}, true, nil
	}
	d := &yamlDocuments{cut: cut, limits: limits}
	node, at, err := d.node()
	if err != nil {
		return nil, false, err
	}
	d.first = &node
	d.at = at
	if more, err := cut.more(); err != nil || more {
		return d, true, err
	}
	if node.Kind == yaml.SequenceNode {
		return &yamlList{nodes: node.Content, limits: limits, before: at.N - 1}, true, nil
	}
	return d, false, nil
}

func (y *yamlEntries) next() (Item, error) {
	text, at, err := y.cut.next()
	if err != nil {
		return Item{At: at}, err
	}
	before := y.anchors
	if bytes.IndexByte(text, '*') < 0 {
		before = nil
	}
	if y.again += len(before); y.again > mostReferring {
		return Item{At: at}, &BrokenError{errors.New("too many entries refer to anchors of others"), at}
	}
	lines := at.N - 1 - int64(bytes.Count(before, []byte("\n")))
	doc, err := parseYAML(append(bytes.Clone(before), text...), lines)
	if err != nil {
		return Item{At: at}, aloneIn(err)
	}
	if doc.Kind != yaml.SequenceNode || len(doc.Content) == 0 {
		return Item{At: at}, &RecordError{"it is not an entry of a list"}
	}
	entry := doc.Content[len(doc.Content)-1]
	if hasAnchor(entry) {
		if y.anchors = append(y.anchors, text...); len(y.anchors) > mostAnchors {
			return Item{At: at}, &BrokenError{errors.New("too many entries have anchors"), at}
		}
	}
	item, err := yamlItem(entry, y.limits, lines, at)
	return item, aloneIn(err)
}

// aloneIn turns an error that ends a part of a document into one about that part alone.
func aloneIn(err error) error {
	if errors.As(err, new(*BrokenError)) {
		return &RecordError{err.Error()}
	}
	return err
}

// yamlDocuments are the documents of a YAML stream.
type yamlDocuments struct {
	cut    *yamlCut
	limits Limits
	first  *yaml.Node // was read already
	at     Place      // of it
}

func (d *yamlDocuments) next() (Item, error) {
	node, at, err := yaml.Node{}, d.at, error(nil)
	if d.first != nil {
		node, d.first = *d.first, nil
	} else if node, at, err = d.node(); err != nil {
		return Item{At: at}, err
	}
	return yamlItem(&node, d.limits, at.N-1, at)
}

// node reads the next document.
func (d *yamlDocuments) node() (yaml.Node, Place, error) {
	text, at, err := d.cut.next()
	if err != nil {
		return yaml.Node{}, at, err
	}
	node, err := parseYAML(text, at.N-1)
	return node, at, err
}

// A yamlList is a list that was read as a whole.
type yamlList struct {
	nodes  []*yaml.Node
	limits Limits
	before int64 // lines before the list
}

func (l *yamlList) next() (Item, error) {
	if len(l.nodes) == 0 {
		return Item{}, io.EOF
	}
	node := l.nodes[0]
	l.nodes = l.nodes[1:]
	item, err := yamlItem(node, l.limits, l.before, Place{Unit: "line", N: l.before + int64(node.Line)})
	return item, aloneIn(err)
}
