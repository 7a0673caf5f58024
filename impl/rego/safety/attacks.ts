/** A policy written to exhaust whoever evaluates it. */
export type Attack = {
  readonly name: string
  readonly source: string
  readonly query?: string
  readonly inputJson?: string
  readonly dataJson?: string
}

const repeat = (text: string, times: number): string => text.repeat(times)

/** A policy with one rule `p`. */
const rule = (name: string, body: string, rest: Partial<Attack> = {}): Attack => ({
  name,
  source: `package a\n\np := x if {\n${body}\n}\n`,
  ...rest,
})

const doubling = (name: string, first: string, step: (previous: string) => string): Attack => {
  const lines = [`x0 := ${first}`]
  for (let i = 1; i <= 60; i++) lines.push(`x${i} := ${step(`x${i - 1}`)}`)
  return rule(name, [...lines, 'x := count([x60])'].join('\n'))
}

const wide = (lists: number, size: number): string =>
  Array.from({ length: lists }, (_, i) => `some v${i} in numbers.range(1, ${size})`).join('\n')

/** Work without end: only the deadline, or the bound on steps, stops it. */
export const loops: readonly Attack[] = [
  rule('joins of many lists', `${wide(12, 1_000)}\nv0 + v11 == -1\nx := 1`),
  rule(
    'nested comprehensions',
    `x := count([1 | some a in numbers.range(1, 5000); some b in [1 | some c in numbers.range(1, 5000); c == a]; b > 1])`,
  ),
  rule(
    'deep comprehensions',
    `x := ${repeat('sum([1 | some _ in numbers.range(1, 99); ', 20)}1 == 1${repeat('])', 20)}`.replace(
      '1 == 1',
      '1 > 0',
    ),
  ),
  {
    name: 'functions that call each other twice',
    source: `package a\n\nf0(x) := x\n${Array.from({ length: 60 }, (_, i) => `f${i + 1}(x) := array.concat(f${i}([x, 1]), f${i}([x, 2]))`).join('\n')}\np := count(f60([1]))\n`,
  },
  rule(
    'every over a product',
    'every i in numbers.range(1, 100000) {\n every j in numbers.range(1, 100000) { i + j > 0 } }\nx := 1',
  ),
  rule(
    'not over a product',
    'not q\nx := 1\n}\nq if {\nsome i in numbers.range(1, 100000)\nsome j in numbers.range(1, 100000)\ni + j < 0',
  ),
  rule(
    'unification that backtracks',
    `xs := numbers.range(1, 30)\n${Array.from({ length: 14 }, (_, i) => `[a${i}, _] = [xs[_], xs[_]]`).join('\n')}\nsum([a0, a13]) < 0\nx := 1`,
  ),
  rule(
    'walk of all pairs',
    'xs := numbers.range(1, 3000)\nwalk(xs, [k, v])\nwalk(xs, [l, w])\n[k, v] == [w, l]\nx := 1',
  ),
  rule(
    'every pair of strings',
    's := concat("", [sprintf("%d", [i]) | some i in numbers.range(1, 2000)])\nxs := [1 | some i in numbers.range(1, count(s)); some j in numbers.range(1, count(s)); substring(s, i, 1) == substring(s, j, 2)]\nx := count(xs)',
  ),
  rule(
    'long strings compared',
    's := concat("", ["a" | some i in numbers.range(1, 1000000)])\nxs := [1 | some i in numbers.range(1, 1000000); indexof(s, "b") >= 0]\nx := count(xs)',
  ),
  rule(
    'replaced again and again',
    's := concat("", ["a" | some i in numbers.range(1, 100000)])\nxs := [1 | some i in numbers.range(1, 100000); replace(s, "a", "b") == "c"]\nx := count(xs)',
  ),
  rule(
    'sorted again and again',
    'xs := numbers.range(1, 50000)\nys := [1 | some i in numbers.range(1, 100000); sort(array.concat(xs, [i])) == []]\nx := count(ys)',
  ),
  rule(
    'json again and again',
    'xs := numbers.range(1, 50000)\nys := [1 | some i in numbers.range(1, 100000); json.marshal(array.concat(xs, [i])) == ""]\nx := count(ys)',
  ),
  rule(
    'large sets compared',
    'a := {i | some i in numbers.range(1, 50000)}\nys := [1 | some i in numbers.range(1, 100000); a == (a | {i})]\nx := count(ys)',
  ),
  rule(
    'big integers, multiplied again and again',
    'b := bits.lsh(1, 60000)\nxs := [1 | some i in numbers.range(1, 1000000); b * (b + i) == 1]\nx := count(xs)',
  ),
  rule(
    'big integers, printed again and again',
    'b := bits.lsh(1, 60000)\nxs := [1 | some i in numbers.range(1, 1000000); format_int(b + i, 10) == "1"]\nx := count(xs)',
  ),
  rule(
    'big integers, divided',
    'b := bits.lsh(1, 60000)\nxs := [1 | some i in numbers.range(1, 1000000); b % (bits.lsh(1, 30000) + i) == 1]\nx := count(xs)',
  ),
  rule(
    'with again and again',
    'xs := [1 | some i in numbers.range(1, 10000000); q == -1 with input as {"a": i} with data.x.y as i]\nx := count(xs)\n}\nq := y if {\ny := input.a + data.x.y',
  ),
  rule(
    'cidrs merged',
    'xs := {sprintf("10.%d.%d.0/24", [i, j]) | some i in numbers.range(0, 255); some j in numbers.range(0, 255)}\nys := [1 | some i in numbers.range(1, 1000); count(net.cidr_merge(xs | {sprintf("11.0.0.%d/32", [i])})) == 0]\nx := count(ys)',
  ),
  rule(
    'cidr products',
    'xs := [sprintf("10.%d.%d.0/24", [i, j]) | some i in numbers.range(0, 255); some j in numbers.range(0, 255)]\nx := count(net.cidr_contains_matches(xs, xs))',
  ),
]

