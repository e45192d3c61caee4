.[] | map({(.[0]): .[1]}) | add | {
  last_name: .["Last Name"],
  first_name: .["First Name"],
  dob: .["Date of Birth"],
  gender: .Gender | gender,
  nationality: .Nationality | country,
  doc_country: .["Issuing Country"] | country,
  doc_number: .["Passport No."],
  doc_expire: .["Passport Expiry"],
  home_airport: .["Home Airport"] | airport
}
