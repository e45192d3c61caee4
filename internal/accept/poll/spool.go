package poll

import (
	"bytes"
	"io"

	"gangway/internal/scratch"
)

// A spooled is a document that was put aside while it came: in memory while it
// is short, then in a file that has no name, so that nothing of it stays when the
// process ends.
type spooled struct {
	file io.ReaderAt
	size int64
	temp *scratch.File // nil: it is in memory
}

// inMemory is how long a document is at most that stays in memory.
const inMemory = 256 << 10

// spool puts aside what doc has. Its error is doc's, or a scratch.Error.
func spool(doc io.Reader) (*spooled, error) {
	head, err := io.ReadAll(io.LimitReader(doc, inMemory+1))
	if err != nil {
		return nil, err
	}
	if len(head) <= inMemory {
		return &spooled{file: bytes.NewReader(head), size: int64(len(head))}, nil
	}
	temp, err := scratch.Put(io.MultiReader(bytes.NewReader(head), doc))
	if err != nil {
		return nil, err
	}
	return &spooled{file: temp, size: temp.Size(), temp: temp}, nil
}

func (s *spooled) reader() io.Reader { return io.NewSectionReader(s.file, 0, s.size) }

func (s *spooled) close() {
	if s != nil && s.temp != nil {
		s.temp.Close()
	}
}
