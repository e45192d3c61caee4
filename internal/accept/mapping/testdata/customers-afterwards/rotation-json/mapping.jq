.rotations[] | {
  vessel: .ship.name,
  flag: .ship.flagState | country,
  change_date: .plannedFor,
  onsigners: [.joining[].person | {
    id: .ref,
    last_name: .name.family,
    first_name: .name.given,
    dob: .birthDate,
    gender: .sex | gender,
    nationality: .citizenship | country,
    doc_country: .passport.issuer | country,
    doc_number: .passport.number,
    doc_expire: .passport.validUntil,
    home_airport: .hub
  }],
  offsigners: [.leaving[].person | {
    id: .ref,
    last_name: .name.family,
    first_name: .name.given,
    dob: .birthDate,
    gender: .sex | gender,
    nationality: .citizenship | country,
    doc_country: .passport.issuer | country,
    doc_number: .passport.number,
    doc_expire: .passport.validUntil,
    home_airport: .hub
  }]
}
