import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type LocalStack, startLocalStack } from 'polgate-local/localStack.ts'
import { wireBrand } from 'polgate-protocol/brand.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const script = fileURLToPath(new URL('./client.mjs', import.meta.url))

let directory: string
let stack: LocalStack
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-example-'))
  stack = await startLocalStack({ brand: wireBrand('acme') })
})
afterAll(async () => {
  await stack.close()
  await rm(directory, { recursive: true })
})

describe('a third-party client', () => {
  it('creates a key and spends an attestation, on a gateway of any brand', async () => {
    const file = join(directory, 'stack.json')
    await writeFile(file, JSON.stringify(stack.description))
    const { stdout } = await promisify(execFile)(process.execPath, [script], {
      env: { ...process.env, SVC_STACK_FILE: file },
    })
    expect(stdout).toMatch(/^secrets +stored; .*PRICE_API_KEY/m)
    expect(stdout).toMatch(/^oracle +\{"price_feed":\{"symbol":"ETH","price":[\d.]+/m)
    expect(stdout).toMatch(/^simulation +\{"allow":true/m)
    expect(stdout).toMatch(/^task +0x[0-9a-f]{64} success/m)
    expect(stdout).toMatch(/^spent +in block \d+ for \d+ gas\nsecond spend +refused$/m)
    expect(stdout).not.toContain('fixture-price-feed-key')
  })

  it('imports nothing from this repository', async () => {
    const source = await readFile(script, 'utf8')
    const imported = [...source.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name]) => name)
    expect(imported.sort()).toEqual(['hpke-js', 'node:fs', 'viem', 'viem/accounts'])
  })
})
