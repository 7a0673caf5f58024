import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { expect, test } from 'vitest'
import type { AuthorStack } from './authorStack.ts'

const schema = new URL('../../../fixtures/oracles/price/secrets.schema.json', import.meta.url)
const rego = `package policy

default allow := false

allow if count(deny) == 0

deny contains "too expensive" if not data.wasm.price_feed.price <= data.params.max
`
const description = `name: my-package
policy: policy.rego
params: params.json
oracles: [{ id: price_feed, source: oracle.wasm, secretsSchema: secrets.schema.json }]
`

/** `polgate policy publish` and `polgate secrets`: from a folder to a spent attestation. */
export function publishSuite(author: () => AuthorStack): void {
  test('a package is published once, gets its secrets, decides, and is spent', async () => {
    const { run, directory, stack } = author()
    const folder = join(directory, 'my-package')
    await mkdir(folder)
    await writeFile(join(folder, 'policy.yaml'), description)
    await writeFile(join(folder, 'policy.rego'), rego)
    await writeFile(join(folder, 'params.json'), '{"max":3000}')
    await writeFile(join(folder, 'oracle.wasm'), await buildOracle('price'))
    await copyFile(schema, join(folder, 'secrets.schema.json'))

    const early = await run('secrets', 'list', folder)
    expect(early.stderr).toContain('is not published on chain 31337')
    const plan = JSON.parse((await run('policy', 'publish', folder, '--dry-run', '--json')).stdout)
    expect(plan.steps.map(({ name }: { name: string }) => name)).toEqual([
      'price_feed',
      'policy',
      'client',
    ])
    const publish = async () => {
      const { code, stdout, stderr } = await run('policy', 'publish', folder, '--json')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return JSON.parse(stdout)
    }
    const first = await publish()
    expect(first.transactions).toBe(3)
    const bound = plan.steps.reduce((sum: number, { gas }: { gas: number }) => sum + gas, 0)
    expect(bound).toBeGreaterThan(0)
    expect(await publish()).toMatchObject({ client: first.client, transactions: 0 })

    // A state file without the last step, as after an interruption: what was sent is found.
    const file = join(folder, '.published.json')
    const state = JSON.parse(await readFile(file, 'utf8'))
    const [at] = state.publications
    const { policy: _, ...rest } = at
    const pending = { step: 'policy', nonce: 0, block: 0 }
    await writeFile(file, JSON.stringify({ ...state, publications: [{ ...rest, pending }] }))
    expect(await publish()).toMatchObject({ policy: first.policy, transactions: 0 })

    const missing = await run('secrets', 'list', folder, '--missing')
    expect(missing.code).toBe(1)
    expect(missing.stdout).toContain('price_feed')
    const typed = await run('secrets', 'put', folder, 'PRICE_API_KEY=hush-hush')
    expect(typed).toMatchObject({ code: 2, stdout: '' })
    expect(typed.stderr).toContain('not accepted on the command line')
    expect(typed.stderr).not.toContain('hush-hush')
    const secrets = join(directory, 'secrets.json')
    await writeFile(secrets, JSON.stringify({ PRICE_API_KEY: 'hush' }))
    const short = await run('secrets', 'verify', folder, '--file', secrets)
    expect(short.code).toBe(1)
    expect(short.stderr).not.toContain('hush')
    const PRICE_FEED_URL = stack.description.fixtureHostUrl
    await writeFile(
      secrets,
      JSON.stringify({ PRICE_API_KEY: 'fixture-price-feed-key', PRICE_FEED_URL }),
    )
    expect(await run('secrets', 'put', folder, '--file', secrets)).toMatchObject({ code: 0 })
    expect(await run('secrets', 'list', folder, '--missing')).toMatchObject({ code: 0 })

    const create = () =>
      run(
        ...['task', 'create', '--client', first.client, '--to', 'recipient'],
        ...['--wasm-args', '{"symbol":"ETH"}', '--json'],
      )
    const allowed = await create()
    expect(allowed.code).toBe(0)
    expect(await run('task', 'spend', JSON.parse(allowed.stdout).taskId)).toMatchObject({ code: 0 })
    await writeFile(join(folder, 'params.json'), '{"max":1}')
    expect(await publish()).toMatchObject({ client: first.client, transactions: 1 })
    const denied = await create()
    expect(denied.code).toBe(1)
    expect(JSON.parse(denied.stdout).reasons).toEqual(['too expensive'])
  })
}
