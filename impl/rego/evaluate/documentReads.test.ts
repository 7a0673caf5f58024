import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEngine } from '../engine.ts'
import { stringify } from '../values/json.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type Path = readonly (string | number)[]

/** Every value of a document, the document itself included. */
function* valuesIn(document: Json, path: Path = []): Generator<{ path: Path; value: Json }> {
  yield { path, value: document }
  if (Array.isArray(document)) {
    for (const [at, value] of document.entries()) yield* valuesIn(value, [...path, at])
  } else if (typeof document === 'object' && document !== null) {
    for (const [key, value] of Object.entries(document)) yield* valuesIn(value, [...path, key])
  }
}

/** Ways to read what is at a path of a document, each as the body of a rule that defines `value`. */
const READS: Readonly<Record<string, (root: string, path: Path) => string>> = {
  'constant keys': (root, path) => `value := ${root}${keys(path)}`,
  'keys in variables': (root, path) => {
    const names = path.map((key, i) => `k${i} := ${JSON.stringify(key)}; `).join('')
    return `${names}value := ${root}${path.map((_, i) => `[k${i}]`).join('')}`
  },
  'unbound keys': (root, path) => {
    const unbound = path.map((_, i) => `some k${i}; `).join('')
    const known = path.map((key, i) => `; k${i} == ${JSON.stringify(key)}`).join('')
    return `${unbound}value := ${root}${path.map((_, i) => `[k${i}]`).join('')}${known}`
  },
  'a variable for the document': (root, path) => `all := ${root}; value := all${keys(path)}`,
  walk: (root, path) => `some at, value; walk(${root}, [at, value]); at == ${JSON.stringify(path)}`,
  'object.get': (root, path) => `value := object.get(${root}, ${JSON.stringify(path)}, "missing")`,
  'a comparison': (root, path) =>
    `some at, value; walk(${root}, [at, value]); at == ${JSON.stringify(path)}; ${root}${keys(path)} == value`,
}

const keys = (path: Path): string => path.map((key) => `[${JSON.stringify(key)}]`).join('')

const arbitraryJson: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, false, true, 0, -1, 1.5, '', 'a', '0'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '0', '', 'null', 'é'), tie('json'), { maxKeys: 3 }),
  ),
})).json

/** Where a document is, and what a program calls it. */
const ROOTS: Readonly<Record<string, string>> = {
  input: 'input.document',
  'base data': 'data.stored.document',
  'base data beside rules': 'data.test.document',
  'an import': 'stored.document',
  'a replaced input': 'input.replaced',
  'a rule': 'rule',
}

test.each(Object.keys(ROOTS))('reads every value of %s, in every way', (where) => {
  const root = ROOTS[where]!
  fc.assert(
    fc.property(arbitraryJson, (document) => {
      const found = [...valuesIn(document)].flatMap(({ path, value }) =>
        Object.values(READS)
          // `object.get` takes an object, and a key of it.
          .filter((read) => read !== READS['object.get'] || isReadByGet(document, path))
          .map((read) => ({ body: read(root, path), value })),
      )
      const rules = found.map(({ body }, i) => `p${i} := [value] if { ${body} }`)
      const given = JSON.stringify(document)
      const source = `package test\n\nimport data.stored\n\nrule := ${given}\n\n${rules.join('\n\n')}`
      const query =
        where === 'a replaced input'
          ? 'data.test with input as {"replaced": data.stored.document}'
          : 'data.test'
      const [row] = createEngine({
        modules: [{ name: 'test.rego', source }],
        dataJson: `{"stored":{"document":${given}},"test":{"document":${given}}}`,
      })
        .prepare(query)
        .evaluate({ inputJson: `{"document":${given}}` })
      const answers = JSON.parse(stringify(row!.expressions[0]!.value)) as Record<string, Json>
      for (const [i, { body, value }] of found.entries())
        expect({ body, found: answers[`p${i}`] }).toEqual({ body, found: [value] })
    }),
    { numRuns: 40 },
  )
})

/** `object.get` reads a path of keys in objects and arrays. */
const isReadByGet = (document: Json, path: Path): boolean =>
  path.length > 0 && typeof document === 'object' && document !== null && !Array.isArray(document)
