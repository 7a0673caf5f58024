import { type Attack, doubling, repeat, rule } from './attack.ts'

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
