.GetCrewBySurnameResponse.GetCrewBySurnameResult.CrewDTO
| if type == "array" then .[] else . end
| {
  id: .CrewCode,
  last_name: .LastNameEng,
  first_name: .FirstNameEng,
  dob: .DOB | date("YMD"),
  gender: .SexCode | gender,
  nationality: .Citizenship | country,
  doc_country: .PassportIssueCountry | country,
  doc_number: .PassportNo,
  doc_expire: .PassportExpiry | date("YMD"),
  home_airport: .NearestAirport,
  phone: .MobilePhone | phone
}
