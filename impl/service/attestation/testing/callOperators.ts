import type { Address, Hex, Log } from 'viem'
import type { ChangedWord } from './changedWords.ts'
import type { World } from './world.ts'

type Place = { readonly from: Address; readonly to: Address }

const gas = '0x989680'

/** Calls per request to the node. */
const batchSize = 50

type Answer<Result> = { readonly id: number; readonly result?: Result; readonly error?: object }

/** The answers of the node to a method, one for each list of parameters, in their order. */
async function answersOf<Result>(
  world: World,
  method: string,
  params: readonly (readonly unknown[])[],
): Promise<Answer<Result>[]> {
  const answers: Answer<Result>[] = []
  for (let at = 0; at < params.length; at += batchSize) {
    const batch = params.slice(at, at + batchSize)
    const response = await fetch(world.anvil.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(
        batch.map((given, id) => ({ jsonrpc: '2.0', id, method, params: given })),
      ),
    })
    const found = new Map(
      ((await response.json()) as Answer<Result>[]).map((answer) => [answer.id, answer]),
    )
    for (const id of batch.keys()) {
      const answer = found.get(id)
      if (answer === undefined) throw new Error('the node did not answer every call')
      if ((answer.result === undefined) === (answer.error === undefined))
        throw new Error('the node returned an invalid answer')
      answers.push(answer)
    }
  }
  return answers
}

/**
 * The calls that do not revert, with their return values; simulated, without transactions. Thousands
 * of calls revert: a client library would create an error with a stack for each.
 */
export async function accepted(
  world: World,
  calls: readonly ChangedWord[],
  place: Place,
): Promise<readonly (ChangedWord & { readonly returned: Hex })[]> {
  const params = calls.map(({ data }) => [{ ...place, data, gas }, 'latest'])
  const answers = await answersOf<Hex>(world, 'eth_call', params)
  return calls.flatMap((call, at) => {
    const returned = answers[at]?.result
    return returned === undefined ? [] : [{ ...call, returned }]
  })
}

type Event = Pick<Log, 'address' | 'topics' | 'data'>

/** The calls that do not revert, with the events that they would emit. */
export async function effectsOf(
  world: World,
  calls: readonly ChangedWord[],
  place: Place,
): Promise<readonly (ChangedWord & { readonly events: readonly Event[] })[]> {
  type Block = { readonly calls: readonly { readonly status: Hex; readonly logs: Log[] }[] }
  const params = calls.map(({ data }) => [
    { blockStateCalls: [{ calls: [{ ...place, data, gas }] }] },
    'latest',
  ])
  const answers = await answersOf<[Block]>(world, 'eth_simulateV1', params)
  return calls.flatMap((call, at) => {
    const result = answers[at]?.result?.[0].calls[0]
    if (result === undefined) throw new Error(`the node did not simulate ${call.what}`)
    if (result.status !== '0x1') return []
    const events = result.logs.map(({ address, topics, data }) => ({ address, topics, data }))
    return [{ ...call, events }]
  })
}
