.Report_Entry[] | {
  id: .Worker_ID,
  last_name: .Legal_Name | family_name,
  first_name: .Legal_Name | given_names,
  dob: .Birth | date("MDY"),
  gender: .Gender_Identity | gender,
  nationality: .Citizenship_Status | country,
  doc_country: .Passport.Issuing_Country | country,
  doc_number: .Passport.Identification_Number,
  doc_expire: .Passport.Expiration | date("MDY"),
  home_airport: .Closest_Airport,
  email: .Work_Email,
  phone: .Mobile | phone
}
