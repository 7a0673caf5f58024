import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { packageFailures, testPackage } from './packageTest.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-exact-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const limit = 12_345_678_901_234_567_890_123n
const hex = (value: bigint) => `0x${value.toString(16)}`

it('decides with all digits of parameters, of the package and of a case', async () => {
  const address = `0x${'0a'.repeat(20)}`
  const files = {
    'policy.yaml':
      'name: exact\npolicy: policy.rego\nparams: params.json\nintent: intent.json\ncases: cases.yaml\n',
    'policy.rego':
      'package policy\n\ndefault allow := false\n\nallow if input.value <= data.params.max\n',
    'params.json': `{"max": ${limit}}`,
    'intent.json': JSON.stringify({
      ...{ from: address, to: address, value: hex(limit), data: '0x' },
      ...{ chain_id: '0x7a69', function_signature: '0x' },
    }),
    'cases.yaml': `cases:
  - { name: at the limit, expect: allow }
  - { name: above the limit, intent: { value: "${hex(limit + 1n)}" }, expect: deny }
  - { name: a lower limit, params: { max: ${limit - 1n} }, expect: deny }
  - { name: a higher limit, params: { max: ${limit + 1n} }, intent: { value: "${hex(limit + 1n)}" }, expect: allow }
`,
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text)
  const report = await testPackage(home, { threshold: 0, note: () => undefined })
  expect(packageFailures(report)).toEqual([])
  expect(report.cases).toHaveLength(4)
})
