("a"*7000000)|test("(a?){900}b")
[.[]|{last_name: (("a"*5000000)|test("(a|aa|aaa){1,300}$")|tostring), first_name: .first_name}]
.[] | {last_name: (("ab"*3000000)|gsub("(?<x>a)(?<y>b)"; .y+.x)), first_name: .first_name}
.[] | {last_name: ([("x"*2000000)|scan("x{0,200}y?")]|length|tostring)}
[("a,"*3000000)|splits(",")]|length
("a"*3000000)|[match("a*?b?"; "g")]|length
("aA"*2000000)|ascii_downcase|test("(?i)(a{1,50}){1,18}B")
.[] | .last_name |= (("é"*2000000)|sub("(é*)*$"; "x"))
("x"*1000000)|[capture("(?<a>x{0,100})(?<b>x{0,100})"; "g")]|length
[range(100000)|tostring]|join("|") as $p|("z"*100000)|test($p)
("a"*2000000)|indices("a")|length
[range(2000000)|1]|indices([1,1])|length
("ab"*4000000)|index("ba"*1000000)
[limit(400000; repeat("a"))]|rindex(["a","a","b"])
("a"*1000000)|[indices("a","aa","aaa","aaaa")]|map(length)
reduce range(18) as $i ("a"; tojson)|length
reduce range(30) as $i ("\\"; tojson)
[.[]|reduce range(24) as $i (.; [.,.])]
reduce range(40) as $i ({}; {a:.,b:.})|tojson
[limit(1000000; repeat([]))]|tojson|fromjson|tojson|length
"x" * 1e9
"x" * 1e9 | . + . | length
("a"*9000000) as $a|[$a,$a,$a,$a]|map(.+.)|add|length
[.[] | .last_name * 1000000]
def d: .+.; "ab"|d|d|d|d|d|d|d|d|d|d|d|d|d|d|d|d|d|d|d|d|d|d|d|d|d|d|d|d|d|d
[range(1e9)]
range(1e12)|empty
[limit(1e9; repeat(1))]|add
last(range(1e10))
first(range(1e10)|select(. < 0))
.[] | until(false; .)
.[] | [recurse(.)] | length
[recurse({a:.})]
.[] | [.,.] | recurse([.,.]) | empty
def f: f; f
def f: def g: f; g; f
def f(x): f(x|x); f(.)
def a: b; def b: 1; def c: c + c; c
def f: [f]; f
def f: 1 + f; .[] | f
.[] | def deep: {a: deep}; deep
reduce range(1e9) as $i (0; . + $i)
reduce repeat(1) as $i (0; . + 1)
foreach range(1e9) as $i (0; . + 1; empty)
label $x | foreach repeat(0) as $i (0; .+1; if . < 0 then break $x else empty end)
[.[] | while(true; .)]
.[] | range(0; 1; 0)
[limit(20000; .[] | repeat(.))] | group_by(.last_name) | map(length)
[range(3000000)] | sort | length
[range(3000000) | -.] | sort_by(. % 7, -.) | length
[range(2000000) | {a: (. % 1000), b: .}] | group_by(.a) | length
[range(2000000) | tostring] | unique | length
[range(1000000) | {k: tostring, v: .}] | from_entries | to_entries | length
[range(3000)] | combinations(3) | empty
[[range(300)], [range(300)], [range(300)], [range(300)]] | [combinations] | length
[range(2000)] | [.[] as $a | .[] as $b | .[] as $c | $a + $b + $c] | max
[range(1000000)] | permutations
[range(1500)] | transpose
[limit(2000; repeat([range(2000)]))] | transpose | length
[range(3000000)] | flatten(1) | reverse | min
reduce range(1000000) as $i ([]; [., $i])
reduce range(200000) as $i (null; [.]) | flatten
reduce range(100000) as $i (0; [.]) | tojson | fromjson
reduce range(1000000) as $i (1; . * 3) | tostring | length
reduce range(30) as $i (3; . * .) | tostring
[limit(1000000; repeat(9999999999999999999999999999))] | add
pow(10; 400) | tostring | [limit(1e9; repeat(.))]
[paths] | reduce range(20) as $i (.; . + .) | length
reduce range(16) as $i ({}; {a:.,b:.}) | [paths] | length
reduce range(20) as $i ([]; [.,.]) | [leaf_paths, paths(..)] | length
reduce range(18) as $i ({}; {a:.,b:.}) | [.. | objects] | map(tojson) | length
reduce range(200000) as $i ({}; setpath(["a", ($i|tostring)]; $i)) | [tostream] | length
reduce range(100000) as $i ([]; setpath([$i * 5000]; 1)) | length
null | setpath([500000000]; 1)
.[] | .[536870911] = 1
[limit(1000000; repeat("a"))] | del(.[range(1000000)]) | length
[range(200000)] | delpaths([paths]) | length
reduce range(1e7) as $i ({}; .[$i|tostring] = $i) | keys | length
[range(5000000)] | implode | explode | length
("\u4e2d"*8000000) | explode | implode | @uri | length
("a"*20000000) | @base32 | @base32d | @base32 | length
("<&>"*5000000) | @html | @html | @html | @html | length
[limit(100; repeat("a"*1000000))] | @csv | @json | @json | @json | length
("a"*3000000) | until(. == ""; ltrimstr("a"))
("a "*1000000) | until(length == 0; .[1:])
("ab"*2000000) | [.[range(1000000):]] | map(length) | add
("a"*1000000) | ascii | tojson
("a b "*3000000) | split(" ") | map(split("")) | flatten | length
[range(300000) | tostring * 50] | inside([range(300000) | tostring * 50])
[range(200000)] | contains([range(199999; 0; -1)])
[range(100000)] - [range(99999; -1; -1)] | length
("a"*5000000) | ltrimstr("a"*4999999) | rtrimstr("a") | tojson | test("(.?){800}x")
[limit(50000; .[] | repeat(.))] | INDEX(.last_name + (. | tojson)) | length
.[] | .last_name = (("Zürich "*1000000) | airport)
.[] | .nationality = (("Federal Republic of "*800000) | country)
.[] | .dob = (("01.02.1980 "*1000000) | date("DMY"))
.[] | .last_name = (("van der "*1500000) | family_name)
.[] | .first_name = (("Maria, "*1500000) | given_names) | .phone = (("+49 "*3000000) | phone)
("<a>"*300000 + "</a>"*300000) | fromxml
("a;b;c\n"*3000000) | fromcsv | map(keys) | length
(now | strftime("%Y"*1000000)) , ([range(1e8) | todate] | length)
.[] | {last_name: ([range(1e8) | strptime("%Y")] | length)}
[.[] | getpath([range(1e7) | "a"])]
[limit(1e8; .[] | .. | .. | ..)] | walk(walk(walk(.))) | length
[.[] | [limit(1e6; repeat(.))] | map(tojson) | map(fromjson) | unique_by(.id)] | length
input
[inputs] | length
.[] | .last_name = (env | tojson)
.[] | .last_name = $ENV.PATH
$__prog_args
import "a" as a; a::f
include "/etc/passwd"; .
.[] | .last_name = input_filename
.[] | debug | stderr
.[] | halt
"bye" | halt_error
get_search_list
modulemeta
[splits("a";"b";null)]
.[] | error(.)
.[] | error(null)
try error("x"*50000000) catch .
[.[] | try (def f: f; f) catch .]
.[] | ltrimstr("x") as $x | limit(0; repeat($x)), (repeat($x) | select(false))
.[] | {last_name: ("x" * 40000000), first_name: "y"}
[limit(20000; .[0] | repeat(.))][]
@json "\([range(1e7)])"
[range(1e6)] | @sh | test("(0|1|2|3|4|5|6|7|8|9| ){0,700}x")
getpath([range(100000)])
.[] | "x" * 1e9
.[] | {a: ("x" * 1e7 | . + . + . + . + . + .)}
.[] | [range(1e9)]
.[] | def f: 1 + f; f
.[] | def f: [f]; f
.[] | range(1e9)
.[] | repeat(1)
.[] | reduce range(60) as $i ("x"; . + .)
.[] | reduce range(60) as $i ("x"; "\(.)\(.)")
.[] | reduce range(60) as $i ([1]; . + .)
.[] | reduce range(60) as $i (1; [., .]) | tojson
.[] | reduce range(60) as $i (1; [., .])
.[] | reduce range(60) as $i (1; [., .]) | . == (reduce range(60) as $i (1; [., .]))
.[] | [.a, .a] | .[1e8] = 1
.[] | null | setpath([3e8]; 1)
.[] | reduce range(40) as $i (3; . * .) | tojson
.[] | reduce range(1e7) as $i (1; [.]) | tojson
.[] | [range(3e5)] | join("x" * 1000)
.[] | [foreach range(1e6) as $i ({}; .["k\($i)"] = 1)]
.[] | try repeat(1) catch "x" | {a: .}
.[] | "a" * 1e6 | gsub("a"; "b" * 1000)
.[] | "1" * 1e7 | tonumber
.[] | [range(1e5)] - [range(1e5)]
.[] | [limit(1e9; repeat("x"))] | length
.[] | "x" * 1e6 | [match("x"; "g")] | length
.[] | [[range(1e5)], [range(1e5) | []][]] | transpose
.[] | "[" * 1e6 | fromjson
