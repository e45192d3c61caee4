.[] | .notes as $n | [limit(1; repeat($n))] | .[0] | [while(true; . + .)] | last
.[] | {id, last_name: (reduce range(0; 1e12) as $i (0; . + 1) | tostring)}
.[] | [range(1e15)] | {id: "C-1", last_name: (length | tostring)}
def f: 1 + f; .[] | {id, last_name: (f | tostring)}
def f: [f]; .[] | {id, last_name: f}
def f(g): f(g | g); .[] | {id, last_name: f(.name)}
def a: b; def b: a; .[] | {id, last_name: a}
.[] | {id, last_name: ([.name | until(false; . + "x")] | .[0])}
[.[] | {id, last_name: .name}] | until(length > 1e9; . + .)
.[] | {id, last_name: ("x" * 1e9 | ascii_downcase)}
.[] | (.name * 4000000) as $s | {id, last_name: ([$s | scan("(a|A|b|e|n|R|y|s| )*?z")] | length | tostring)}
.[] | {id, last_name: (("a" * 30000000) | explode | implode | explode | length | tostring)}
.[] | {id, last_name: ([splits("")] | length)}
.[] | {id, last_name: (("x," * 20000000) | split(",") | map(ascii_upcase) | join(";") | .[0:5])}
.[] | {id, last_name: (("ab" * 8000000) | gsub("(?<x>.)"; "\(.x)\(.x)\(.x)"; "g") | length | tostring)}
.[] | {id, last_name: (("a" * 500000) | [match("(?:(a{1,500}){1,2}){0,1}b"; "g")] | length | tostring)}
.[] | {id, last_name: ("a" | test("((((((((((a{30}){30}){1,2}){1,2}){1,2}){1,2}){1,2}){1,2}){1,2}){1,2})"))}
.[] | [range(100000) | "\(.)(a|b)*c"] as $res | {id, last_name: ([.name | test($res[])] | any | tostring)}
.[] | {id, last_name: (reduce range(40) as $i (.; [., .]) | tojson | length | tostring)}
.[] | reduce range(10000000) as $i (null; [.]) | {id: "C-1", last_name: (tojson | length | tostring)}
.[] | {id, last_name: (("[" * 20000000) | fromjson)}
.[] | {id, last_name: (("{\"a\":" * 3000000 + "1" + "}" * 3000000) | fromjson | tojson)}
.[] | {id, last_name: (("<a>" * 5000000) | fromxml)}
.[] | {id, last_name: ("<!DOCTYPE a [<!ENTITY b \"bbbbbbbbbb\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;\"><!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&d;&x;</a>" | fromxml | tojson)}
.[] | {id, last_name: (("a,b,c\n" + ("1,\"" * 9000000)) | fromcsv | length | tostring)}
.[] | {id, last_name: ([range(3000000) | "c\(.)"] | join(",") | (. + "\n" + .) | fromcsv | length | tostring)}
.[] | {id, last_name: (("9" * 30000000) | tonumber | . * . | tostring)}
.[] | {id, last_name: ((reduce range(60) as $i (99999999999999999999; . * .)) | tostring)}
.[] | {id, last_name: (.n | pow(10; 1e308) | floor | tostring)}
.[] | {id, last_name: ([.[]?, range(1e9)] | sort_by(-.) | first | tostring)}
.[] | {id, last_name: ([range(2000000)] | combinations(5) | add | tostring)}
.[] | {id, last_name: ([[range(9)] | combinations(9)] | length | tostring)}
.[] | {id, last_name: ([range(1500000)] | map([.]) | transpose | flatten | unique | group_by(. % 7) | length | tostring)}
.[] | {id, last_name: ([.. , (.. | ..), (.. | .. | ..)] | tojson), first_name: ([paths(..)] | map([recurse(.[]?; true)]) | tojson)}
.[] | {id, last_name: (path(repeat(.)) | length)}
.[] | {id, last_name: (try error(("E" * 200000000)) catch .[0:3])}
.[] | error([range(5000000)] | tojson)
.[] | {id, last_name: (label $out | foreach repeat(1) as $x (0; . + $x; if . > 1e14 then ., break $out else empty end) | tostring)}
.[] | {id, last_name: ($ENV | tojson), first_name: (env.PATH // "none"), notes: (input_filename // ("/proc/self/environ" | ltrimstr("x")))}
import "/etc/passwd" as $p; .[] | {id, last_name: ($p | tojson)}
include "../../../../proc/self/environ"; .[] | {id, last_name: (get_search_list | tojson)}
.[] | [inputs, input, debug, stderr, halt_error] | {id: "C-1", last_name: (tojson)}
.[] | {id, last_name: ($__prog_args | tojson), first_name: ($__loc__ | tojson)}, halt
.[] | repeat({id: "C-1", last_name: "Reyes", first_name: "Ana"})
.[] | {id, last_name: "\u0000\u0001\n{\"ok\":true,\"records\":[]}\n\u001e\u0004{\"error\":null}\r\n\r\n", first_name: ("\n" * 100000), dob: infinite, n: nan, "\n": {"\u0000": -0}}
.[] | ["", [], {}, null, false, 1e1000, -1e1000, nan] | ., (.[] | {id: "C-1", last_name: .}), ([limit(100000; repeat(null))])
.[] | {id, last_name: ([range(400000) | "St. John's \(.)" | airport(.; ("Antigua" * 20))] | length | tostring)}
.[] | {id, last_name: (("a " * 4000000) | family_name | given_names | name | airport)}
.[] | {id, last_name: (("31.12." * 4000000) | date("DMY" * 1000000)), dob: ([range(3000000) | tostring | date("YMD", "DMY", "MDY")] | last), phone: (("00" * 20000000) | phone)}
.[] | {id, last_name: ([limit(500000; repeat(.name)) | country, gender, phone, family_name] | unique_by(@base64 | @uri | @html | @sh) | tojson), first_name: (now | todate | strptime("%Y") | mktime | strftime("%c" * 3000000))}
