.[] | select(.Seafarer) | {
  last_name: .Seafarer | family_name,
  first_name: .Seafarer | given_names,
  dob: .["Date of birth"] | date("DMY"),
  gender: .Sex | gender,
  nationality: .Nationality | country,
  doc_country: .["Passport issued by"] | country,
  doc_number: .["Passport no"],
  doc_expire: .["Passport valid until"] | date("DMY"),
  home_airport: .["Closest airport"] | airport,
  phone: .Tel | phone
}
