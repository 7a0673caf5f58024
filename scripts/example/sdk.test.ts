import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import { wireBrand } from 'polgate-protocol/brand.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const script = fileURLToPath(new URL('./sdk.mjs', import.meta.url))

let directory: string
let stack: LocalStack
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-sdk-example-'))
  stack = await startTestStack({ brand: wireBrand('acme') })
})
afterAll(async () => {
  await stack.close()
  await rm(directory, { recursive: true })
})

describe('the example of the SDK', () => {
  it('spends an attestation, on a gateway of any brand', async () => {
    const file = join(directory, 'stack.json')
    await writeFile(file, JSON.stringify(stack.description))
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script], {
      env: { ...process.env, SVC_STACK_FILE: file },
    })
    expect(stdout).toMatch(/^secrets +stored; .*PRICE_API_KEY/m)
    expect(stdout).toMatch(/^update +100 %, success$/m)
    expect(stdout).toMatch(/^task +0x[0-9a-f]{64} allowed: true$/m)
    expect(stdout).toMatch(/^spent +in block \d+, executed: true$/m)
    expect(stdout).toMatch(/^second spend +ATTESTATION_SPENT$/m)
    expect(stdout).toMatch(/^explorer +created in block \d+$/m)
    expect(stdout).not.toContain('fixture-price-feed-key')
  })

  it('imports the SDK and viem alone', async () => {
    const source = await readFile(script, 'utf8')
    const imported = [...source.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name]) => name)
    expect(imported.sort()).toEqual([
      'node:fs',
      'polgate-client',
      'viem',
      'viem/accounts',
      'viem/actions',
    ])
  })
})
