def at($code): map(select(.[0] == "DTM") | .[1] / ":" | select(.[0] == $code) | .[1])[0] | date("YMD");
def seg($tag): map(select(.[0] == $tag))[0];
def person: {
  last_name: seg("NAD")[4] | split(":")[0],
  first_name: seg("NAD")[4] | split(":")[1],
  gender: seg("ATT")[3],
  dob: at("329"),
  nationality: seg("NAT")[2] | country,
  doc_country: seg("LOC")[2] | country,
  doc_number: seg("DOC")[2],
  doc_expire: at("36")
};
(reduce .[] as $s ([[]]; if $s[0] == "NAD" then . + [[$s]] else .[-1] += [$s] end)) as [$head, $a, $b, $c, $d]
| [$a, $b, $c, $d | values] as $people
| {
  vessel: $head | seg("TDT")[2],
  change_date: $head | at("132"),
  onsigners: [$people[] | select(.[0][1] == "FL") | person],
  offsigners: [$people[] | select(.[0][1] == "DDT") | person]
}
