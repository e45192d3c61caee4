.["cms:PersonnelExport"]["cms:Employees"]["cms:Employee"]
| if type == "array" then .[] else . end
| {
  id: .["@pin"],
  last_name: .["cms:Personal"]["cms:Surname"],
  first_name: .["cms:Personal"]["cms:GivenNames"],
  dob: .["cms:Personal"]["cms:BirthDate"],
  gender: .["cms:Personal"]["cms:Sex"] | gender,
  nationality: .["cms:Personal"]["cms:Nationality"] | country,
  doc_country: .["cms:TravelDocument"]["cms:IssuingCountry"] | country,
  doc_number: .["cms:TravelDocument"]["cms:Number"],
  doc_expire: .["cms:TravelDocument"]["cms:ValidTo"],
  home_airport: .["cms:Home"]["cms:Airport"],
  email: (.["cms:Contact"]["cms:Email"]? // null)
}
