import { createHash } from 'node:crypto'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import type { ChainEvent, IndexedBlock } from 'polgate-service/store/explorer/chainEvent.ts'

/** A synthetic chain with a deterministic history. */
export const chainId = 8453
const firstBlock = 1
const tasksInBlock = 20
const blocksInBatch = 100
/** Unix seconds; one block every two seconds. */
const begin = 1_760_000_000
export const timeOfBlock = (block: number): number => begin + 2 * block

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
const bytes32 = (text: string): Bytes32 => `0x${digest(text)}`
const address = (text: string): Address => `0x${digest(text).slice(0, 40)}`
const hexOf = (text: string): `0x${string}` => `0x${Buffer.from(text).toString('hex')}`

export const taskId = (index: number): Bytes32 => bytes32(`task ${index}`)
export const policyAddress = (rank: number): Address => address(`policy ${rank}`)
export const policyId = (rank: number): Bytes32 => bytes32(`policy id ${rank}`)

/** Deterministic random numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Few policies have most tasks: rank r has weight 1 / (r + 1). */
function zipf(count: number): (random: () => number) => number {
  const upTo = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank++) {
    sum += 1 / (rank + 1)
    upTo[rank] = sum
  }
  return (random) => {
    const wanted = random() * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((upTo[middle] as number) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Typical output of a price, sanctions or balance oracle: 0.3 to 2 KB of JSON. */
function oracleOutput(random: () => number): string {
  const quotes = Array.from({ length: 2 + Math.floor(random() * 14) }, (_, i) => ({
    source: `exchange-${i}.example`,
    pair: 'ETH/USD',
    price: (2000 + random() * 1000).toFixed(6),
    volume: Math.floor(random() * 1e9),
    at: new Date((begin + Math.floor(random() * 1e7)) * 1000).toISOString(),
  }))
  return JSON.stringify({
    oracle: { quotes, median: (2000 + random() * 1000).toFixed(6), ok: true },
  })
}

export type HistoryOptions = { readonly tasks: number; readonly policies: number }

export type Batch = {
  readonly from: number
  readonly to: number
  readonly blocks: readonly IndexedBlock[]
  readonly events: readonly ChainEvent[]
}

/**
 * Batches of events as read by an indexer that catches up: first the policies, then tasks, 20 per
 * block. Nine of ten tasks are responded to within two blocks, two of three of those are spent
 * within ten, one of two hundred is challenged.
 */
export function* history({ tasks, policies }: HistoryOptions): Generator<Batch> {
  const random = randomFrom(7)
  const pick = zipf(policies)
  const outputs = Array.from({ length: 512 }, () => hexOf(oracleOutput(random)))
  const attestation = `0x${digest('a')}${digest('b')}1b`
  const later = new Map<number, Omit<ChainEvent, 'blockNumber' | 'logIndex'>[]>()
  const put = (block: number, event: Omit<ChainEvent, 'blockNumber' | 'logIndex'>) => {
    const events = later.get(block)
    if (events === undefined) later.set(block, [event])
    else events.push(event)
  }
  const within = (blocks: number) => 1 + Math.floor(random() * blocks)
  for (let rank = 0; rank < policies; rank++)
    put(firstBlock + Math.floor(rank / 10), {
      kind: 'policyDeployed',
      transactionHash: bytes32(`deployed ${rank}`),
      policy: policyAddress(rank),
      info: {
        owner: address(`owner ${rank % 500}`),
        metadata_cid: `bafkrei${digest(`metadata ${rank}`).slice(0, 52)}`,
        policy_cid: `bafkrei${digest(`source ${rank}`).slice(0, 52)}`,
        schema_cid: `bafkrei${digest(`schema ${rank}`).slice(0, 52)}`,
        entrypoint: 'transfer.allow',
        policy_data: [address(`data ${rank % 40}`)],
        version: '1.0.0',
      },
    } as Omit<ChainEvent, 'blockNumber' | 'logIndex'>)
  const deployed = firstBlock + Math.ceil(policies / 10)
  const addTask = (index: number, block: number) => {
    const rank = pick(random)
    const id = taskId(index)
    const client = address(`client ${rank}`)
    const intent = {
      from: address(`sender ${Math.floor(random() * 50_000)}`),
      to: address(`token ${Math.floor(random() * 200)}`),
      value: '0x0',
      data: `0xa9059cbb${digest(`to ${index}`)}${digest(`amount ${index}`)}`,
      chainId,
      functionSignature: hexOf('transfer(address,uint256)'),
    }
    const hash = bytes32(`transaction ${index}`)
    put(block, {
      kind: 'created',
      transactionHash: hash,
      taskId: id,
      policyClient: client,
      sender: intent.from,
      createdBlock: Math.max(1, block - 1),
      intent,
    } as Omit<ChainEvent, 'blockNumber' | 'logIndex'>)
    if (random() > 0.9) return
    const responded = block + within(2) - 1
    put(responded, {
      kind: 'responded',
      transactionHash: bytes32(`response ${index}`),
      taskId: id,
      policyId: policyId(rank),
      policyAddress: policyAddress(rank),
      evaluationResult: `0x${(random() < 0.8 ? '1' : '0').padStart(64, '0')}`,
      policyConfig: {
        policyParams: hexOf(JSON.stringify({ limit: '1000000000000000000', owner: client, rank })),
        expireAfter: 100,
      },
      policyTaskData: {
        policyId: policyId(rank),
        policyAddress: policyAddress(rank),
        policy: hexOf(`bafkrei${digest(`source ${rank}`).slice(0, 52)}`),
        policyData: [
          {
            wasmArgs: hexOf(JSON.stringify({ pair: 'ETH/USD', index })),
            data: outputs[Math.floor(random() * outputs.length)],
            attestation,
            policyDataAddress: address(`data ${rank % 40}`),
            expireBlock: responded + 100,
          },
        ],
      },
      certificate: {
        reference_block: block - 1,
        expiration_block: block + 99,
        responded_block: responded,
        hash_of_non_signers: bytes32('nobody'),
        response_digest: bytes32(`digest ${index}`),
      },
    } as Omit<ChainEvent, 'blockNumber' | 'logIndex'>)
    if (random() < 0.66)
      put(responded + within(10), {
        kind: 'spent',
        transactionHash: bytes32(`spent ${index}`),
        taskId: id,
        policyClient: client,
        allowed: true,
      } as Omit<ChainEvent, 'blockNumber' | 'logIndex'>)
    if (random() < 0.005)
      put(responded + within(90), {
        kind: 'challenged',
        transactionHash: bytes32(`challenge ${index}`),
        taskId: id,
        challenger: address('challenger'),
        successful: random() < 0.5,
      } as Omit<ChainEvent, 'blockNumber' | 'logIndex'>)
  }
  let [index, from] = [0, firstBlock]
  while (index < tasks || later.size > 0) {
    const to = from + blocksInBatch - 1
    const blocks: IndexedBlock[] = []
    const events: ChainEvent[] = []
    for (let block = from; block <= to; block++) {
      if (block >= deployed)
        for (let i = 0; i < tasksInBlock && index < tasks; i++) addTask(index++, block)
      const happened = later.get(block) ?? []
      later.delete(block)
      if (happened.length > 0 || block === to)
        blocks.push({
          number: block,
          hash: bytes32(`block ${block}`),
          timestamp: timeOfBlock(block),
        })
      for (const [logIndex, event] of happened.entries())
        events.push({ ...event, blockNumber: block, logIndex } as ChainEvent)
    }
    yield { from, to, blocks, events }
    from = to + 1
  }
}
