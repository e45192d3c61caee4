package samplebookings

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// A country is where crew members come from: their airports, and names that people have there.
type country struct {
	homes       []gangway.Airport
	first, last []string
}

var countries = map[gangway.Country]country{
	"PH": {homes("MNL MNL CEB ILO DVO"), words("Jose Ramon Angelo Rodel Marlon Jericho Arnel Dennis Rey Noel"),
		words("Santos Reyes Dela-Cruz Bautista Ocampo Garcia Mendoza Villanueva Aquino Salazar Navarro Magsaysay")},
	"IN": {homes("BOM DEL COK MAA CCU"), words("Arjun Rohan Vikram Suresh Anil Rajesh Deepak Karthik Manoj Sanjay"),
		words("Nair Menon Sharma Iyer Pillai Fernandes DSouza Kumar Rao Patil Singh Thomas")},
	"PL": {homes("GDN KRK WAW SZZ"), words("Piotr Tomasz Marcin Krzysztof Pawel Jakub Michal Adam"),
		words("Kowalski Nowak Wisniewski Wojcik Kaminski Lewandowski Zielinski Szymanski Dabrowski")},
	"NO": {homes("BGO SVG OSL TRD"), words("Lars Erik Ingrid Magnus Sigrid Henrik Kari Jonas"),
		words("Hansen Berg Solberg Haugen Nilsen Dahl Bakke Lund Strand")},
	"LK": {homes("CMB"), words("Nuwan Chaminda Dinesh Kasun Ruwan Lahiru"),
		words("Perera Fernando Silva Jayasinghe Bandara Wickramasinghe")},
	"BD": {homes("DAC"), words("Rafiq Kamal Hasan Tanvir Imran Shafiq"),
		words("Rahman Hossain Islam Chowdhury Uddin Ahmed")},
	"UA": {homes("WAW OTP KRK"), words("Oleksandr Andriy Serhiy Dmytro Ivan Bohdan"),
		words("Shevchenko Kovalenko Bondarenko Tkachenko Kravchenko Melnyk")},
	"GE": {homes("TBS BUS"), words("Giorgi Levan Davit Zurab Irakli"),
		words("Beridze Kapanadze Gelashvili Lomidze Maisuradze")},
	"CN": {homes("PVG DLC TAO CAN"), words("Wei Jun Lei Hao Ming Tao Feng"),
		words("Wang Li Zhang Liu Chen Yang Zhao Wu")},
	"MM": {homes("RGN"), words("Aung Kyaw Zaw Min Thura"), words("Htun Win Oo Lwin Naing")},
	"VN": {homes("SGN HAN"), words("Minh Tuan Hung Dung Long"), words("Nguyen Tran Pham Hoang Vu")},
	"ID": {homes("CGK SUB DPS"), words("Budi Agus Wayan Eko Dwi Rizky"),
		words("Santoso Wijaya Pratama Saputra Nugroho Siregar")},
	"GB": {homes("ABZ LHR NCL"), words("James Callum Fiona Andrew Rhys Heather"),
		words("Campbell Murray Wallace Hughes Bennett Fraser")},
	"HR": {homes("ZAG SPU"), words("Ivan Marko Luka Ante Josip"), words("Horvat Babic Maric Juric Kovacevic")},
	"RO": {homes("OTP CLJ"), words("Andrei Mihai Stefan Vlad Radu"), words("Popescu Ionescu Dumitru Stan Marin")},
	"LV": {homes("RIX"), words("Janis Andris Juris Edgars"), words("Berzins Kalnins Ozols Liepins")},
	"GH": {homes("ACC"), words("Kwame Kofi Yaw Ama"), words("Mensah Owusu Boateng Asante")},
	"NG": {homes("LOS ABV"), words("Chinedu Emeka Tunde Ngozi"), words("Okafor Adeyemi Balogun Eze")},
	"GR": {homes("ATH SKG"), words("Nikos Giannis Kostas Eleni"), words("Papadopoulos Georgiou Nikolaidis Pappas")},
}

func homes(codes string) (list []gangway.Airport) {
	for _, code := range words(codes) {
		list = append(list, gangway.Airport(code))
	}
	return list
}

func words(text string) []string { return strings.Fields(text) }

var ranks = strings.Split("Master,Chief Officer,Second Officer,Chief Engineer,Second Engineer,Electrician,Bosun,AB,"+
	"AB,OS,Oiler,Fitter,Cook,Steward", ",")

// traveller makes up a crew member from a country, who lives near home.
func traveller(chance *rand.Rand, from gangway.Country, home gangway.Airport, year int) gangway.Traveller {
	c := countries[from]
	born := fmt.Sprintf("%d-%02d-%02d", year-21-chance.IntN(38), 1+chance.IntN(12), 1+chance.IntN(28))
	t := gangway.Traveller{
		ID:          fmt.Sprintf("S-%07d", chance.IntN(10_000_000)),
		LastName:    strings.ReplaceAll(c.last[chance.IntN(len(c.last))], "-", " "),
		FirstName:   c.first[chance.IntN(len(c.first))],
		DOB:         gangway.Date(born),
		Nationality: from,
		Gender:      "M",
		DocCountry:  from,
		DocNumber:   fmt.Sprintf("S%07d", chance.IntN(10_000_000)),
		DocExpire:   gangway.Date(fmt.Sprintf("%d-%02d-15", year+1+chance.IntN(8), 1+chance.IntN(12))),
		HomeAirport: home,
	}
	if slices.Contains(women, t.FirstName) {
		t.Gender = "F"
	}
	return t
}

var women = words("Ingrid Sigrid Kari Fiona Heather Ama Ngozi Eleni")

// The people of the invented offices; no one signs in as any of them.
var (
	bookers = staff(gangway.Booker, "Mara Lindqvist", "Joris Vermeer", "Chloe Tan", "Paolo Ferri", "Agnes Kraft",
		"Ravi Menon", "Sofia Alvarez")
	approvers = staff(gangway.Approver, "Tomas Okafor", "Birgit Holm", "Desmond Lee")
	clerk     = staff(gangway.Booker, "Ewa Nowicka")[0] // who enters invoices
)

func staff(role gangway.Role, names ...string) (list []gangway.User) {
	for _, name := range names {
		address := strings.ToLower(strings.ReplaceAll(name, " ", ".")) + "@sample.example"
		list = append(list, gangway.User{Email: address, Name: name, Role: role})
	}
	return list
}

// names are the names of all of them by their addresses.
var names = func() map[string]string {
	all := map[string]string{}
	for _, u := range slices.Concat(bookers, approvers, []gangway.User{clerk}) {
		all[u.Email] = u.Name
	}
	return all
}()

// Why approvers decline.
var refusals = []string{
	"A cheaper flight leaves the same day.", "The change of crew was postponed.", "Please take the marine fare.",
	"Too long a connection for this traveller.", "The relief joins at the next port.",
}
