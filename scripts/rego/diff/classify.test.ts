import { differences } from 'polgate-rego/differences/catalogue.ts'
import type { Difference } from 'polgate-rego/differences/difference.ts'
import { expect, test } from 'vitest'
import { type Answer, agree, type PeerName, valueAnswer } from './answers.ts'
import { answersOf, listedAs, listingOf, programOf, rules } from './classify.ts'
import type { Found } from './engines.ts'
import { Evidence } from './evidence.ts'
import { LANGUAGE_MATCHERS } from './languageMatchers.ts'
import { MATCHERS } from './matchers.ts'

const PEERS: readonly PeerName[] = ['opa', 'regorus']

function answer(text: string): Answer {
  if (text === 'undefined') return { kind: 'undefined' }
  if (/^(error|\w+_error)$/.test(text)) return { kind: 'error', codes: [text], message: '' }
  return valueAnswer(text)
}

/** The difference from a peer that an entry describes. */
function foundIn(entry: Difference, peer: PeerName): Found | undefined {
  const { ours, theirs } = answersOf(entry, peer)
  if (theirs === undefined) return undefined
  const found = { peer, program: programOf(entry), ours: answer(ours), theirs: answer(theirs) }
  return agree(peer, found.ours, found.theirs) ? undefined : found
}

const program = (source: string) => ({
  modules: [{ name: 'test.rego', source: `package test\n\n${source}` }],
  query: 'data.test.p',
  strict: false,
})

test('every matcher belongs to an entry of the page', () => {
  const ids = new Set(differences.map(({ id }) => id))
  const named = Object.keys({ ...MATCHERS, ...LANGUAGE_MATCHERS })
  expect(named.filter((id) => !ids.has(id))).toEqual([])
})

/** Programs that no entry is about, with answers that differ. */
const UNLISTED: readonly (readonly [string, string, string])[] = [
  ['p := lower("A")', '"a"', '"A"'],
  ['p := concat(",", ["a", "b"])', '"a,b"', '"ab"'],
  ['p := x if {\n\tx := 1\n}', '1', 'undefined'],
  ['p := [x | some x in [1, 2]]', '[1,2]', '[2,1]'],
  ['p if {\n\tevery x in [1] { x == 2 }\n}', 'undefined', 'true'],
  ['p := 1', '1', 'eval_conflict_error'],
  ['p := object.get({"a": 1}, "a", 2)', '1', '2'],
  ['p contains x if {\n\tsome x in [1, 2]\n}', '[1,2]', '[1,3]'],
  ['p[k] := v if {\n\tsome k, v in {"a": 1}\n}', '{"a":1}', '{"a":2}'],
  ['p := f(1)\n\nf(x) := x + 1', '2', '1'],
  ['p := 1 if {\n\tfalse\n} else := 2', '2', '1'],
  ['default p := false\n\np if {\n\t1 == 2\n}', 'false', 'true'],
  ['p if {\n\tnot q\n}\n\nq if {\n\t1 == 1\n}', 'undefined', 'true'],
  ['p := q with input as {"a": 1}\n\nq := input.a', '1', '2'],
  ['p := q with data.a as 1\n\nq := data.a', '1', '2'],
  ['p := {k: v | some k, v in [1, 2]}', '{"0":1,"1":2}', '{"0":2,"1":2}'],
  ['p := {x | some x in [1, 1, 2]}', '[1,2]', '[2]'],
  ['p := [x | walk([1], [_, x])]', '[[1],1]', '[1]'],
  ['p := input.a', 'undefined', '1'],
  ['p := {"a": 1}.a', '1', 'undefined'],
  ['p if {\n\tsome i\n\t[1, 2][i] == 2\n}', 'true', 'undefined'],
  ['p if {\n\t{1} == {1}\n}', 'true', 'undefined'],
  ['p if {\n\t"a" in {"a", "b"}\n}', 'true', 'undefined'],
]

test.each(UNLISTED)('no entry matches another answer of a peer to %s', (source, ours, theirs) => {
  for (const peer of PEERS) {
    const found = { program: program(source), ours: answer(ours), theirs: answer(theirs), peer }
    expect([peer, listedAs(found)]).toEqual([peer, undefined])
  }
})