/** Values that grow without end: the bound on memory stops them, or a bound of the function. */
export const growth: readonly Attack[] = [
  rule('a huge range', 'x := count(numbers.range(1, 1000000000000))'),
  rule('a huge range, stepped', 'x := count(numbers.range_step(1, 1000000000000, 2))'),
  rule(
    'a huge range of big integers',
    'x := count(numbers.range(1000000000000000000000, 2000000000000000000000))',
  ),
  rule(
    'a huge comprehension',
    'x := [[a, b] | some a in numbers.range(1, 100000); some b in numbers.range(1, 100000)]',
  ),
  rule(
    'a huge set',
    'x := {[a, b] | some a in numbers.range(1, 100000); some b in numbers.range(1, 100000)}',
  ),
  rule(
    'a huge object',
    'x := {sprintf("%d/%d", [a, b]): a | some a in numbers.range(1, 100000); some b in numbers.range(1, 100000)}',
  ),
  {
    name: 'a huge partial set',
    source:
      'package a\n\np contains [a, b] if {\nsome a in numbers.range(1, 100000)\nsome b in numbers.range(1, 100000)\n}\n',
  },
  {
    name: 'a huge partial object',
    source:
      'package a\n\np[a][b] := a if {\nsome a in numbers.range(1, 100000)\nsome b in numbers.range(1, 100000)\n}\n',
  },
  {
    name: 'a huge answer',
    source: 'package a\n',
    query: 'some a in numbers.range(1, 100000); some b in numbers.range(1, 100000)',
  },
  doubling('strings doubled by concat', '"0123456789"', (x) => `concat("", [${x}, ${x}])`),
  doubling(
    'strings doubled by concat with a separator',
    '"0123456789"',
    (x) => `concat(${x}, [${x}, ${x}])`,
  ),
  doubling('strings doubled by sprintf', '"0123456789"', (x) => `sprintf("%s%s", [${x}, ${x}])`),
  doubling(
    'strings doubled by sprintf %v',
    '["0123456789"]',
    (x) => `[sprintf("%v", [[${x}, ${x}]])]`,
  ),
  doubling('strings doubled by quoting', '"\\"\\"\\"\\""', (x) => `json.marshal(${x})`),
  doubling('strings doubled by replace', '"aaaaaaaa"', (x) => `replace(${x}, "a", "aa")`),
  doubling(
    'strings doubled by strings.replace_n',
    '"aaaaaaaa"',
    (x) => `strings.replace_n({"a": "aa"}, ${x})`,
  ),
  doubling('strings squared by replace', '"aaaaaaaa"', (x) => `replace(${x}, "a", ${x})`),
  doubling(
    'strings doubled by regex.replace',
    '"aaaaaaaa"',
    (x) => `regex.replace(${x}, "a", "$0$0")`,
  ),
  doubling(
    'strings squared by regex.replace',
    '"aaaaaaaa"',
    (x) => `regex.replace(${x}, "a", ${x})`,
  ),
  doubling('strings grown by replacing nothing', '"aaaaaaaa"', (x) => `replace(${x}, "", ${x})`),
  doubling(
    'strings grown by base64',
    '"aaaaaaaa"',
    (x) => `base64.encode(concat("", [${x}, ${x}]))`,
  ),
  doubling(
    'strings grown by base64url',
    '"aaaaaaaa"',
    (x) => `base64url.encode(concat("", [${x}, ${x}]))`,
  ),
  doubling('strings grown by hex', '"aaaaaaaa"', (x) => `hex.encode(${x})`),
  doubling('strings grown by urlquery', '"////"', (x) => `urlquery.encode(${x})`),
  doubling(
    'strings grown by urlquery.encode_object',
    '"////"',
    (x) => `urlquery.encode_object({"a": [${x}, ${x}]})`,
  ),
  doubling('strings grown by upper', '"ßßßß"', (x) => `upper(concat("", [${x}, ${x}]))`),
  doubling(
    'strings grown by reverse',
    '"abcd"',
    (x) => `strings.reverse(concat("", [${x}, ${x}]))`,
  ),
  doubling(
    'strings grown by a template',
    '"abcd"',
    (x) => `strings.render_template("{{.a}}{{.a}}", {"a": ${x}})`,
  ),
  doubling(
    'strings grown by nested ranges of a template',
    '[1, 2, 3, 4, 5, 6, 7, 8]',
    (x) =>
      `split(strings.render_template("{{range .a}}{{range $.a}}{{.}} {{end}}{{end}}", {"a": ${x}}), " ")`,
  ),
  doubling('strings grown by yaml', '"a: b"', (x) => `yaml.marshal([${x}, ${x}])`),
  doubling(
    'strings split',
    '"abcdefgh"',
    (x) => `concat("-", split(concat("", [${x}, ${x}]), ""))`,
  ),
  doubling('arrays doubled', '[1, 2, 3, 4]', (x) => `array.concat(${x}, ${x})`),
  doubling('arrays reversed', '[1, 2, 3, 4]', (x) => `array.reverse(array.concat(${x}, ${x}))`),
  doubling('arrays sorted', '[1, 2, 3, 4]', (x) => `sort(array.concat(${x}, ${x}))`),
  doubling(
    'objects grown by object.union',
    '{"a": 1}',
    (x) =>
      `object.union({k: v | some k, v in ${x}}, {concat("", [k, sprintf("%d", [count(${x})])]): v | some k, v in ${x}})`,
  ),
  doubling(
    'objects grown by object.union_n',
    '{"a": 1}',
    (x) =>
      `object.union_n([${x}, {concat("", [k, sprintf("%d", [count(${x})])]): v | some k, v in ${x}}])`,
  ),
  doubling(
    'sets grown by union',
    '{1}',
    (x) => `union({${x}, {(v + count(${x})) | some v in ${x}}})`,
  ),
  doubling('sets grown by |', '{1}', (x) => `${x} | {(v + count(${x})) | some v in ${x}}`),
  doubling('products of sets', '{1, 2, 3, 4}', (x) => `{[a, b] | some a in ${x}; some b in ${x}}`),
  doubling('integers squared', '1234567890123456789', (x) => `${x} * ${x}`),
  doubling(
    'integers multiplied by product',
    '1234567890123456789',
    (x) => `product([${x}, ${x}, ${x}, ${x}])`,
  ),
  doubling('integers shifted', '1', (x) => `bits.lsh(${x} + 1, 1000000)`),
  rule('a huge shift', 'x := bits.lsh(1, 1000000000000)'),
  rule('a huge shift to the right', 'x := bits.rsh(1, 1000000000000)'),
  rule('a huge exponent', 'x := 1e999999999999'),
  rule('a huge exponent in JSON', 'x := json.unmarshal("1e999999999999") + 1'),
  rule('a huge exponent in text', 'x := to_number("1e999999999") + 1'),
  rule('a huge exponent in units', 'x := units.parse_bytes("1e999999999GB") + 1'),
  rule(
    'a long integer',
    `x := to_number(concat("", [sprintf("%d", [i]) | some i in numbers.range(1, 1000000)]))`,
  ),
  rule('a wide sprintf', 'x := count(sprintf("%1000000000d", [1]))'),
  rule('a wide sprintf by argument', 'x := count(sprintf("%*d", [1000000000, 1]))'),
  rule('a precise sprintf', 'x := count(sprintf("%.1000000000f", [1.5]))'),
  rule(
    'a sprintf with many widths',
    `x := count(sprintf("${repeat('%9999999d', 300)}", [${repeat('1,', 300)}]))`,
  ),
  rule(
    'a sprintf of hexadecimal text',
    's := concat("", ["a" | some i in numbers.range(1, 1000000)])\nx := count(sprintf("%x % x %q %+q %#x", [s, s, s, s, s]))',
  ),
  rule('cidr expanded', 'x := count(net.cidr_expand("10.0.0.0/2"))'),
  rule('cidr of version 6 expanded', 'x := count(net.cidr_expand("2001:db8::/16"))'),
  rule(
    'all paths of a complete graph',
    'n := numbers.range(1, 40)\ng := {sprintf("%d", [i]): [sprintf("%d", [j]) | some j in n] | some i in n}\nx := count(graph.reachable_paths(g, {"1"}))',
  ),
  rule(
    'json doubled',
    's := concat("", ["[1,2,3]," | some i in numbers.range(1, 300000)])\nx := count(json.unmarshal(concat("", ["[", s, "1]"])))',
  ),
  rule(
    'yaml with bombs of aliases',
    `${['x := yaml.unmarshal(`a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]', ...Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${repeat(`*a${i}, `, 10)}]`)].join('\n')}\`)`,
  ),
  rule(
    'yaml with merges',
    `${['x := yaml.unmarshal(`a0: &a0 {x0: 1, y0: 2}', ...Array.from({ length: 25 }, (_, i) => `a${i + 1}: &a${i + 1} {"<<": [*a${i}, *a${i}], x${i + 1}: [*a${i}, *a${i}]}`)].join('\n')}\`)`,
  ),
  rule(
    'globs that meet',
    `x := regex.globs_match("${repeat('[a-z]*', 200)}", "${repeat('[a-y]+', 200)}")`,
  ),
  rule(
    'patches that copy',
    `x := json.patch({"a": [1]}, [${Array.from({ length: 60 }, (_, i) => `{"op": "copy", "from": "", "path": "/b${i}"}`).join(', ')}])`,
  ),
  rule(
    'patches that copy, printed',
    `x := json.marshal(json.patch({"a": [1]}, [${Array.from({ length: 60 }, (_, i) => `{"op": "copy", "from": "", "path": "/b${i}"}`).join(', ')}]))`,
  ),
  rule(
    'all pairs of json.filter',
    'o := {sprintf("%d", [i]): i | some i in numbers.range(1, 3000)}\nx := [json.filter(o, [k | some k, _ in o]) | some _ in numbers.range(1, 3000)]',
  ),
  rule(
    'all substrings',
    's := concat("", ["a" | some i in numbers.range(1, 100000)])\nx := count({substring(s, i, -1) | some i in numbers.range(1, 100000)})',
  ),
  rule(
    'all prefixes as arrays',
    'xs := numbers.range(1, 30000)\nx := count([array.slice(xs, 0, i) | some i in numbers.range(1, 30000)])',
  ),
  rule(
    'all matches',
    's := concat("", ["a" | some i in numbers.range(1, 30000)])\nx := count([regex.find_n("a", s, -1) | some i in numbers.range(1, 3000)])',
  ),
  rule(
    'all submatches',
    's := concat("", ["a" | some i in numbers.range(1, 30000)])\nx := count([regex.find_all_string_submatch_n("((((((a))))))", s, -1) | some i in numbers.range(1, 3000)])',
  ),
  rule(
    'all indexes',
    's := concat("", ["a" | some i in numbers.range(1, 30000)])\nx := count([indexof_n(s, "a") | some i in numbers.range(1, 3000)])',
  ),
]

