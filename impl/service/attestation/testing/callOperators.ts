import { type Address, createClient, type Hex, http, type Log, RpcRequestError } from 'viem'
import type { ChangedWord } from './changedWords.ts'
import type { World } from './world.ts'

type Call = { readonly from: Address; readonly to: Address; readonly data: Hex }

const gas = '0x989680'

const askingOf = ({ anvil }: World) =>
  createClient({
    transport: http(anvil.url, { batch: { batchSize: 50 }, timeout: 300_000, retryCount: 0 }),
  })

/** The calls that do not revert, with their return values; simulated, without transactions. */
export async function accepted(
  world: World,
  calls: readonly ChangedWord[],
  place: { readonly from: Address; readonly to: Address },
): Promise<readonly (ChangedWord & { readonly returned: Hex })[]> {
  const client = askingOf(world)
  const answers = await Promise.all(
    calls.map(async (call) => {
      try {
        const params = [{ ...place, data: call.data, gas }, 'latest'] as never
        const returned = (await client.request({ method: 'eth_call', params })) as Hex
        return [{ ...call, returned }]
      } catch (error) {
        // Rejected by the node; other failures are thrown.
        if (error instanceof RpcRequestError) return []
        throw error
      }
    }),
  )
  return answers.flat()
}

/** The events that a call would emit. @throws if it reverts */
export async function eventsOf(
  world: World,
  call: Call,
): Promise<readonly Pick<Log, 'address' | 'topics' | 'data'>[]> {
  const params = [{ blockStateCalls: [{ calls: [{ ...call, gas }] }] }, 'latest'] as never
  const [block] = (await askingOf(world).request({
    method: 'eth_simulateV1',
    params,
  } as never)) as [{ readonly calls: readonly { readonly status: Hex; readonly logs: Log[] }[] }]
  const [result] = block.calls
  if (result?.status !== '0x1') throw new Error('the call reverts')
  return result.logs.map(({ address, topics, data }) => ({ address, topics, data }))
}
