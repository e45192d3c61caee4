package mapping

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"unicode/utf8"
)

// mostNested is how deep values may be nested that pass between the server and a worker. What a program puts out is
// read as a record: its nesting is less deep, and a record has at most mostRecord bytes as it is sent.
const (
	mostNested    = 1_000
	mostNestedOut = 64
	mostRecord    = 1 << 20
)

// Bytes of memory, about, of an element of a list and of a member of an object, without their text.
const (
	elementWeight = 16
	memberWeight  = 48
)

// mostAside is for how many elements memory is set aside before they were read.
const mostAside = 1_000

var (
	errNested = fmt.Errorf("values are nested more than %d deep", mostNestedOut)
	errRecord = fmt.Errorf("the program makes a record of more than %d bytes", mostRecord)
	errUTF8   = errors.New("the program makes a text that is not UTF-8")
	errFrame  = errors.New("a worker's answer cannot be read")
)

// A valueWriter encodes values. The server numbers the objects of a value that it sends; a worker that puts out one
// of these objects writes its number, so that the server knows what the output was made of.
type valueWriter struct {
	buf     []byte
	numbers map[uintptr]uint64 // of objects that the other side has; nil: each object is written and kept
	record  bool               // it is put out for a record: an object of it has at most mostRecord bytes
	objects []map[string]any   // that were written, in order
}

// value appends a value: a kind and what it holds. Lengths and numbers are varints.
func (w *valueWriter) value(value any, depth int) error {
	if depth > mostNested || w.numbers != nil && depth > mostNestedOut {
		return errNested
	}
	switch v := value.(type) {
	case nil:
		w.buf = append(w.buf, 'n')
	case bool:
		w.buf = append(w.buf, map[bool]byte{true: 't', false: 'f'}[v])
	case int:
		w.buf = binary.AppendVarint(append(w.buf, 'i'), int64(v))
	case float64:
		w.buf = binary.BigEndian.AppendUint64(append(w.buf, 'd'), math.Float64bits(v))
	case *big.Int:
		w.text('b', v.String())
	case json.Number:
		w.text('j', string(v))
	case string:
		if w.numbers != nil && !utf8.ValidString(v) {
			return errUTF8
		}
		w.text('s', v)
	case []any:
		w.buf = binary.AppendUvarint(append(w.buf, 'l'), uint64(len(v)))
		for _, element := range v {
			if err := w.value(element, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		return w.object(v, depth)
	default:
		return fmt.Errorf("a value is a %T", value)
	}
	return nil
}

func (w *valueWriter) text(kind byte, s string) {
	w.buf = binary.AppendUvarint(append(w.buf, kind), uint64(len(s)))
	w.buf = append(w.buf, s...)
}

func (w *valueWriter) object(o map[string]any, depth int) error {
	if w.numbers == nil {
		w.objects = append(w.objects, o)
	} else if n, known := w.numbers[reflect.ValueOf(o).Pointer()]; known {
		w.buf = binary.AppendUvarint(append(w.buf, 'r'), n)
		return nil
	}
	begin := len(w.buf)
	w.buf = binary.AppendUvarint(append(w.buf, 'o'), uint64(len(o)))
	for name, member := range o {
		switch {
		case w.numbers == nil:
		case w.record && len(w.buf)-begin > mostRecord:
			return errRecord
		case !utf8.ValidString(name):
			return errUTF8
		}
		w.buf = binary.AppendUvarint(w.buf, uint64(len(name)))
		w.buf = append(w.buf, name...)
		if err := w.value(member, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// A valueReader decodes what a valueWriter encoded. It sets no memory aside for a length that is only claimed.
type valueReader struct {
	buf     string           // texts are parts of it
	objects []map[string]any // the server's, by number; a worker that reads fills it
	filling bool
	left    int // bytes of memory that values may still take; see weigh
}

func (r *valueReader) value(depth int) (any, error) {
	if len(r.buf) == 0 || depth > mostNested {
		return nil, errFrame
	}
	if r.left -= elementWeight; r.left < 0 {
		return nil, errMemory
	}
	kind := r.buf[0]
	r.buf = r.buf[1:]
	switch kind {
	case 'n':
		return nil, nil
	case 't', 'f':
		return kind == 't', nil
	case 'i':
		n, err := r.number()
		return int(n>>1) ^ -int(n&1), err
	case 'd':
		if len(r.buf) < 8 {
			return nil, errFrame
		}
		bits := binary.BigEndian.Uint64([]byte(r.buf[:8]))
		r.buf = r.buf[8:]
		return math.Float64frombits(bits), nil
	case 's', 'b', 'j':
		return r.textual(kind)
	case 'l':
		return r.list(depth)
	case 'o':
		return r.object(depth)
	case 'r':
		n, err := r.number()
		if err != nil || n >= uint64(len(r.objects)) {
			return nil, errFrame
		}
		return r.objects[n], nil
	}
	return nil, errFrame
}

func (r *valueReader) textual(kind byte) (any, error) {
	s, err := r.text()
	switch {
	case err != nil:
		return nil, err
	case kind == 'j':
		return json.Number(s), nil
	case kind == 'b':
		n, ok := new(big.Int).SetString(s, 10)
		if !ok {
			return nil, errFrame
		}
		return n, nil
	}
	return s, nil
}

// number reads a varint.
func (r *valueReader) number() (n uint64, err error) {
	for at := 0; at < len(r.buf) && at < binary.MaxVarintLen64; at++ {
		c := r.buf[at]
		if n |= uint64(c&0x7F) << (7 * at); c < 0x80 {
			r.buf = r.buf[at+1:]
			return n, nil
		}
	}
	return 0, errFrame
}

// count reads how many elements follow, each of which takes a byte at least.
func (r *valueReader) count() (int, error) {
	n, err := r.number()
	if err != nil || n > uint64(len(r.buf)) {
		return 0, errFrame
	}
	return int(n), nil
}

func (r *valueReader) text() (string, error) {
	n, err := r.count()
	if err != nil {
		return "", err
	}
	s := r.buf[:n]
	r.buf, r.left = r.buf[n:], r.left-n
	return s, nil
}

func (r *valueReader) list(depth int) (any, error) {
	n, err := r.count()
	if err != nil {
		return nil, err
	}
	list := make([]any, 0, min(n, mostAside))
	for range n {
		element, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, element)
	}
	return list, nil
}

func (r *valueReader) object(depth int) (any, error) {
	n, err := r.count()
	if err != nil {
		return nil, err
	}
	o := make(map[string]any, min(n, mostAside))
	if r.filling {
		r.objects = append(r.objects, o)
	}
	for range n {
		name, err := r.text()
		if err != nil {
			return nil, err
		}
		r.left -= memberWeight - elementWeight
		if o[name], err = r.value(depth + 1); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// weigh estimates how many bytes a value takes, and what would be written of it:
// a value that is in it twice counts twice. It stops counting above most, and
// says so for what is nested too deep.
func weigh(value any, most, depth int) int {
	if depth > mostNested {
		return most + 1
	}
	n := 0
	switch value := value.(type) {
	case string:
		return elementWeight + len(value)
	case []any:
		for _, v := range value {
			if n += elementWeight; n <= most {
				n += weigh(v, most-n, depth+1)
			}
			if n > most {
				return n
			}
		}
	case map[string]any:
		for name, v := range value {
			if n += memberWeight + len(name); n <= most {
				n += weigh(v, most-n, depth+1)
			}
			if n > most {
				return n
			}
		}
	}
	return n
}
