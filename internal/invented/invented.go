// Package invented has people and where they live, for whoever needs somebody who does not exist: made-up bookings,
// the sandbox and the sample customer. Names have letters beyond ASCII, apostrophes and blanks, as real ones do.
package invented

import (
	"math/rand/v2"
	"slices"
)

// A Nation is where seafarers come from: their airports, and names that people have there.
type Nation struct {
	Country  string // ISO 3166
	Share    int    // per hundred of the world's crews; 0: few
	Airports []string
	Family   []string
	Men      []string
	Women    []string
}

// Nations are those that crews come from, in about the shares of the world's crews. All people are invented.
var Nations = []Nation{
	{"PH", 30, []string{"MNL", "CEB", "ILO", "DVO"},
		[]string{"Santos", "Reyes", "Cruz", "Bautista", "Ocampo", "Garcia", "Mendoza", "Torres", "Castillo",
			"Villanueva", "Ramos", "Aquino", "Navarro", "Salazar", "Mercado", "Dela Cruz", "Pascual", "Magbanua",
			"Dimaculangan", "Lacson"},
		[]string{"Jose", "Juan Carlo", "Mark Anthony", "Rodel", "Ariel", "Jerome", "Reynaldo", "Arnel", "Michael",
			"Christian", "Dennis", "Ronaldo", "Edgar", "Noel", "Ramil"},
		[]string{"Maria Clara", "Angelica", "Rowena", "Jocelyn"}},
	{"IN", 14, []string{"BOM", "DEL", "MAA", "COK", "CCU"},
		[]string{"Sharma", "Nair", "Fernandes", "Singh", "Patel", "Menon", "Pillai", "Chatterjee", "Rao", "Joshi",
			"D'Souza", "Kulkarni", "Thakur", "Varghese"},
		[]string{"Arjun", "Rahul", "Vikram", "Sandeep", "Anil", "Joseph", "Suresh", "Manoj", "Karan", "Deepak",
			"Harpreet"},
		[]string{"Priya", "Anjali", "Kavita"}},
	{"UA", 9, []string{"WAW", "KRK", "OTP", "RMO"},
		[]string{"Kovalenko", "Shevchenko", "Bondarenko", "Tkachenko", "Melnyk", "Kravchenko", "Oliinyk", "Lysenko",
			"Marchenko"},
		[]string{"Oleksandr", "Andrii", "Serhii", "Dmytro", "Volodymyr", "Ihor", "Yurii"},
		[]string{"Olena", "Iryna"}},
	{"ID", 8, []string{"CGK", "SUB", "DPS"},
		[]string{"Santoso", "Wijaya", "Saputra", "Hidayat", "Nugroho", "Siregar", "Simanjuntak", "Kurniawan",
			"Setiawan"},
		[]string{"Budi", "Agus", "Eko", "Dwi", "Rizky", "Hendra", "Bayu"},
		[]string{"Dewi", "Sari"}},
	{"HR", 5, []string{"SPU", "ZAG", "RJK"},
		[]string{"Horvat", "Kovačić", "Babić", "Jurić", "Marušić", "Perković", "Šimić", "Žuvela"},
		[]string{"Ivan", "Ante", "Luka", "Josip", "Marko", "Tomislav", "Stipe"},
		[]string{"Ana", "Petra"}},
	{"PL", 5, []string{"GDN", "WAW", "SZZ"},
		[]string{"Kowalski", "Nowak", "Wiśniewski", "Wójcik", "Zieliński", "Łukasik", "Dąbrowski"},
		[]string{"Piotr", "Tomasz", "Łukasz", "Paweł", "Marcin", "Krzysztof"},
		[]string{"Agnieszka", "Katarzyna"}},
	{"RO", 4, []string{"OTP", "CND"},
		[]string{"Popescu", "Ionescu", "Dumitrescu", "Stoica", "Munteanu", "Țurcanu"},
		[]string{"Andrei", "Mihai", "Cristian", "Ștefan", "Bogdan"},
		[]string{"Ioana", "Elena"}},
	{"GR", 4, []string{"ATH", "SKG", "HER"},
		[]string{"Papadakis", "Georgiou", "Nikolaidis", "Makris", "Vlachos", "Samaras"},
		[]string{"Nikolaos", "Georgios", "Dimitrios", "Panagiotis", "Stavros"},
		[]string{"Eleni"}},
	{"TR", 3, []string{"IST", "ADB"},
		[]string{"Yılmaz", "Kaya", "Demir", "Çelik", "Şahin", "Öztürk"},
		[]string{"Mehmet", "Mustafa", "Emre", "Burak", "Oğuz"},
		[]string{"Ayşe"}},
	{"MM", 3, []string{"RGN"},
		[]string{"Aung", "Htun", "Naing", "Win", "Oo", "Lwin"},
		[]string{"Kyaw Zin", "Min Thu", "Zaw Myo", "Thet Paing", "Ye Yint"},
		[]string{"Su Mon"}},
	{"NO", 3, []string{"OSL", "BGO", "SVG", "AES"},
		[]string{"Bjørnstad", "Hansen", "Ødegård", "Solheim", "Nygård", "Lervik"},
		[]string{"Lars", "Øyvind", "Magnus", "Bjørn", "Håkon"},
		[]string{"Ingrid", "Kari"}},
	{"GB", 3, []string{"LHR", "EDI", "NCL", "ABZ"},
		[]string{"Ashworth", "O'Brien", "Mackenzie", "Penrose", "Whitfield", "Sinclair", "Thorne"},
		[]string{"James", "Callum", "Oliver", "Stuart", "Graham"},
		[]string{"Fiona", "Harriet"}},
	{"DE", 2, []string{"HAM", "BRE", "FRA"},
		[]string{"Müller", "Petersen", "Schröder", "Weiß", "Jürgens"},
		[]string{"Jörg", "Hauke", "Matthias", "Sönke"},
		[]string{"Wiebke"}},
	{"NL", 2, []string{"AMS", "RTM"},
		[]string{"de Vries", "van den Berg", "Hoekstra", "Dijkstra"},
		[]string{"Sjoerd", "Maarten", "Joost", "Pieter"},
		[]string{"Femke"}},
	{"LK", 2, []string{"CMB"},
		[]string{"Perera", "Fernando", "Jayasuriya", "Wickramasinghe"},
		[]string{"Nuwan", "Chaminda", "Kasun", "Ruwan"},
		[]string{"Dilani"}},
	{"GH", 1, []string{"ACC"}, []string{"Mensah", "Owusu", "Boateng"}, []string{"Kwame", "Kofi", "Yaw"},
		[]string{"Abena"}},
	{"BR", 1, []string{"GIG", "GRU"}, []string{"da Silva", "Gonçalves", "Araújo"}, []string{"João", "Thiago", "Rafael"},
		[]string{"Luísa"}},
	{"US", 1, []string{"IAH", "MSY", "SEA"}, []string{"Callahan", "Whitaker", "Boudreaux"}, []string{"Travis", "Dale",
		"Wesley"}, []string{"Megan"}},
	{"GE", 0, []string{"TBS"}, []string{"Beridze", "Kapanadze", "Lomidze"}, []string{"Giorgi", "Levan"},
		[]string{"Nino"}},
	{"BG", 0, []string{"VAR"}, []string{"Dimitrov", "Petrov", "Stoyanov"}, []string{"Ivaylo", "Plamen"},
		[]string{"Desislava"}},
	{"LV", 0, []string{"RIX"}, []string{"Bērziņš", "Kalniņš", "Ozoliņš"}, []string{"Jānis", "Andris"},
		[]string{"Līga"}},
	{"BD", 0, []string{"DAC"}, []string{"Rahman", "Chowdhury", "Islam"}, []string{"Tanvir", "Rezaul"},
		[]string{"Nusrat"}},
	{"VN", 0, []string{"HAN"}, []string{"Nguyễn", "Trần", "Phạm"}, []string{"Minh Tuấn", "Đức Anh"},
		[]string{"Thu Hà"}},
	{"CN", 0, []string{"DLC"}, []string{"Zhang", "Liu", "Sun"}, []string{"Wei", "Jian"}, []string{"Mei"}},
	{"NG", 0, []string{"LOS", "ABV"}, []string{"Okafor", "Adéyẹmí", "Balogun"}, []string{"Chinedu", "Tunde"},
		[]string{"Ngozi"}},
}