/** Library calls that take long on hostile operands: each has to be bounded by itself. */
export const patterns: readonly Attack[] = [
  rule('a regex that backtracks', `x := regex.match("(a*)*b", "${repeat('a', 50_000)}")`),
  rule(
    'a regex with nested repetition',
    'x := regex.match("((((a{1,100}){1,100}){1,100}){1,100}){1,100}b", "aaaa")',
  ),
  rule(
    'a regex with repetition',
    `x := regex.match("${repeat('(a{1000})', 200)}", "${repeat('a', 20_000)}")`,
  ),
  rule(
    'a regex on long text',
    's := concat("", ["a" | some i in numbers.range(1, 1000000)])\nx := regex.match("(a|aa)*(a|aaa)*(b|c)$", s)',
  ),
  rule(
    'a regex with many states on long text',
    `s := concat("", ["ab" | some i in numbers.range(1, 500000)])\nx := regex.match("(a|b)*a${repeat('(a|b)', 200)}c", s)`,
  ),
  rule(
    'a regex of many alternatives',
    `x := regex.match("${Array.from({ length: 20_000 }, (_, i) => `a${i}b*`).join('|')}", "${repeat('a', 10_000)}")`,
  ),
  rule(
    'a regex of deep groups',
    `x := regex.match("${repeat('(', 5_000)}a${repeat(')', 5_000)}", "a")`,
  ),
  rule(
    'a regex of very deep groups',
    `x := regex.is_valid("${repeat('(', 100_000)}a${repeat(')', 100_000)}")`,
  ),
  rule(
    'a regex found everywhere',
    's := concat("", ["a" | some i in numbers.range(1, 300000)])\nx := count(regex.find_n("a*b|a", s, -1))',
  ),
  rule(
    'a regex that is found late everywhere',
    's := concat("", ["a" | some i in numbers.range(1, 100000)])\nx := count(regex.find_n("a*b", s, -1))',
  ),
  rule(
    'regex.split',
    's := concat("", ["a," | some i in numbers.range(1, 300000)])\nx := count(regex.split("a*b|,", s))',
  ),
  rule(
    'regex.template_match',
    `x := regex.template_match("urn:${repeat('{(a*)*}', 2_000)}", "urn:${repeat('a', 20_000)}", "{", "}")`,
  ),
  rule(
    'a glob of stars',
    `x := glob.match("${repeat('*a', 2_000)}b", [], "${repeat('a', 20_000)}")`,
  ),
  rule(
    'a glob of super stars',
    `x := glob.match("${repeat('**a*', 2_000)}b", ["."], "${repeat('a.', 20_000)}")`,
  ),
  rule(
    'a glob of alternatives',
    `x := glob.match("${repeat('{a,b,{c,d}}', 300)}", [], "${repeat('a', 300)}")`,
  ),
  rule(
    'a glob of deep alternatives',
    `x := glob.match("${repeat('{a,', 2_000)}b${repeat('}', 2_000)}", [], "b")`,
  ),
  rule(
    'a schema with a pattern that backtracks',
    `x := json.match_schema({"a": "${repeat('a', 50_000)}"}, {"properties": {"a": {"pattern": "^(a*)*b$"}}})`,
  ),
  rule('a schema that refers to itself', 'x := json.match_schema({"a": 1}, {"$ref": "#"})'),
  rule(
    'a schema whose references form a circle',
    'x := json.match_schema({"a": 1}, {"$ref": "#/definitions/a", "definitions": {"a": {"$ref": "#/definitions/b"}, "b": {"$ref": "#/definitions/a"}}})',
  ),
  rule(
    'a schema that doubles',
    `x := json.match_schema({"a": 1}, {"$ref": "#/definitions/d0", "definitions": {${Array.from({ length: 60 }, (_, i) => `"d${i}": {"allOf": [{"$ref": "#/definitions/d${i + 1}"}, {"$ref": "#/definitions/d${i + 1}"}]}`).join(', ')}, "d60": {"type": "object"}}})`,
  ),
  rule(
    'a schema with anyOf that doubles',
    `x := json.match_schema({"a": 1}, {"$ref": "#/definitions/d0", "definitions": {${Array.from({ length: 60 }, (_, i) => `"d${i}": {"anyOf": [{"$ref": "#/definitions/d${i + 1}"}, {"$ref": "#/definitions/d${i + 1}"}]}`).join(', ')}, "d60": {"type": "string"}}})`,
  ),
  rule(
    'a schema with unique items',
    'x := json.match_schema({"a": [[i] | some i in numbers.range(1, 100000)]}, {"properties": {"a": {"type": "array", "uniqueItems": true}}})',
  ),
  rule(
    'a deep schema',
    `x := json.verify_schema(${repeat('{"properties": {"a": ', 90)}{}${repeat('}}', 90)})`,
  ),
  rule(
    'a remote schema',
    'x := json.match_schema({"a": 1}, {"$ref": "http://127.0.0.1:1/schema.json"})',
  ),
  rule(
    'a graph with circles',
    'n := numbers.range(1, 1000)\ng := {i: n | some i in n}\nx := count(graph.reachable(g, {1}))',
  ),
  rule(
    'a long chain in a graph',
    'g := {i: [i + 1] | some i in numbers.range(1, 30000)}\nx := count(graph.reachable(g, {1})) + count(graph.reachable_paths({sprintf("%d", [i]): v | some i, v in {}}, {"1"}))',
  ),
  rule(
    'a long path in a graph',
    'g := {sprintf("%d", [i]): [sprintf("%d", [i + 1])] | some i in numbers.range(1, 20000)}\nx := count(graph.reachable_paths(g, {"1"}))',
  ),
  rule(
    'time with a long layout',
    `x := time.parse_ns("${repeat('2006', 20_000)}", "${repeat('2020', 20_000)}")`,
  ),
  rule('time far away', 'x := time.add_date(1, 1000000000, 1000000000, 1000000000)'),
  rule(
    'time far away, shown',
    'x := time.format([1000000000000000000, "UTC", "MST"])\ny := time.diff(9000000000000000000, -9000000000000000000)',
  ),
  rule('a time beyond all', 'x := time.clock(bits.lsh(1, 4000))'),
  rule('a long duration', `x := time.parse_duration_ns("${repeat('1h1m', 20_000)}")`),
  rule(
    'a long version',
    `x := semver.compare("1.2.3-${repeat('a.', 20_000)}a", "1.2.3-${repeat('a.', 20_000)}b")`,
  ),
  rule(
    'a long version that is none',
    `x := semver.is_valid("${repeat('1', 50_000)}.${repeat('0-', 20_000)}")`,
  ),
  rule(
    'graphql that nests',
    `x := graphql.parse_query("${repeat('{a', 20_000)}${repeat('}', 20_000)}")`,
  ),
  rule(
    'graphql with many fields of the same name',
    `x := graphql.is_valid("{ ${repeat('f ', 5_000)} }", "type Query { f: String }")`,
  ),
  rule(
    'graphql with fragments that double',
    `x := graphql.is_valid("{ ...f0 } ${Array.from({ length: 30 }, (_, i) => `fragment f${i} on Query { ...f${i + 1} ...f${i + 1} }`).join(' ')} fragment f30 on Query { a }", "type Query { a: String }")`,
  ),
  rule(
    'graphql with overlapping fields',
    `x := graphql.is_valid("{ ${repeat('a { ', 60)} b ${repeat('}', 60)} ${repeat('a { ', 60)} b ${repeat('}', 60)} }", "type Query { a: Query b: String }")`,
  ),
  rule(
    'graphql schema of many types',
    `x := graphql.schema_is_valid("type Query { a: T0 } ${Array.from({ length: 3_000 }, (_, i) => `type T${i} { a: T${(i + 1) % 3_000} }`).join(' ')}")`,
  ),
  rule(
    'jwt of long text',
    `x := io.jwt.decode("${repeat('e30', 30_000)}.${repeat('e30', 30_000)}.a")`,
  ),
  rule(
    'a key of long text',
    `x := io.jwt.verify_rs256("e30.e30.AAAA", "-----BEGIN PUBLIC KEY-----${repeat('A', 50_000)}-----END PUBLIC KEY-----")`,
  ),
  rule(
    'a policy parsed by a policy',
    `x := rego.parse_module("b.rego", "package b\\np := ${repeat('[', 150)}1${repeat(']', 150)}")`,
  ),
  rule(
    'a policy too deep parsed by a policy',
    `x := rego.parse_module("b.rego", "package b\\np := ${repeat('[', 50_000)}1${repeat(']', 50_000)}")`,
  ),
  rule(
    'url queries of many members',
    `x := count(urlquery.decode_object("${repeat('a=b&', 50_000)}"))`,
  ),
  rule('hex that is none', `x := hex.decode("${repeat('zz', 50_000)}")`),
  rule('a string trimmed', `x := trim("${repeat('ab', 50_000)}", "${repeat('abc', 20_000)}")`),
  rule(
    'strings with many prefixes',
    'xs := [concat("", [sprintf("%d", [i]), "a"]) | some i in numbers.range(1, 3000)]\nx := strings.any_prefix_match(xs, [concat("", [y, "b"]) | some y in xs])',
  ),
  rule(
    'unions of deep objects',
    'a := {i: {j: 1 | some j in numbers.range(1, 1000)} | some i in numbers.range(1, 100)}\nx := count(object.union_n([a | some i in numbers.range(1, 1000)]))',
  ),
]

