package decode

import (
	"testing"

	"gangway/internal/gangway"
)

// TestMoreThanCame: what an answer says of its pages, in JSON and XML, of which one record came; and what
// sounds like it.
func TestMoreThanCame(t *testing.T) {
	for doc, more := range map[string]bool{
		`{"crew":[{}],"page":1,"total_pages":2}`: true, `{"crew":[{}],"page":1,"pages":1}`: false,
		`{"crew":[{}],"number":0,"totalPages":2,"last":false}`: true, `{"crew":[{}],"page":0,"pageCount":1}`: false,
		`{"data":[{}],"meta":{"pagination":{"current_page":1,"total_pages":2}}}`: true,
		`{"response":{"numFound":2,"docs":[{}]}}`:                                true,
		`{"crew":[{}],"moreRecords":true}`:                                       true,
		`{"crew":[{}],"isLast":false}`:                                           true, `{"crew":[{}],"last":true}`: false,
		`{"crew":[{}],"truncated":true}`: true,
		`{"crew":[{}],"cursor":"YQ"}`:    true, `{"crew":[{}],"cursor":""}`: false,
		`{"crew":[{}],"cursor":{"a":1}}`:    false,
		`{"crew":[{}],"next":"2026-12-06"}`: false, `{"crew":[{}],"next":"2026-12-06T00:00:00Z"}`: false,
		`<crew total="2"><member/></crew>`: true, `<crew total="2"><member/><member/></crew>`: false,
		`<crew><hasMore>true</hasMore><member/></crew>`:                    true,
		`<crew total="2"><members><member/><member/></members></crew>`:     false,
		`<crew><paging><page>1</page><pages>2</pages></paging><m/></crew>`: true,
	} {
		d, err := Open(text(doc), gangway.DocumentFormat{}, Limits{})
		must(t, err)
		says := Envelope{}
		says.Add(d.Envelope())
		if got := says.More(1); (got != "") != more {
			t.Errorf("%s: %q; want more: %v", doc, got, more)
		}
		if item, err := d.Next(); err != nil || item.Value == nil {
			t.Errorf("%s: then it has %v, %v; want its value", doc, item.Value, err)
		}
	}
}
