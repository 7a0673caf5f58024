import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { lint } from './lint.fixture.ts'
import { LINT_RULES } from './rules.ts'
import { sarif } from './sarif.ts'

// The published schema is of draft 4, whose only difference here is the name of its id.
const {
  id: _,
  $schema: __,
  ...schema
} = JSON.parse(
  readFileSync(
    createRequire(import.meta.url)
      .resolve('@microsoft/jest-sarif/package.json')
      .replace('package.json', 'lib/schemas/sarif-2.1.0-rtm.5.json'),
    'utf8',
  ),
)
// One of its patterns is valid without the flag u alone.
const ajv = new Ajv({
  allErrors: true,
  strict: false,
  unicodeRegExp: false,
  validateFormats: false,
})
const validate = ajv.compile(schema)

test('the log is valid SARIF, with the rule and the region of every finding', () => {
  const texts = [
    ...LINT_RULES.flatMap(({ bad }) => bad.slice(0, 1)).map((text, i) =>
      text.replace('package policy', `package policy${i}`),
    ),
    'package other\n\n# lint:ignore none',
  ]
  const findings = lint(texts, { params: [['unread']] })
  const log = sarif(findings, { version: '1.2.3', uri: (file) => `policies/${file}` })
  validate(log)
  expect(validate.errors).toBeNull()
  const [run] = log.runs
  expect(run?.results.length).toBe(findings.length)
  expect(findings.length).toBeGreaterThan(5)
  for (const { ruleId, ruleIndex } of run?.results ?? []) {
    expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
  }
  expect(run?.results[0]?.locations[0]?.physicalLocation).toEqual({
    artifactLocation: { uri: 'policies/0.rego' },
    region: { startLine: 7, startColumn: 1, endLine: 7, endColumn: 91 },
  })
  expect(validate({ ...log, runs: [{ ...run, results: [{ ruleId: 'x' }] }] })).toBe(false)
})