/** Programs with the syntax of an entry, and answers that it does not explain. */
const OTHERWISE: readonly (readonly [PeerName, string, string, string])[] = [
  ['opa', 'p := input.if', '1', '2'],
  ['opa', 'q.if := 1\n\np := q', '{"if":1}', '{"if":2}'],
  ['opa', 'p if { some contains; contains = 1 }', 'true', 'undefined'],
  ['opa', 'p := 1 + .5', '1.5', '2'],
  ['opa', 'p := 1 + 01', '1', '2'],
  ['opa', 'p := [,1]', '[1]', '[2]'],
  ['opa', 'p if set()', 'true', 'undefined'],
  ['opa', 'p if { startswith = 1 }', 'true', 'undefined'],
  ['opa', 'f(x) := 1\n\np := [x | x := f(1); f := 3]', '[1]', '[2]'],
  ['opa', 'r if false\n\np if not r == 1', 'true', '1'],
  ['opa', 'default q := 1\n\nq := 2 if input.z\n\np[x] := 1 if x := "k"', '{"k":1}', '{"k":2}'],
  ['opa', 'p if { {input.x: 1, input.y: 2} == {"a": 2} }', 'true', 'rego_type_error'],
  ['opa', 'p := assign(1, 1)', '1', '2'],
  ['opa', 'q := 0\n\np if q == 0 with data.test.q as 1', 'undefined', 'rego_type_error'],
  ['regorus', 'p := input.if', '1', '2'],
  ['regorus', 'p := [v | walk(1, [_, v])]', '[1]', '[2]'],
  ['regorus', 'p := count ([1])', '1', '2'],
  ['regorus', 'q := 3\n\np if q with input.o as q', 'true', 'error'],
  ['regorus', 'f(x, x) := x\n\np := f(1, 2)', '1', 'error'],
  ['regorus', 'f([x]) := x\n\np := f([1, 2])', '1', 'undefined'],
  ['regorus', 'f({"a": x}) := x\n\np := f({"a": 1})', '1', '2'],
  ['regorus', 'count := 3\n\np := count([1])', '3', '1'],
  ['regorus', 'p := x if x := "a" in ["a"]', 'true', 'undefined'],
  ['regorus', 'p := x if { assign(x, 1) }', '1', '2'],
  ['regorus', 'r := [1]\n\np if some x in r', 'true', 'undefined'],
  ['regorus', 'p if {1} in [{1}]', 'true', 'undefined'],
  ['regorus', 'f({}) := 0\n\np := f({"a": 1})', 'undefined', '1'],
  ['opa', 'p := {input.x: 1, "a": 2}', '{"a":2}', '{"a":3}'],
  ['opa', 'p := data.none if { {0: x | some x in {0, 1}} }', 'eval_conflict_error', '1'],
  ['opa', 'p if { data.test.q; {0: x | some x in {0, 1}} }', 'eval_conflict_error', 'undefined'],
]

test.each(OTHERWISE)(
  'no entry matches another answer of %s to %s',
  (peer, source, ours, theirs) => {
    const found = { program: program(source), ours: answer(ours), theirs: answer(theirs) }
    expect(listedAs({ ...found, peer })).toBeUndefined()
  },
)

