import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { profileBuiltins } from '../../builtins/capabilities.ts'
import { compileModules } from '../../compile/program.ts'
import { createEngine } from '../../engine.ts'
import { parseModule } from '../../syntax/parser.ts'
import { Source } from '../../syntax/source.ts'
import { found } from '../lint.fixture.ts'
import { contextOf } from '../lintModules.ts'
import { DIFFERING, INPUTS, policyWith, repaired } from './negated.fixture.ts'
import { agreedForm } from './undefinedNegation.ts'

const AGREEING = [
  'not input.x',
  'not input.x == 1',
  'not opt',
  'not open',
  'not f(1)',
  'not count(listed) == 1',
  'not "a" in listed',
  'not g(3) == 2',
  'not always > 3',
  'not startswith("abc", "x")',
  'some y in input.list; not startswith(y, "x")',
]

/** The indexes of the inputs for which p is true, in both dialects. */
function answers(text: string): { readonly service: number[]; readonly opa: number[] } {
  const of = (dialect: 'engine-0.9' | 'opa-1.2'): number[] => {
    const engine = createEngine({ modules: [{ name: 'p.rego', source: text }], dialect })
    return [...INPUTS.keys()].filter(
      (i) => engine.evaluateRule('policy.p', { inputJson: INPUTS[i] as string }) === true,
    )
  }
  return { service: of('engine-0.9'), opa: of('opa-1.2') }
}

describe.each(DIFFERING)('%s', (literal) => {
  const text = policyWith(literal)

  test('is found', () => {
    expect(found('undefined-negation', text)).toHaveLength(1)
  })

  test('has another answer in OPA 1.2; the form that is shown has that of the service in both', () => {
    const { service, opa } = answers(text)
    expect(opa).not.toEqual(service)
    expect(answers(repaired(text))).toEqual({ service, opa: service })
  })
})

test.each(AGREEING)('%s is not found, and both agree', (literal) => {
  const text = policyWith(literal)
  expect(found('undefined-negation', text)).toEqual([])
  const { service, opa } = answers(text)
  expect(opa).toEqual(service)
})

test('the new rule has a name of its own', () => {
  const text = 'package policy\n\nholds := 1\n\np if not startswith(input.image, "x")'
  const modules = [parseModule(new Source('p.rego', text))]
  const { policies } = contextOf(compileModules(modules, profileBuiltins('latest')))
  const rule = policies.find(({ rule: { body } }) => body.length > 0)
  const form = agreedForm(rule!, rule!.rule.body[0]!, new Set(['holds', 'p']))
  expect(form).toEqual({ rule: 'holds_2 if startswith(input.image, "x")', literal: 'not holds_2' })
})

const PEERS = [
  { name: 'opa', args: ['--format', 'raw'], side: 'opa' },
  { name: 'regorus', args: [], side: 'service' },
] as const

describe.each(PEERS)('$name', ({ name, args, side }) => {
  const isThere = spawnSync(name, ['--help']).error === undefined
  const why = isThere ? '' : ` (skipped: no ${name} on the path)`
  const query = `[i | some i, doc in [${INPUTS.join(', ')}]; data.policy.p with input as doc]`

  test.skipIf(!isThere)(`answers so, and agrees with the form that is shown${why}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'negated-'))
    const ask = (text: string): unknown => {
      const file = join(folder, 'p.rego')
      writeFileSync(file, text)
      const ran = spawnSync(name, ['eval', ...args, '-d', file, query], { encoding: 'utf8' })
      const answer = JSON.parse(ran.stdout || 'null')
      return Array.isArray(answer) ? answer : (answer?.result[0].expressions[0].value ?? ran.stderr)
    }
    try {
      for (const literal of DIFFERING) {
        const text = policyWith(literal)
        expect(ask(text), literal).toEqual(answers(text)[side])
        expect(ask(repaired(text)), repaired(text)).toEqual(answers(text).service)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
