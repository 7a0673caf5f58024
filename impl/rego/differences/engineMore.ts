import type { Difference } from './difference.ts'

export const engineMore: readonly Difference[] = [
  {
    id: 'engine-sprintf',
    area: 'built-ins',
    title: '`sprintf` with arguments that the format does not use',
    why: 'This engine follows OPA.',
    program: { modules: ['package test\n\np := sprintf("a", [1])'] },
    here: { service: '"a%!(EXTRA int=1)"', 'opa-1.2': '"a%!(EXTRA int=1)"' },
    opa: '"a%!(EXTRA int=1)"',
    regorus: 'undefined',
  },
  {
    id: 'engine-units',
    area: 'built-ins',
    title: '`units.parse` and `units.parse_bytes` of unknown units',
    why: 'This engine follows OPA.',
    program: { modules: ['package test\n\np := units.parse_bytes("1b")'], strict: true },
    here: { service: 'eval_builtin_error', 'opa-1.2': 'eval_builtin_error' },
    opa: 'eval_builtin_error',
    regorus: 'undefined',
  },
  {
    id: 'engine-destructuring',
    area: 'rules',
    title: 'A pattern in the head of a comprehension',
    why: 'This engine follows OPA.',
    program: {
      modules: ['package test\n\np := sort({x | [x, y] = [z, "1"]}) if {\n\tz = 0\n} else := []'],
    },
    here: { service: '[0]', 'opa-1.2': '[0]' },
    opa: '[0]',
    regorus: 'error',
  },
  {
    id: 'engine-some-twice',
    area: 'rules',
    title: 'A variable that a body declares and binds on one line',
    why: 'This engine follows OPA.',
    program: {
      modules: ['package test\n\np := 0 if {\n\tinput.object[_]\n\tsome x; input.object[x]\n}'],
      input: { object: { a: 1 } },
    },
    here: { service: '0', 'opa-1.2': '0' },
    opa: '0',
    regorus: '0',
  },
  {
    id: 'engine-json-unmarshal',
    area: 'built-ins',
    title: '`json.unmarshal` of numbers that no 64-bit float can hold',
    why: 'This engine follows OPA.',
    program: { modules: ['package test\n\np := json.unmarshal("1e400") > 1'] },
    here: { service: 'true', 'opa-1.2': 'true' },
    opa: 'true',
    regorus: 'undefined',
  },
]