/** Documents that nest deeper than a stack. */
export const depth: readonly Attack[] = [
  rule(
    'deep JSON unmarshalled',
    `x := json.unmarshal("${repeat('[', 100_000)}${repeat(']', 100_000)}")`,
  ),
  rule('deep JSON checked', `x := json.is_valid("${repeat('[', 100_000)}${repeat(']', 100_000)}")`),
  rule(
    'deep objects unmarshalled',
    `x := json.unmarshal("${repeat('{\\"a\\":', 50_000)}1${repeat('}', 50_000)}")`,
  ),
  rule(
    'deep yaml unmarshalled',
    `x := yaml.unmarshal("${repeat('[', 20_000)}${repeat(']', 20_000)}")`,
  ),
  rule('deep yaml by dashes', `x := yaml.unmarshal("${repeat('- ', 20_000)}1")`),
  rule('deep yaml checked', `x := yaml.is_valid("${repeat('[', 20_000)}${repeat(']', 20_000)}")`),
  rule('deep input', 'x := input', { inputJson: `${repeat('[', 100_000)}${repeat(']', 100_000)}` }),
  rule('deep data', 'x := data.b', {
    dataJson: `{"b": ${repeat('[', 100_000)}${repeat(']', 100_000)}}`,
  }),
  rule(
    'input as deep as may be',
    'x := [json.marshal(input), input == input, {input}, sprintf("%v", [input]), count([1 | walk(input, _)])]',
    { inputJson: `${repeat('[', 990)}${repeat(']', 990)}` },
  ),
  rule(
    'input as deep as may be, through built-ins',
    'x := [object.union({"a": input}, {"a": input}), sort([input, input]), json.match_schema({"a": input}, {}), strings.render_template("{{.}}", {"a": input}), json.remove({"a": input}, ["a/0/0"]), json.patch(input, [])]',
    { inputJson: `${repeat('[', 900)}${repeat(']', 900)}` },
  ),
  rule(
    'objects as deep as may be',
    'x := [object.union(input, input), object.filter(input, ["a"]), json.filter(input, ["a/a"]), json.marshal_with_options(input, {"pretty": true}), object.subset(input, input)]',
    { inputJson: `${repeat('{"a":', 900)}1${repeat('}', 900)}` },
  ),
  doubling(
    'a value that nests by rule',
    '[1]',
    (x) => `[${repeat('[', 50)}${x}${repeat(']', 50)}]`,
  ),
  {
    name: 'a chain of 10,000 rules',
    source: `package a\n\n${Array.from({ length: 10_000 }, (_, i) => `r${i} := r${i + 1} + 1`).join('\n')}\nr10000 := 1\np := r0\n`,
  },
  {
    name: 'a chain of 10,000 functions',
    source: `package a\n\n${Array.from({ length: 10_000 }, (_, i) => `f${i}(x) := f${i + 1}(x) + 1`).join('\n')}\nf10000(x) := x\np := f0(1)\n`,
  },
  {
    name: 'a chain of 3,000 functions that ends in a check of a regex',
    source: `package a\n\n${Array.from({ length: 3_000 }, (_, i) => `f${i}(x) := y if {\nsome y in [f${i + 1}(x)]\n}`).join('\n')}\nf3000(x) := regex.is_valid(x)\np := f0("((((((((((a))))))))))")\n`,
  },
]
