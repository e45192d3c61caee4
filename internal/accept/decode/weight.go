package decode

import "bytes"

// light is the weight up to which a rough estimate is good enough.
const light = 32 << 20

// Weight estimates how many bytes of memory the records of doc take once they are read and on their
// way to the database, besides doc itself: for each object one of our records, for each string its
// header.
//
// Quotation marks and braces are first counted wherever they are, which takes next to no time. Only
// if that comes to more than light are those within strings left out.
func Weight(doc []byte) int64 {
	const object, text = 500, 24
	weight := int64(len(doc))
	quick := weight + object*int64(bytes.Count(doc, []byte{'{'})) + text*int64((bytes.Count(doc, []byte{'"'})+1)/2)
	if quick <= light {
		return quick
	}
	for i := 0; i < len(doc); i++ {
		switch doc[i] {
		case '"':
			weight += text
			if i = closing(doc, i+1, false); i < 0 {
				return weight
			}
		case '{':
			weight += object
		}
	}
	return weight
}