// Of returns the nation of a country, which must be among them.
func Of(country string) Nation {
	return Nations[slices.IndexFunc(Nations, func(n Nation) bool { return n.Country == country })]
}

// Any draws a nation by its share.
func Any(chance *rand.Rand) Nation {
	left := chance.IntN(100)
	for _, n := range Nations {
		if left -= n.Share; left < 0 {
			return n
		}
	}
	return Nations[0]
}

// Pick draws one of a list.
func Pick[T any](chance *rand.Rand, list []T) T { return list[chance.IntN(len(list))] }

// Name draws the name of somebody, one woman among eight.
func (n Nation) Name(chance *rand.Rand) (last, first, gender string) {
	last, first, gender = Pick(chance, n.Family), Pick(chance, n.Men), "M"
	if chance.IntN(8) == 0 {
		first, gender = Pick(chance, n.Women), "F"
	}
	return last, first, gender
}

// Ranks are the crew of a ship, in this order.
var Ranks = []string{
	"Master", "Chief Officer", "Second Officer", "Third Officer", "Chief Engineer", "Second Engineer", "Third Engineer",
	"Electro-technical Officer", "Bosun", "Able Seaman", "Able Seaman", "Able Seaman", "Ordinary Seaman",
	"Ordinary Seaman",
	"Fitter", "Motorman", "Oiler", "Chief Cook", "Messman", "Deck Cadet",
}
