package poll

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// A spooled is a document that was put aside while it came: in memory while it
// is short, then in a file that has no name, so that nothing of it stays when the
// process ends.
type spooled struct {
	file io.ReaderAt
	size int64
	temp *os.File // nil: it is in memory
}

// inMemory is how long a document is at most that stays in memory.
const inMemory = 256 << 10

// spool puts aside what doc has. Its error is doc's, or the disk's.
func spool(doc io.Reader) (*spooled, error) {
	head, err := io.ReadAll(io.LimitReader(doc, inMemory+1))
	if err != nil {
		return nil, err
	}
	if len(head) <= inMemory {
		return &spooled{file: bytes.NewReader(head), size: int64(len(head))}, nil
	}
	temp, err := os.CreateTemp("", "gangway-document-")
	if err != nil {
		return nil, fmt.Errorf("put a document aside: %w", err)
	}
	os.Remove(temp.Name())
	n, err := io.Copy(temp, io.MultiReader(bytes.NewReader(head), doc))
	if err != nil {
		return nil, errors.Join(err, temp.Close())
	}
	return &spooled{file: temp, size: n, temp: temp}, nil
}

func (s *spooled) reader() io.Reader { return io.NewSectionReader(s.file, 0, s.size) }

func (s *spooled) close() {
	if s != nil && s.temp != nil {
		s.temp.Close()
	}
}
