.[] | {
  externalInfo: {requestId: .ref},
  traveler: {
    lastName: .nom,
    firstName: .prenom,
    dob: .date_naissance,
    gender: (if .sexe == "H" then "M" else .sexe end),
    nationality: .nationalite | country,
    docCountry: .pays_passeport | country,
    docNumber: .num_passeport,
    docExpireDate: .expiration
  },
  flight: {origin: .depart, destination: .arrivee, date: .date_depart},
  details: {vehicle: {name: .navire, flag: .pavillon}}
}
