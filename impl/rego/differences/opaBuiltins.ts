import type { Difference } from './difference.ts'

export const opaBuiltins: readonly Difference[] = [
  {
    id: 'styles-of-yaml',
    area: 'built-ins',
    title: 'The style of texts and large numbers in YAML',
    why: 'Both texts are the same document. OPA indents a text of several lines, folds long ones, escapes emoji and quotes dates and times.',
    program: { modules: ['package test\n\np := yaml.marshal("a\\nb")'] },
    here: { service: '"|-\\na\\nb\\n"', 'opa-1.2': '"|-\\na\\nb\\n"' },
    opa: '"|-\\n  a\\n  b\\n"',
    regorus: '"|-\\n  a\\n  b\\n"',
  },
  {
    id: 'member-missing-from-a-template',
    area: 'built-ins',
    title: 'A template with a member that is not given',
    why: 'As in later versions of OPA, a missing member is printed as `<undefined>`.',
    program: { modules: ['package test\n\np := strings.render_template("{{.b}}", {})'] },
    here: { service: 'rego_type_error', 'opa-1.2': '"<undefined>"' },
    opa: 'undefined',
    regorus: 'error',
  },
  {
    id: 'graphql-default-values',
    area: 'built-ins',
    title: 'Default values in the syntax tree of GraphQL',
    why: 'The member `ExpectedTypeHasDefault` is in the trees of later versions of OPA.',
    program: {
      modules: [
        'package test\n\np := graphql.parse_schema("type Query { a(x: Int = 1): String }").Definitions[0].Fields[0].Arguments[0].DefaultValue',
      ],
    },
    here: {
      service: 'rego_type_error',
      'opa-1.2': '{"ExpectedTypeHasDefault":false,"Kind":1,"Raw":"1"}',
    },
    opa: '{"Kind":1,"Raw":"1"}',
    regorus: 'error',
  },
  {
    id: 'remainders-of-large-integers',
    area: 'values',
    title: 'Remainders of integers beyond 64 bits',
    why: 'OPA computes remainders with the lowest 64 bits. Integers are exact at any size.',
    program: { modules: ['package test\n\np := 2 % 18446744073709551616'] },
    here: { service: '2', 'opa-1.2': '2' },
    opa: 'undefined',
    regorus: '2',
  },
  {
    id: 'print-of-an-unsafe-variable',
    area: 'errors',
    title: '`print` of a variable without a value',
    why: 'OPA has a code of its own for it, and reports it, where print statements are on, for variables that have one.',
    program: { modules: ['package test\n\np if {\n\tprint(x)\n}'] },
    here: { service: 'rego_unsafe_var_error', 'opa-1.2': 'rego_unsafe_var_error' },
    opa: 'rego_compile_error',
    regorus: 'error',
  },
]
