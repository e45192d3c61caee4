.d.results[] | {
  id: .personIdExternal,
  last_name: .lastName,
  first_name: .firstName,
  dob: .dateOfBirth | date("YMD"),
  gender: .gender,
  nationality: .nationality | country,
  doc_country: .nationalIdNav.results[0].country | country,
  doc_number: .nationalIdNav.results[0].nationalId,
  doc_expire: .nationalIdNav.results[0].expiryDate | date("YMD"),
  home_airport: .homeAirport,
  email: .emailAddress,
  phone: .phoneNumber | phone
}
