package decode

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"testing"

	"gangway/internal/gangway"
)

// kept makes what is measured be on the heap, where records are.
var kept any

// BenchmarkCSV measures travellers in CSV against the standard library's reader
// that makes the same objects.
func BenchmarkCSV(b *testing.B) {
	var doc bytes.Buffer
	doc.WriteString("crew_id,last_name,first_name,gender,dob,nationality,passport_number,passport_expiry,rank," +
		"home_airport\n")
	for i := range 20_000 {
		fmt.Fprintf(&doc, "C-%06d,SANTOS %d,MARIA ÁNGELA,F,1985-02-%02d,PH,P%07d,2031-01-31,Chief Officer,MNL\n",
			i, i, i%28+1, i)
	}
	b.Run("standard library", func(b *testing.B) {
		b.SetBytes(int64(doc.Len()))
		for b.Loop() {
			r := csv.NewReader(bytes.NewReader(doc.Bytes()))
			r.ReuseRecord = true
			first, err := r.Read()
			if err != nil {
				b.Fatal(err)
			}
			names := append([]string{}, first...)
			for {
				cells, err := r.Read()
				if errors.Is(err, io.EOF) {
					break
				}
				members := make(map[string]any, len(cells))
				for i, cell := range cells {
					members[names[i]] = cell
				}
				kept = members
			}
		}
	})
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(int64(doc.Len()))
		for b.Loop() {
			d, err := Open(Input{ReaderAt: bytes.NewReader(doc.Bytes()), Size: int64(doc.Len())},
				gangway.DocumentFormat{}, Limits{})
			if err != nil {
				b.Fatal(err)
			}
			for n := 0; ; n++ {
				if _, err := d.Next(); err != nil {
					if n != 20_000 || !errors.Is(err, io.EOF) {
						b.Fatal(n, err)
					}
					break
				}
			}
		}
	})
}
