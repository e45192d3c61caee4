group_by([.["Embarcação"], .["Data da troca"]])[] | {
  vessel: .[0]["Embarcação"],
  flag: .[0].Bandeira,
  change_date: .[0]["Data da troca"] | date("DMY"),
  onsigners: [.[] | select(.Movimento == "Embarque") | {
    last_name: .Sobrenome,
    first_name: .Nome,
    dob: .Nascimento | date("DMY"),
    gender: .Sexo | gender,
    nationality: .Nacionalidade | country,
    doc_country: .["País emissor"] | country,
    doc_number: .Passaporte,
    doc_expire: .Validade | date("DMY"),
    home_airport: (if .Aeroporto == "Lisboa" then "LIS" else .Aeroporto | airport end)
  }],
  offsigners: [.[] | select(.Movimento == "Desembarque") | {
    last_name: .Sobrenome,
    first_name: .Nome,
    dob: .Nascimento | date("DMY"),
    gender: .Sexo | gender,
    nationality: .Nacionalidade | if . == "Brasileira" then "BR" else country end,
    doc_country: .["País emissor"] | country,
    doc_number: .Passaporte,
    doc_expire: .Validade | date("DMY"),
    home_airport: {Salvador: "SSA"}[.Aeroporto]
  }]
}
