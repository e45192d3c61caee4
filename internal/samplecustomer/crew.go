package samplecustomer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// A person is one of the crew, with the fields of the traveller record.
//
// Spec: Traveller record.
type person struct {
	LastName    string `json:"last_name"`
	FirstName   string `json:"first_name"`
	DOB         string `json:"dob"`
	Nationality string `json:"nationality"`
	Gender      string `json:"gender"`
	DocCountry  string `json:"doc_country"`
	DocNumber   string `json:"doc_number"`
	DocExpire   string `json:"doc_expire"`
	HomeAirport string `json:"home_airport"`
	Email       string `json:"email"`
	Phone       string `json:"phone"`
	ID          string `json:"id"`

	rank string
}

func (p person) name() string { return p.FirstName + " " + p.LastName }

// ranks are filled in this order on every ship: a crew of twenty.
var ranks = []string{
	"Master", "Chief Officer", "Second Officer", "Third Officer", "Chief Engineer", "Second Engineer", "Third Engineer",
	"Electro-technical Officer", "Bosun", "Able Seaman", "Able Seaman", "Able Seaman", "Ordinary Seaman",
	"Ordinary Seaman",
	"Fitter", "Motorman", "Oiler", "Chief Cook", "Messman", "Deck Cadet",
}

// A home is where some of the crew come from.
type home struct {
	country  string
	share    int // per hundred; 0: people from there sail only on the largest ship
	airports []string
	family   []string
	men      []string
	women    []string
}

// homes are the nations that the company's crews come from, in about the
// shares of the world's crews. All people are invented.
var homes = []home{
	{"PH", 30, []string{"MNL", "CEB", "ILO", "DVO"},
		[]string{"Santos", "Reyes", "Cruz", "Bautista", "Ocampo", "Garcia", "Mendoza", "Torres", "Castillo",
			"Villanueva", "Ramos", "Aquino", "Navarro", "Salazar", "Mercado", "Dela Cruz", "Pascual", "Magbanua",
			"Dimaculangan", "Lacson"},
		[]string{"Jose", "Juan Carlo", "Mark Anthony", "Rodel", "Ariel", "Jerome", "Reynaldo", "Arnel", "Michael",
			"Christian", "Dennis", "Ronaldo", "Edgar", "Noel", "Ramil"},
		[]string{"Maria Clara", "Angelica", "Rowena", "Jocelyn"}},
	{"IN", 14, []string{"BOM", "DEL", "MAA", "COK", "CCU"},
		[]string{"Sharma", "Nair", "Fernandes", "Singh", "Patel", "Menon", "Pillai", "Chatterjee", "Rao", "Joshi",
			"Dsouza", "Kulkarni", "Thakur", "Varghese"},
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
		[]string{"Ashworth", "Mackenzie", "Penrose", "Whitfield", "Sinclair", "Thorne"},
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
}

// crewSize is how many people sail on the fleet: eight ships, twice over,
// since half of them are at home.
const crewSize = 320

// worldly is where the people of the largest ship live. One person from each place
// joins and one leaves; they follow the crew of the fleet in the list.
var worldly = []string{
	"MNL", "CEB", "ILO", "BOM", "COK", "GDN", "RMO", "TBS", "OTP", "VAR", "SPU", "RIX", "CMB", "DAC", "HAN", "DLC",
	"CGK", "ACC", "ABZ", "OSL",
}

// invent makes up the crew, the same one every time. Ages and passports are relative to
// today.
func invent(today time.Time) []person {
	random := rand.New(rand.NewPCG(7, 19))
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	taken := map[string]bool{}
	crew := make([]person, 0, crewSize+2*len(worldly))
	for len(crew) < cap(crew) {
		h := homes[place(random.IntN(100))]
		if more := len(crew) - crewSize; more >= 0 {
			h = homeNear(worldly[more%len(worldly)])
		}
		p := person{
			LastName: pick(h.family), FirstName: pick(h.men), Gender: "M",
			Nationality: h.country, DocCountry: h.country, HomeAirport: pick(h.airports),
			rank: ranks[len(crew)%len(ranks)],
		}
		if random.IntN(8) == 0 {
			p.FirstName, p.Gender = pick(h.women), "F"
		}
		if taken[p.name()] {
			continue
		}
		taken[p.name()] = true
		n := len(crew) + 1
		youngest, spread := 21, 24
		switch p.rank {
		case "Master", "Chief Engineer", "Chief Officer", "Second Engineer":
			youngest, spread = 34, 26
		case "Deck Cadet":
			youngest, spread = 18, 5
		}
		p.DOB = today.AddDate(-youngest-random.IntN(spread), 0, -random.IntN(365)).Format(time.DateOnly)
		// One passport in forty expires within half a year, as in real crews.
		valid := 300 + random.IntN(8*365)
		if n%40 == 17 {
			valid = 60 + random.IntN(90)
		}
		p.DocExpire = today.AddDate(0, 0, valid).Format(time.DateOnly)
		p.DocNumber = fmt.Sprintf("%c%07d", 'P'+rune(random.IntN(6)), 1000000+random.IntN(8999999))
		p.Email = strings.ToLower(fmt.Sprintf("crew.%03d@corvina.example", n))
		p.Phone = fmt.Sprintf("+1 202 555 01%02d", n%100)
		p.ID = fmt.Sprintf("CRV-%04d", n)
		crew = append(crew, p)
	}
	return crew
}

// homeNear returns the home of the people who live near an airport, and only there.
func homeNear(airport string) home {
	h := homes[slices.IndexFunc(homes, func(h home) bool { return slices.Contains(h.airports, airport) })]
	h.airports = []string{airport}
	return h
}

// place returns the home whose share of a hundred includes n.
func place(n int) int {
	for i, h := range homes {
		if n -= h.share; n < 0 {
			return i
		}
	}
	return 0
}