/** Calls that every engine answers alike: another answer of the engine at 0.9 would be a fault of one. */
const USUAL: readonly (readonly [string, string, string])[] = [
  ['upper("a")', '"A"', '"a"'],
  ['lower("A")', '"a"', '"A"'],
  ['count("abc")', '3', '2'],
  ['count([1, 2])', '2', '3'],
  ['indexof("abc", "b")', '1', '2'],
  ['indexof_n("abcb", "b")', '[1,3]', '[1]'],
  ['strings.count("abab", "ab")', '2', '1'],
  ['strings.replace_n({"a": "b"}, "ac")', '"bc"', '"ac"'],
  ['substring("abc", 1, 1)', '"b"', '"bc"'],
  ['sprintf("%d", [1])', '"1"', '"2"'],
  ['sprintf("%X", [255])', '"FF"', '"ff"'],
  ['sprintf("%v %s", [{"a": [1]}, "b"])', '"{\\"a\\": [1]} b"', '"a"'],
  ['json.match_schema({"a": 1}, {"type": "object"})', '[true,[]]', '[false,[]]'],
  ['object.subset({"a": 1}, {"a": 1})', 'true', 'false'],
  ['json.verify_schema({"type": "string"})', '[true,null]', '[false,null]'],
  ['json.filter({"a": 1, "b": 2}, ["a"])', '{"a":1}', '{}'],
  ['json.filter({"a": {"b": 1}}, ["a/b"])', '{"a":{"b":1}}', '{"a":{}}'],
  ['json.filter({"a": [1, 2]}, [["a", "0"]])', '{"a":[1]}', '{"a":[2]}'],
  ['json.remove({"a": {"b": 1}}, ["a/b"])', '{"a":{}}', '{"a":{"b":1}}'],
  ['json.remove({"a": {"b": 1}}, ["a/c"])', '{"a":{"b":1}}', '{}'],
  ['json.remove({"a": 1, "b": 2}, ["a"])', '{"b":2}', '{"a":1,"b":2}'],
  ['json.remove({"a": {"b": 1}}, ["a/b"])', '{"a":{}}', '{"a":1}'],
  ['json.filter({"a": {"b": 1}}, ["a/b"])', '{"a":{"b":1}}', '{"a":1}'],
  ['sprintf("%x", [255])', '"ff"', '"FF"'],
  ['sprintf("%s", ["-1"])', '"-1"', '"--1"'],
  ['bits.lsh(1, 3)', '8', '4'],
  ['json.marshal({"a": 1})', '"{\\"a\\":1}"', '"{}"'],
  ['json.unmarshal("[1]")', '[1]', '[2]'],
  ['glob.match("a", ["."], "a")', 'true', 'false'],
  ['glob.quote_meta("abc")', '"abc"', '"ab"'],
  ['regex.template_match("abc", "abc", "{", "}")', 'true', 'false'],
  ['regex.match("a+", "aa")', 'true', 'false'],
  ['regex.replace("aa", "a", "b")', '"bb"', '"ba"'],
  ['base64.is_valid("YWI")', 'false', 'true'],
  ['hex.decode("6162")', '"ab"', '"a"'],
  ['urlquery.encode("a b")', '"a+b"', '"a%20b"'],
  ['urlquery.decode("a+b")', '"a b"', '"a+b"'],
  ['urlquery.decode_object("a=1")', '{"a":["1"]}', '{"a":[]}'],
  ['format_int(10, 16)', '"a"', '"10"'],
  ['to_number("15")', '15', '1'],
  ['numbers.range_step(1, 5, 2)', '[1,3,5]', '[1,3]'],
  ['rand.intn("a", 1)', '0', '1'],
  ['time.diff(1, 0)', '[0,0,0,0,0,0]', '[0,0,0,0,0,1]'],
  ['time.add_date(0, 0, 0, 1)', '86400000000000', '0'],
  ['bits.rsh(8, 1)', '4', '2'],
  ['bits.rsh(8, 64)', '0', '1'],
  ['bits.lsh(1, 64)', '18446744073709551616', '1'],
  ['time.parse_ns("2006-01-02", "1970-01-02")', '86400000000000', '0'],
  ['time.format(0)', '"1970-01-01T00:00:00Z"', '""'],
  ['units.parse("10")', '10', '1'],
  ['sort([2, 1])', '[1,2]', '[2,1]'],
  ['2 * 0.5', '1', '2'],
  ['json.marshal(1.5)', '"1.5"', '"2"'],
  ['{1} > set()', 'true', 'false'],
  ['json.is_valid("1")', 'true', 'false'],
  ['regex.replace("abc", "b", "x")', '"axc"', '"abc"'],
  ['min([1, 2])', '1', '2'],
  ['floor(-1.5)', '-2', '-1'],
  ['floor(0.5)', '0', '1'],
  ['5 % 3', '2', '1'],
  ['bits.and(6, 3)', '2', '3'],
  ['min({0, 1})', '0', '1'],
  ['graph.reachable_paths({"a": ["b"], "b": []}, ["a"])', '[["a","b"]]', '[["a"]]'],
  ['strings.render_template("{{.a}}", {"a": 1})', '"1"', '""'],
  ['yaml.unmarshal("a: 1")', '{"a":1}', '{"a":2}'],
  ['yaml.marshal({"a": 1})', '"a: 1\\n"', '"a: 2\\n"'],
]

