import { type Attack, doubling, repeat, rule } from './attack.ts'

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
