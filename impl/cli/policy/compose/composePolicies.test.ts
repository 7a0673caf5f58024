import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { createEngine } from 'polgate-rego/engine.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loadPolicyPackage } from '../../package/loadPolicyPackage.ts'
import { usedCapabilities } from '../../rego/usedCapabilities.ts'
import { initPolicy } from '../initPolicy.ts'
import { packageFailures, testPackage } from '../test/packageTest.ts'
import { composePolicies } from './composePolicies.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-compose-'))
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(home, { recursive: true, force: true })
})

async function packageOf(template: string): Promise<string> {
  const folder = join(home, template)
  await initPolicy(folder, { template: template as never })
  return folder
}

const compose = (...folders: string[]) =>
  composePolicies(folders, { output: join(home, 'composed') })

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'utf8')))
}

it('writes a package whose tests, those of all, pass', async () => {
  const folders = [
    await packageOf('price-feed'),
    await packageOf('kyc'),
    await packageOf('spending-limit'),
  ]
  await compose(...folders)
  const report = await testPackage(join(home, 'composed'), { threshold: 0, note: () => undefined })
  expect(packageFailures(report)).toEqual([])
  expect(report.rego.length).toBeGreaterThan(20)
  expect(report.cases.length).toBeGreaterThan(20)
  expect(report.cases.filter(({ problem }) => problem !== undefined)).toEqual([])
  const { params } = await loadPolicyPackage(join(home, 'composed'))
  expect(Object.keys(JSON.parse(params!.text))).toEqual(['price_feed', 'kyc', 'spending_limit'])
})

async function decisionOf(folder: string) {
  const { policy, entrypoint } = await loadPolicyPackage(folder)
  const builtins = (await usedCapabilities([policy.text])).service
  const engine = createEngine({
    ...{ modules: [{ name: 'policy.rego', source: policy.text }], builtins, strict: false },
  })
  return (input: unknown, data: object) =>
    engine
      .begin({ inputJson: JSON.stringify(input), dataJson: JSON.stringify(data), nowNs: () => 0n })
      .rule(entrypoint)
}

it('allows exactly what all of the policies allow', async () => {
  const folders = [await packageOf('price-feed'), await packageOf('counterparty')]
  await compose(...folders)
  const [prices, parties, both] = await Promise.all(
    [...folders, join(home, 'composed')].map(decisionOf),
  )
  const paramsOf = async (folder: string) =>
    JSON.parse((await loadPolicyPackage(folder)).params!.text) as Record<string, unknown>
  const params = {
    price_feed: await paramsOf(folders[0]!),
    counterparty: await paramsOf(folders[1]!),
  }
  const good = {
    input: { from: `0x${'01'.repeat(20)}`, to: `0x${'02'.repeat(20)}`, value: 5, data: '0x' },
    wasm: {
      price_feed: { symbol: params.price_feed.symbol, price: 1, updated_at: 0 },
      counterparty: { address: `0x${'02'.repeat(20)}`, score: 1, category: 'exchange' },
    },
  }
  const odd = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constant(undefined))
  const seen = new Set<string>()
  const members = fc.record({
    value: fc.oneof(fc.constant(5), fc.nat(), odd),
    data: fc.oneof(fc.constant('0x'), odd),
    prices: fc.oneof(fc.constant(good.wasm.price_feed), odd),
    parties: fc.oneof(fc.constant(good.wasm.counterparty), odd),
  })
  fc.assert(
    fc.property(members, ({ value, data, prices: price_feed, parties: counterparty }) => {
      const input = { ...good.input, value, data }
      const wasm = { price_feed, counterparty }
      const parts = [
        prices!(input, { params: params.price_feed, wasm }),
        parties!(input, { params: params.counterparty, wasm }),
      ]
      seen.add(String(parts))
      expect(both!(input, { params, wasm })).toBe(parts.every((each) => each === true))
    }),
    { numRuns: 500 },
  )
  expect([...seen].sort()).toEqual(['false,false', 'false,true', 'true,false', 'true,true'])
})

it('refuses what cannot be one package, before it writes anything', async () => {
  const feed = await packageOf('price-feed')
  const kyc = await packageOf('kyc')
  const copy = join(home, 'copy')
  await cp(feed, copy, { recursive: true })
  await expect(compose(feed, copy)).rejects.toThrow('have the same name: price-feed')
  await edit(join(copy, 'policy.yaml'), (text) => text.replace('name: price-feed', 'name: other'))
  await expect(compose(feed, copy)).rejects.toThrow('both have an oracle price_feed')
  await expect(compose(kyc, await packageOf('counterparty'))).rejects.toThrow(
    'the oracles kyc and counterparty have different values of the argument address',
  )
  const owned = await packageOf('spending-limit')
  await writeFile(join(owned, 'Own.json'), '{"abi":[],"bytecode":"0x00"}')
  await edit(join(owned, 'policy.yaml'), (text) =>
    text.replace('contract: sample', 'contract: Own.json'),
  )
  await expect(compose(feed, owned)).rejects.toThrow('has a client contract of its own')
  await expect(readFile(join(home, 'composed', 'policy.yaml'))).rejects.toThrow('ENOENT')
})

it('moves references within the schemas of parameters', async () => {
  const feed = await packageOf('price-feed')
  const schema = {
    $defs: { n: { type: 'number' } },
    properties: { max_usd: { $ref: '#/$defs/n' } },
  }
  await writeFile(join(feed, 'params.schema.json'), JSON.stringify(schema))
  await compose(feed, await packageOf('signed-intent'))
  const { paramsSchema } = await loadPolicyPackage(join(home, 'composed'))
  expect(JSON.parse(paramsSchema!.text).properties.price_feed.properties.max_usd).toEqual({
    $ref: '#/properties/price_feed/$defs/n',
  })
})
