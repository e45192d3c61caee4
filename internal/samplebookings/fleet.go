package samplebookings

import (
	"math/rand/v2"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// A vessel is an invented ship: where it changes its crew, and where they live.
type vessel struct {
	name     string
	flag     gangway.Country
	currency string // its office pays in it
	centre   string // its cost centre
	ports    []gangway.Place
	crew     []gangway.Country
	always   bool // its office has every booking approved, others only dear ones
	auto     bool // its office has bookings issued automatically

	every, phase int // days between changes of crew, and when the first was
}

// trades are the routes that ships sail: where their crews change.
var trades = [][]gangway.Place{
	places("NLRTM BEANR DEHAM GBSOU FRLEH DEBRV NLVLI"),
	places("NOBGO NOSVG GBABD DKSKA NLAMS DEBRV GBHUL"),
	places("PLGDN LVRIX DKSKA DEHAM NLRTM GBFXT"),
	places("ITTRS ITAUG GRPIR TRIST MTMLA CYLMS FRFOS"),
	places("ESALG GIGIB ESLPA PTLIS FRLEH GBSOU"),
	places("ROCND GEPTI TRIST GRPIR EGPSD EGSUZ"),
	places("AEJEA AEFJR OMSLL QARLF SAJED AEAUH"),
	places("SGSIN MYPKG IDJKT IDBTH VNVUT PHMNL HKHKG"),
	places("CNSHA CNZOS CNTAO KRPUS KRUSN JPYOK TWKHH"),
	places("USHOU USMSY USNYC USPEF PACTB COCTG GYGEO"),
	places("USLAX PABLB CLVAP COCTG PACTB USHOU"),
	places("BRSSZ BRRIO BRMEA ARZAE UYMVD"),
	places("ZADUR ZACPT NAWVB AOLAD CGPNR NGLOS NGONN GHTKD"),
	places("AUPHE AUDAM SGSIN CNZOS KRPUS IDBTH"),
	places("INBOM INCOK INMUN INMAA INVTZ LKCMB LKGAL BDCGP"),
}

func places(codes string) []gangway.Place {
	return gangway.Each(strings.Fields(codes), func(code string) gangway.Place { return gangway.Place(code) })
}

// crews are the countries that a ship's crew comes from, the first more often than the last.
var crews = [][]gangway.Country{
	{"PH", "IN", "PL"}, {"PH", "NO", "PL"}, {"IN", "LK", "BD"}, {"UA", "GE", "PH"}, {"CN", "MM", "VN"},
	{"ID", "PH", "GB"}, {"HR", "PH", "RO"}, {"PL", "LV", "PH"}, {"GH", "NG", "PH"}, {"IN", "PH", "GR"},
}

var (
	firstWords  = strings.Fields("Nordic Pacific Atlantic Coral Amber Silver Polar Baltic Orient Golden Arctic Azure")
	secondWords = strings.Fields("Heron Petrel Tern Gannet Osprey Curlew Plover Fulmar Skua Kestrel Merlin Eider " +
		"Auk Shearwater Albatross Kittiwake Dunlin Sanderling Whimbrel Puffin")
	flags = []gangway.Country{"PA", "LR", "MH", "MT", "BS", "SG", "NO", "CY", "HK", "PT"}
)

// offices are the currencies that vessels' offices pay in, one vessel after the other.
var offices = []string{"USD", "EUR", "USD", "NOK", "SGD", "USD", "EUR", "GBP"}

// fleet makes up a number of vessels. However few they are, they are of all kinds.
func fleet(chance *rand.Rand, n int) []vessel {
	list := make([]vessel, n)
	names := chance.Perm(len(firstWords) * len(secondWords))
	trade, crew := chance.Perm(len(trades)), chance.Perm(len(crews))
	for i := range list {
		name := names[i%len(names)]
		v := vessel{
			name:     firstWords[name%len(firstWords)] + " " + secondWords[name/len(firstWords)],
			flag:     flags[chance.IntN(len(flags))],
			currency: offices[i%len(offices)],
			ports:    trades[trade[i%len(trade)]],
			crew:     crews[crew[i%len(crew)]],
			always:   i%5 == 4,
			auto:     i%2 == 0,
			every:    9 + chance.IntN(12),
		}
		v.centre = "V" + string(rune('A'+i%26)) + string("0123456789"[i/26%10])
		v.phase = chance.IntN(v.every)
		list[i] = v
	}
	return list
}

// change returns the day of the vessel's change of crew that is nearest to a day, and where it is.
func (v vessel) change(day int) (on int, port gangway.Place) {
	n := (day - v.phase + v.every/2) / v.every
	return v.phase + n*v.every, v.ports[n%len(v.ports)]
}

// A weighted is one of several values, and how often it is drawn beside the others.
type weighted[T any] struct {
	value  T
	weight int
}

// pick draws one of several values.
func pick[T any](chance *rand.Rand, list []weighted[T]) T {
	sum := 0
	for _, w := range list {
		sum += w.weight
	}
	n := chance.IntN(sum)
	for _, w := range list {
		if n -= w.weight; n < 0 {
			return w.value
		}
	}
	return list[0].value
}

// between draws a duration from least up to most.
func between(chance *rand.Rand, least, most time.Duration) time.Duration {
	if most <= least {
		return least
	}
	return least + time.Duration(chance.Int64N(int64(most-least))).Truncate(time.Second)
}
