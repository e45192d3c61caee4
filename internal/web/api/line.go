package api

import (
	"io"
	"net/http"
	"time"
)

// piece is how much of an answer a caller has to receive within its patience: little
// enough for a ship's line, which is slow but not dead.
const piece = 16 << 10

// A line leads to a caller. It is cut when the caller receives nothing for long, as one
// does that has stopped reading but keeps the connection.
type line struct {
	to       io.Writer
	http     *http.ResponseController
	patience time.Duration
	hold     func() error // fails once nothing more may be written
}

// Write writes p piece by piece, each with the whole patience before it.
func (l *line) Write(p []byte) (n int, err error) {
	for n < len(p) {
		if err := l.hold(); err != nil {
			return n, err
		}
		l.http.SetWriteDeadline(time.Now().Add(l.patience))
		wrote, err := l.to.Write(p[n:min(n+piece, len(p))])
		if n += wrote; err != nil {
			return n, err
		}
	}
	return n, nil
}

func (l *line) flush() error {
	l.http.SetWriteDeadline(time.Now().Add(l.patience))
	return l.http.Flush()
}
