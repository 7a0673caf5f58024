import { startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import { concatHex, type Hex, size, toFunctionSelector, toHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { policyDataAbi } from './artifacts/abis.ts'
import { deployPolicyData } from './deploy.ts'
import { readPolicyData } from './reads.ts'
import { deployEarlierPolicyData } from './testing/earlierContracts.ts'

/** Which form of the digest a source says that it verifies (decision C8). */
let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

/** A source that answers `digestVersion()` itself and leaves every other call to a PolicyData. */
async function answering(answer: Hex): Promise<Hex> {
  const { transactor } = world
  const source = await deployEarlierPolicyData(transactor, { wasmCid: 'bafywasm' })
  const [item] = policyDataAbi.filter((entry) => 'name' in entry && entry.name === 'digestVersion')
  const selector = toFunctionSelector(item as never)
  const other = concatHex(['0x5b365f5f375f5f365f73', source, '0x5afa3d5f5f3e3d5ff3'])
  // Not that selector: jump to `other`; else the answer is run.
  const head = concatHex(['0x5f3560e01c63', selector, '0x1415'])
  const place = size(head) + 4 + size(answer)
  const runtime = concatHex([head, '0x61', toHex(place, { size: 2 }), '0x57', answer, other])
  const length = toHex(size(runtime), { size: 2 })
  const init = concatHex(['0x61', length, '0x80600a5f395ff3', runtime])
  return (await transactor.create(init)).address
}

const word = (value: bigint) => concatHex(['0x7f', toHex(value, { size: 32 }), '0x5f5260205ff3'])

it.each<[string, Hex, number]>([
  ['2', word(2n), 2],
  ['3', word(3n), 3],
  ['nothing', '0x5f5ff3', 1],
  ['0', word(0n), 1],
  ['more than a number of 32 bits', word(2n ** 32n + 2n), 1],
  ['64 bytes', '0x60405ff3', 1],
  ['a revert', '0x5f5ffd', 1],
  ['by burning its gas', '0xfe', 1],
])('is read as a number where it answers %s', async (_, answer, digestVersion) => {
  const policyData = await answering(answer)
  const { client } = world.transactor
  expect(await readPolicyData({ client, policyData })).toMatchObject({
    ...{ wasmCid: 'bafywasm', digestVersion },
  })
})

it('is 2 for what is deployed now, whatever its text says, and 1 for what was before', async () => {
  const { transactor } = world
  const { client } = transactor
  for (const version of ['1.0.0', '1.1.0', '1.9.0']) {
    const policyData = await deployPolicyData(transactor, { wasmCid: 'bafywasm', version })
    const read = await readPolicyData({ client, policyData })
    expect(read).toMatchObject({ version, digestVersion: 2 })
  }
  const policyData = await deployEarlierPolicyData(transactor, { wasmCid: 'bafywasm' })
  expect(await readPolicyData({ client, policyData })).toMatchObject({ digestVersion: 1 })
})
