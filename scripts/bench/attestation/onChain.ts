import { readOperatorSet } from 'polgate-chain/operatorSet.ts'
import { registerOperator } from 'polgate-chain/operators.ts'
import { challengeTask, postResponse, postTask } from 'polgate-chain/tasks.ts'
import { validateCalldata } from 'polgate-service/attestation/calldata.ts'
import { attest } from 'polgate-service/attestation/testing/attest.ts'
import { execute } from 'polgate-service/attestation/testing/calls.ts'
import {
  deny,
  keyOf,
  startWorld,
  testKey,
  type World,
} from 'polgate-service/attestation/testing/world.ts'
import { size } from 'viem'

export type ChainRow = Readonly<Record<string, number>>

/** Bytes and gas of attestations of this many operators, on a separate chain. */
export async function measureOnChain(count: number): Promise<ChainRow> {
  const world = await startWorld(
    { expireAfter: 10_000 },
    { stakes: Array.from({ length: count }, () => 10n) },
  )
  try {
    const { transactor, protocol } = world
    const { gas, ms } = await registration(world)
    const blockNumber = Number(await transactor.client.getBlockNumber())
    const read = () =>
      readOperatorSet({
        client: transactor.client,
        operatorRegistry: protocol.operatorRegistry,
        quorumNumbers: [0],
        blockNumber,
      })
    await read()
    const reading = performance.now()
    await read()
    const row: Record<string, number> = {
      'register one operator, ms': ms,
      'register one operator, gas': gas,
      'read the operator set, ms': performance.now() - reading,
    }
    for (const [missing, name] of [
      [0, 'all signed'],
      [1, '1 missing'],
      // As many as a threshold of 67 % allows to be missing.
      [Math.floor(count * 0.33), 'n/3 missing'],
    ] as const) {
      Object.assign(row, await spend(world, count - missing, name))
    }
    return row
  } finally {
    await world.stop()
  }
}

/** Adds an operator to a quorum that no attestation names. */
async function registration({ transactor, protocol }: World) {
  const { chainId } = transactor
  const { operatorRegistry } = protocol
  const account = '0x00000000000000000000000000000000000fffff'
  const begin = performance.now()
  await registerOperator(transactor, operatorRegistry, {
    ...keyOf(testKey('one more'), { chainId, operatorRegistry, account }),
    account,
    stakes: { 2: 10n },
  })
  const ms = performance.now() - begin
  return { ms, gas: Number((await transactor.client.getBlock()).gasUsed) }
}

async function spend(world: World, signing: number, name: string): Promise<ChainRow> {
  const { transactor, protocol } = world
  const signers = world.operators.slice(0, signing)
  const attestation = await attest(world, { signers })
  const { task } = attestation
  await postTask(transactor, protocol.taskManager, task)
  const responded = await postResponse(transactor, protocol.taskManager, attestation)
  const second = await attest(world, {
    signers,
    nonce: task.nonce,
    referenceBlock: task.taskCreatedBlock,
    evaluationResult: deny,
  })
  const executed = await execute(world, attestation)
  const challenged = await challengeTask(transactor, protocol.taskManager, {
    task,
    evidence: second.response,
    signatureData: second.signatureData,
  })
  return {
    [`${name}: signature_data, bytes`]: size(attestation.signatureData),
    [`${name}: validate_calldata, bytes`]: size(validateCalldata(attestation)),
    [`${name}: execute with the attestation, gas`]: Number(executed.gasUsed),
    [`${name}: respondToTask, gas`]: Number(responded.gasUsed),
    [`${name}: challengeTask, gas`]: Number(challenged.gasUsed),
  }
}
