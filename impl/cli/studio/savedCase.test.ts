import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { caseYaml } from 'polgate-studio/playground/caseYaml.ts'
import type { PlaygroundAnswer } from 'polgate-studio/playground/evaluation.ts'
import { expect, test } from 'vitest'
import { loadCases } from '../policy/test/loadCases.ts'

const request = {
  ...{ source: '', entrypoint: '', paramsSchema: null, regoNamespace: 'service' },
  input: `{"value": 1, "data": "0x", "intent_signature": "0x${'12'.repeat(65)}"}`,
  ...{ params: '{"most": 1}', data: ['{"price": 1}'], now: 1_800_000_000_123 },
}
const decided = (outcome: 'allow' | 'deny', reasons: readonly string[]) =>
  ({ outcome, value: '', reasons }) as const

test.each([
  [decided('allow', []), 'allow'],
  [decided('deny', []), 'deny'],
  [decided('deny', ['a: "b"']), { deny: ['a: "b"'] }],
  [undefined, { fails: 'no: "b"' }],
])('a case that the playground saves is read by `policy test`: %j', async (decision, expected) => {
  const directory = await mkdtemp(join(tmpdir(), 'saved-case-'))
  try {
    const answer: PlaygroundAnswer = {
      ...{ decision, profile: [], trace: [], milliseconds: 0 },
      diagnostics: [{ editor: 'source', message: 'no: "b"' }],
    }
    const path = join(directory, 'cases.yaml')
    await writeFile(path, caseYaml('a: #1', request, answer))
    expect(await loadCases(path, { oracles: [] })).toMatchObject([{ expect: expected }])
  } finally {
    await rm(directory, { recursive: true })
  }
})
