import { expect, test } from 'vitest'
import { assertOracle, readInterface } from './componentInterface.ts'

const wit = (...lines: string[]) =>
  [
    'package root:component;',
    '',
    'world root {',
    ...lines.map((line) => `  ${line}`),
    '}',
    '',
  ].join('\n')
const run = 'export run: func(input: string) -> result<string, string>;'
const check = (...lines: string[]) =>
  assertOracle(readInterface(wit(...lines)), {
    brand: 'service:provider',
    subject: 'PolicyData 0xAbC',
  })

test('imports and the type of run are read from the world alone', () => {
  const text = `${wit('import a:b/c@1.0.0;', 'import d: func();', run)}interface e {\n  export run: x;\n}\n`
  expect(readInterface(text)).toEqual({
    imports: ['a:b/c@1.0.0', 'd: func()'],
    run: 'func(input: string) -> result<string, string>',
  })
})

test('an oracle may import its three interfaces and stubbed WASI', () => {
  check(
    'import service:provider/http@0.2.0;',
    'import service:provider/secrets@0.2.0;',
    'import service:provider/tlsn@0.2.0;',
    'import wasi:clocks/wall-clock@0.2.3;',
    'import wasi:random/random@0.2.12;',
    'import wasi:filesystem/types@0.2.0;',
    'import wasi:sockets/tcp@0.2.0;',
    run,
  )
  check('export run: func(input: string) -> string;')
})

test('an import of wasi:http is rejected by name, with the alternative', () => {
  expect(() => check('import wasi:http/outgoing-handler@0.2.0;', run)).toThrow(
    'WASM execution failed: the component of PolicyData 0xAbC imports ' +
      'wasi:http/outgoing-handler@0.2.0, which is not available: ' +
      'call service:provider/http@0.2.0 instead',
  )
})

test.each([
  'service:provider/http@0.3.0',
  'service:provider/http',
  'service:provider/files@0.2.0',
  'other:provider/http@0.2.0',
  'wasi:clocks/wall-clock@0.3.0',
  'wasi:nn/tensor@0.2.0',
])('an import of %s is rejected', (name) => {
  expect(() => check(`import ${name};`, run)).toThrow(`imports ${name}, which is not available`)
})

test('the brand is configured by the host', () => {
  const component = readInterface(wit('import acme:oracle/http@0.2.0;', run))
  assertOracle(component, { brand: 'acme:oracle', subject: 'x' })
  expect(() => assertOracle(component, { brand: 'service:provider', subject: 'x' })).toThrow()
})

test.each([
  'export run: func() -> string;',
  'export run: func(input: list<u8>) -> string;',
  'export run: func(input: string);',
  'export run: func(input: string) -> result<list<u8>, string>;',
])('%s is the wrong type of run', (line) => {
  expect(() => check(line)).toThrow('expected func(input: string) -> result<string, string>')
})

test('a component without run is rejected', () => {
  expect(() => check('export other: func();')).toThrow('does not export run')
})

test('an import in an unknown form is rejected, not ignored', () => {
  const advice = 'an oracle may import'
  expect(() => check('import a:b/c@{x};', run)).toThrow(`imports import a:b/c@{x};, which`)
  expect(() => check('resource constructor {', run)).toThrow(advice)
  expect(() => check('import "a b";', run)).toThrow(advice)
})

test('an error truncates long names', () => {
  const long = 'x'.repeat(100_000)
  expect(() => check(`import ${long};`, run)).toThrow(/^.{1,400}$/)
  expect(() => check(`export run: func(${long}: string) -> u8;`)).toThrow(/^.{1,400}$/)
})
