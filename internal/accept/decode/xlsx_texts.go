package decode

import (
	"encoding/xml"
	"errors"
	"io"
)

// sharedTexts are the texts of a workbook that cells refer to.
type sharedTexts struct {
	all  []byte
	ends []uint32 // of each of them in all
}

func (s *sharedTexts) text(n int) (string, bool) {
	if n < 0 || n >= len(s.ends) {
		return "", false
	}
	from := uint32(0)
	if n > 0 {
		from = s.ends[n-1]
	}
	return string(s.all[from:s.ends[n]]), true
}

// readTexts reads the shared texts, which are held in memory and therefore limited.
func (w *workbook) readTexts() error {
	s := &w.texts
	return w.read("xl/sharedStrings.xml", func(t *xmlTokens, start xml.StartElement) error {
		if start.Name.Local != "si" {
			return nil
		}
		from := len(s.all)
		all, err := richText(t, s.all)
		if err != nil {
			return err
		}
		s.all = unescaped(all, from)
		s.ends = append(s.ends, uint32(len(s.all)))
		if taken := int64(cap(s.all)) + 4*int64(cap(s.ends)); taken > w.o.limits.Whole || len(s.all) > 1<<31 {
			return wrong("its texts would take more than %d MB of memory: save it as CSV", max(w.o.limits.Whole>>20, 1))
		}
		return nil
	})
}

// richText appends the text of the current element, up to its end: of all its parts, without phonetic
// hints.
func richText(t *xmlTokens, to []byte) ([]byte, error) {
	for depth, text, spoken := 1, 0, 0; depth > 0; {
		token, err := t.next()
		if errors.Is(err, io.EOF) {
			err = t.broken(errEarly)
		}
		if err != nil {
			return to, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			depth++
			text, spoken = text+is(token.Name, "t"), spoken+is(token.Name, "rPh")
		case xml.EndElement:
			depth--
			text, spoken = text-is(token.Name, "t"), spoken-is(token.Name, "rPh")
		case xml.CharData:
			if text > 0 && spoken == 0 {
				to = append(to, token...)
			}
		}
	}
	return to, nil
}

func is(name xml.Name, local string) int {
	if name.Local == local {
		return 1
	}
	return 0
}
