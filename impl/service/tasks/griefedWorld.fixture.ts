import { readAttestationState } from 'polgate-chain/reads.ts'
import type { OnChainAnswer } from 'polgate-chain/tasks.ts'
import type { Address } from 'viem'
import { attest } from '../attestation/testing/attest.ts'
import { startWorld, type World } from '../attestation/testing/world.ts'
import { type Behaviour, behaviours, deployHostile } from './hostilePolicyData.fixture.ts'

/** A chain with a PolicyData of every behaviour. */
export type GriefedWorld = {
  readonly world: World
  readonly policyData: ReadonlyMap<Behaviour, Address>
  /** A signed result whose only PolicyData behaves so; by default that of the project. */
  resultOf(behaviour?: Behaviour | Address): Promise<OnChainAnswer>
  /** As a result, with the same data of several PolicyData contracts. */
  resultOfAll(addresses: readonly Address[]): Promise<OnChainAnswer>
  /** What `postAnswers` needs. */
  chain(): {
    readonly onFound: () => void
    readonly client: World['transactor']['client']
    readonly taskManager: Address
  }
  /** How many transactions the gateway has sent. */
  sent(): Promise<number>
  isResponded(answer: OnChainAnswer): Promise<boolean>
}

export async function startGriefedWorld(): Promise<GriefedWorld> {
  const world = await startWorld({ expireAfter: 1_000 })
  const { client, account } = world.transactor
  const policyData = new Map<Behaviour, Address>()
  for (const behaviour of Object.keys(behaviours) as Behaviour[]) {
    policyData.set(behaviour, await deployHostile(world.transactor, behaviour))
  }
  const { taskManager } = world.protocol
  const resultOfAll = (addresses: readonly Address[]) =>
    attest(world, {
      signers: world.operators.slice(0, 3),
      changeResponse(response) {
        const { policyTaskData } = response
        const [entry] = policyTaskData.policyData
        // Of the hostile ones the data is valid for 1,000 blocks, of that of the project for 50.
        const expireBlock = entry!.expireBlock + 950
        const entries = addresses.map((policyDataAddress) => ({
          ...entry!,
          policyDataAddress,
          expireBlock,
        }))
        return { ...response, policyTaskData: { ...policyTaskData, policyData: entries } }
      },
    })
  return {
    world,
    policyData,
    resultOf: (behaviour) =>
      behaviour === undefined
        ? attest(world, { signers: world.operators.slice(0, 3) })
        : resultOfAll([policyData.get(behaviour as Behaviour) ?? (behaviour as Address)]),
    resultOfAll,
    chain: () => ({ onFound: () => {}, client, taskManager }),
    sent: () => client.getTransactionCount({ address: account.address }),
    async isResponded({ task }) {
      const { certificate } = await readAttestationState(client, taskManager, task.taskId)
      return certificate.respondedBlock > 0
    },
  }
}
