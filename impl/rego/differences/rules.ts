import type { Difference } from './difference.ts'

export const rules: readonly Difference[] = [
  {
    id: 'variable-with-the-name-of-a-built-in',
    area: 'types',
    title: 'A variable of `=` with the name of a built-in',
    why: 'OPA takes the type of the built-in for that of the variable.',
    program: { modules: ['package test\n\np if { startswith = 1 }'] },
    here: { service: 'true', 'opa-1.2': 'true' },
    opa: 'rego_type_error',
    regorus: 'true',
  },
  {
    id: 'print-as-a-value',
    area: 'rules',
    title: '`print` as a value',
    why: 'OPA refuses it. In the engine at 0.9, and in the profile `service`, its value is true.',
    program: { modules: ['package test\n\np := print(1)'] },
    here: { service: 'true', 'opa-1.2': 'rego_type_error' },
    opa: 'rego_type_error',
    regorus: 'true',
  },
  {
    id: 'relation-replaces-a-function',
    area: 'rules',
    title: 'A function replaced by `walk`',
    why: 'Any call could then have several results. This engine refuses it.',
    program: {
      modules: [
        'package test\n\nq := [x | x := count(input)]\n\np := x if x := q with count as walk',
      ],
      input: [5],
    },
    here: { service: 'rego_compile_error', 'opa-1.2': 'rego_compile_error' },
    opa: '[[[],[5]],[[0],5]]',
    regorus: 'error',
  },
  {
    id: 'relation-replaced',
    area: 'rules',
    title: '`walk` replaced by a value',
    why: 'This engine follows OPA, which refuses it.',
    program: {
      modules: [
        'package test\n\nq := [x | walk(input, x)]\n\np := x if x := q with walk as [3, 4]',
      ],
      input: [5],
    },
    here: { service: 'rego_compile_error', 'opa-1.2': 'rego_compile_error' },
    opa: 'rego_compile_error',
    regorus: '[3,4]',
  },
  {
    id: 'relation-rows',
    area: 'rules',
    title: 'The results of `walk` in a comprehension',
    why: 'This engine follows OPA: a call of a relation has each of its results in turn, in every form.',
    program: {
      modules: ['package test\n\np := [value | [path, value] := walk(input)]'],
      input: { a: 1 },
    },
    here: { service: '[{"a":1},1]', 'opa-1.2': '[{"a":1},1]' },
    opa: '[{"a":1},1]',
    regorus: '[]',
  },
  {
    id: 'default-below-a-dynamic-key',
    area: 'rules',
    title: 'A default in a package that is below a partial object',
    why: 'OPA leaves the default out of the object, although the rule by itself has it.',
    program: {
      modules: [
        'package test.a.p\n\ndefault x := 1\n\nx := 2 if input.z',
        'package test.a\n\np[x] := 1 if x := "k"',
      ],
      query: 'data.test.a.p',
    },
    here: { service: '{"k":1,"x":1}', 'opa-1.2': '{"k":1,"x":1}' },
    opa: '{"k":1}',
    regorus: '{"k":1,"x":1}',
  },
  {
    id: 'rule-below-a-set',
    area: 'rules',
    title: 'A package below a partial set',
    why: 'This engine follows OPA.',
    program: {
      modules: ['package test.a.p\n\nx := 1', 'package test.a\n\np contains x if x := "x"'],
      query: 'data.test.a.p.x',
    },
    here: { service: 'rego_type_error', 'opa-1.2': 'rego_type_error' },
    opa: 'rego_type_error',
    regorus: '1',
  },
]
