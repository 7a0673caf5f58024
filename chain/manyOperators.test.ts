import { attest } from 'polgate-service/attestation/testing/attest.ts'
import { validate } from 'polgate-service/attestation/testing/calls.ts'
import { startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChainClient } from './client.ts'
import { readOperatorSet } from './operatorSet.ts'
import { readClientContext, readTask } from './reads.ts'

const count = 60
let world: World
beforeAll(async () => {
  world = await startWorld({}, { stakes: Array.from({ length: count }, () => 10n) })
}, 120_000)
afterAll(() => world.stop())

describe('more operators than one eth_call with code can return', () => {
  it('are read at the block of their client', async () => {
    const { protocol, policyClient } = world
    const { operatorRegistry } = protocol
    const client = createChainClient({ rpcUrl: world.anvil.url })
    const context = await readClientContext({ client, policyClient })
    const { blockNumber } = context
    const quorumNumbers = [0, 1]
    const operatorSet = await readOperatorSet({
      client,
      operatorRegistry,
      quorumNumbers,
      blockNumber,
    })
    expect(operatorSet.operators).toHaveLength(count)
    for (let times = 0; times < 2; times++) {
      const read = await readTask({ client, policyClient, operatorRegistry, quorumNumbers })
      expect(read).toEqual({ client: context, operatorSet })
    }
  })

  it('still report errors of a client or a quorum', async () => {
    const { operatorRegistry } = world.protocol
    const client = createChainClient({ rpcUrl: world.anvil.url })
    const read = (policyClient: typeof world.policyClient, quorum: number) =>
      readTask({ client, policyClient, operatorRegistry, quorumNumbers: [quorum] })
    for (let times = 0; times < 2; times++) {
      await expect(read(world.policyClient, 9)).rejects.toMatchObject({
        code: 'reverted',
        revert: { errorName: 'UnknownQuorum' },
      })
      await expect(read(operatorRegistry, 0)).rejects.toMatchObject({ code: 'no-contract' })
      await read(world.policyClient, 0)
    }
  })

  it('attest with a third of them unavailable', async () => {
    const attestation = await attest(world, { signers: world.operators.slice(0, 41) })
    expect(await validate(world, attestation)).toBe(true)
  })
})
