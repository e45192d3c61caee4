.[] | {
  id: .["Código tripulante"],
  last_name: .Apellidos,
  first_name: .Nombres,
  dob: .["F. Nacimiento"] | date("DMY"),
  gender: ({H: "M", M: "F"}[.Sexo]),
  nationality: .Nacionalidad | country,
  doc_country: .["País de emisión"] | country,
  doc_number: .["Nº Pasaporte"],
  doc_expire: .["Caducidad pasaporte"] | date("DMY"),
  home_airport: .["Aeropuerto cercano"] | airport,
  email: .["Correo electrónico"]
}
