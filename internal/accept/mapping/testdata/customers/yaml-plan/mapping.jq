.plan.changes[] | {
  vessel: .ship,
  flag: .flag,
  change_date: .date,
  onsigners: [(.joining // [])[] | {
    id: .no,
    last_name: .family,
    first_name: .given,
    dob: .born,
    gender: .sex,
    nationality: .nationality | country,
    doc_country: .passport.country,
    doc_number: .passport.no,
    doc_expire: .passport.expires,
    home_airport: .airport,
    arrive: .arrives
  }],
  offsigners: [(.leaving // [])[] | {
    id: .no,
    last_name: .family,
    first_name: .given,
    dob: .born,
    gender: .sex,
    nationality: .nationality | country,
    doc_country: .passport.country,
    doc_number: .passport.no,
    doc_expire: .passport.expires,
    home_airport: .airport,
    depart: .departs
  }]
}
