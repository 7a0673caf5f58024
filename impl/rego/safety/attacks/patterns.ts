import { type Attack, repeat, rule } from './attack.ts'

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
    'a long invalid version',
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
  rule('invalid hex', `x := hex.decode("${repeat('zz', 50_000)}")`),
  rule('a string trimmed', `x := trim("${repeat('ab', 50_000)}", "${repeat('abc', 20_000)}")`),
  rule(
    'strings with many prefixes',
    'xs := [concat("", [sprintf("%d", [i]), "a"]) | some i in numbers.range(1, 3000)]\nx := strings.any_prefix_match(xs, [concat("", [y, "b"]) | some y in xs])',
  ),
  rule(
    'unions of deep objects',
    'a := {i: {j: 1 | some j in numbers.range(1, 1000)} | some i in numbers.range(1, 100)}\nx := count(object.union_n([a | some i in numbers.range(1, 1000)]))',
  ),
  rule('a query of many pairs', 'x := count(urlquery.decode_object(input))', {
    inputJson: JSON.stringify(Array.from({ length: 500_000 }, (_, i) => `k${i}=v`).join('&')),
  }),
  ...(['crypto.x509.parse_certificates', 'crypto.parse_private_keys'] as const).flatMap((name) => [
    rule(`${name} of blocks that never end`, `x := ${name}(input)`, {
      inputJson: JSON.stringify(`${repeat('-----BEGIN A-----\n', 100_000)}-----END A-----\n`),
    }),
    rule(`${name} of blocks with other ends`, `x := ${name}(input)`, {
      inputJson: JSON.stringify(repeat('-----BEGIN A-----\n-----END B-----\n', 100_000)),
    }),
    rule(`${name} of many blocks`, `x := ${name}(input)`, {
      inputJson: JSON.stringify(repeat('-----BEGIN A-----\nAAAA\n-----END A-----\n', 100_000)),
    }),
  ]),
]