test.each(USUAL)('no entry matches another answer of a peer to %s', (call, ours, theirs) => {
  for (const peer of PEERS) {
    // At 0.9 any YAML is read otherwise.
    if (peer === 'regorus' && call.startsWith('yaml.unmarshal')) continue
    const found = { program: program(`p := ${call}`), ours: answer(ours), theirs: answer(theirs) }
    for (const [a, b] of [
      [found.ours, found.theirs],
      [found.ours, answer('undefined')],
    ] as const) {
      expect([peer, listedAs({ ...found, ours: a, theirs: b, peer })]).toEqual([peer, undefined])
    }
  }
})

/** Faults here that would look like an error which nothing needs, or like one of several. */
const FAULTS: readonly (readonly [string, Partial<Found>])[] = [
  // Called here, with a result.
  ['p := to_number("x")', { theirs: failed('eval_builtin_error', 'to_number: invalid') }],
  ['p := {0: 0 | true}', { theirs: failed('eval_conflict_error', 'object keys must be unique') }],
  // No operand of the error is undefined.
  [
    'p := to_number("x")',
    { ours: failed('eval_builtin_error', 'to_number: invalid'), theirs: answer('1') },
  ],
  // The compiler here finds no such fault.
  [
    'p := x + 0',
    {
      ours: failed('rego_unsafe_var_error', 'var x is unsafe'),
      theirs: failed('rego_recursion_error', 'rule data.test.p is recursive'),
    },
  ],
  [
    'p := to_number("x")\n\nq := to_number("y")',
    {
      ours: failed('eval_builtin_error', 'to_number: invalid'),
      theirs: failed('rego_type_error', 'to_number: invalid argument(s)'),
    },
  ],
  // The comprehension names no variable from outside.
  [
    'p if {\n\ty > {0 | true}\n}',
    { ours: failed('rego_unsafe_var_error', 'var y is unsafe'), theirs: answer('undefined') },
  ],
  ['p := [0 | {x | x := 1}]', { theirs: failed('rego_type_error', 'match error') }],
  // The call of the other error has no result here, either.
  [
    'p := [to_number("x"), 1.0]',
    {
      ours: failed('eval_builtin_error', 'to_number: invalid'),
      theirs: failed(
        'eval_type_error',
        'to_number: operand 1 must be integer number but got floating-point number',
      ),
    },
  ],
  // An error of the engine at 0.9 in a call that this engine made, too.
  [
    'p := sum([1])',
    { peer: 'regorus', theirs: failed('error', 'error: `sum` expects another argument') },
  ],
]

test.each(FAULTS)('no entry matches a fault of %s', (source, answers) => {
  const found = { program: program(source), peer: 'opa' as const, ours: answer('1') }
  expect(listedAs({ ...found, theirs: answer('2'), ...answers })).toBeUndefined()
})

function failed(code: string, message: string): Answer {
  return { kind: 'error', codes: [code], message }
}

test.each([
  [
    'q[x] := 0 if some x in [1]\n\nq.a.b := 0\n\np contains 1 if true\n\np contains 2 if {\n\tq == 0\n}',
    '[1]',
    true,
  ],
  [
    'q[x] := 0 if some x in [1]\n\nq.a.b := 0\n\np contains 1 if true\n\np contains 2 if {\n\tq != 0\n}',
    '[1,2]',
    false,
  ],
])(
  'the type of a reference head is right in %s: only if nothing holds by it',
  (source, ours, is) => {
    const found = { program: program(source), peer: 'opa' as const, ours: answer(ours) }
    const theirs = failed('rego_type_error', 'match error')
    expect(listingOf({ ...found, theirs })).toMatchObject({
      id: 'types-of-reference-heads',
      isExact: is,
    })
  },
)

test('no matcher matches most of the other entries', () => {
  const found = differences.flatMap((entry) =>
    PEERS.flatMap((peer) => {
      const one = foundIn(entry, peer)
      return one === undefined ? [] : [{ id: entry.id, evidence: new Evidence(one) }]
    }),
  )
  for (const { id, matches } of rules()) {
    const others = found.filter((each) => each.id !== id && matches(each.evidence))
    expect([id, others.length / found.length < 0.1]).toEqual([id, true])
  }
})
