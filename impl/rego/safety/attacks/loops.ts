import { type Attack, repeat, rule } from './attack.ts'

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
