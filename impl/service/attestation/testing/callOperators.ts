import { type Address, createClient, type Hex, http, type Log } from 'viem'
import type { ChangedWord } from './changedWords.ts'
import type { World } from './world.ts'

type Call = { readonly from: Address; readonly to: Address; readonly data: Hex }

const gas = '0x989680'

/** Calls per request to the node. */
const batchSize = 50

/**
 * The calls that do not revert, with their return values; simulated, without transactions. Thousands
 * of calls revert: a client library would create an error with a stack for each.
 */
export async function accepted(
  world: World,
  calls: readonly ChangedWord[],
  place: { readonly from: Address; readonly to: Address },
): Promise<readonly (ChangedWord & { readonly returned: Hex })[]> {
  const results: (ChangedWord & { readonly returned: Hex })[] = []
  for (let at = 0; at < calls.length; at += batchSize) {
    const batch = calls.slice(at, at + batchSize)
    const body = batch.map(({ data }, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_call',
      params: [{ ...place, data, gas }, 'latest'],
    }))
    const response = await fetch(world.anvil.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answers = (await response.json()) as { id: number; result?: Hex; error?: object }[]
    if (answers.length !== batch.length) throw new Error('the node did not answer every call')
    for (const { id, result, error } of answers) {
      const call = batch[id]
      if (call === undefined || (result === undefined) === (error === undefined))
        throw new Error('the node returned an invalid answer')
      if (result !== undefined) results.push({ ...call, returned: result })
    }
  }
  return results
}

/** The events that a call would emit. @throws if it reverts */
export async function eventsOf(
  world: World,
  call: Call,
): Promise<readonly Pick<Log, 'address' | 'topics' | 'data'>[]> {
  const params = [{ blockStateCalls: [{ calls: [{ ...call, gas }] }] }, 'latest'] as never
  const [block] = (await createClient({ transport: http(world.anvil.url) }).request({
    method: 'eth_simulateV1',
    params,
  } as never)) as [{ readonly calls: readonly { readonly status: Hex; readonly logs: Log[] }[] }]
  const [result] = block.calls
  if (result?.status !== '0x1') throw new Error('the call reverts')
  return result.logs.map(({ address, topics, data }) => ({ address, topics, data }))
}
