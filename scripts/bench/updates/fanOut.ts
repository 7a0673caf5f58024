import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { Subscriber } from './subscriber.ts'

export type FanOut = {
  readonly tasks: number
  readonly subscriptions: number
  /** How many of them got the final event, and how many of these told of a success. */
  readonly finals: number
  readonly successes: number
  readonly messages: number
  readonly mebibytes: number
  /** From the first task sent to the last final event, milliseconds. */
  readonly ms: number
}

let value = 1_000_000n

/** Sends one task that differs from all others by its intent; its topic. */
async function sendTask({
  gatewayUrl,
  apiKeys,
  brand,
  accounts,
  clients,
  chain,
}: StackDescription) {
  value += 1n
  const intent = {
    from: accounts.sender.address,
    to: accounts.recipient.address,
    value: `0x${value.toString(16)}`,
    data: '0x',
    chain_id: `0x${chain.chainId.toString(16)}`,
    function_signature: '0x',
  }
  const params = { policy_client: clients['allow-list']!.policyClient, intent }
  const method = `${brand.methodPrefix}sendTask`
  const response = await fetch(`${gatewayUrl}/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKeys.rpc}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: '1', method, params }),
  })
  const answer = (await response.json()) as { result?: { subscription_topic: string } }
  if (answer.result === undefined) throw new Error(`not sent: ${JSON.stringify(answer)}`)
  return answer.result.subscription_topic
}

/**
 * Sends tasks at once, and has every subscriber follow one of them, or all. Rejects when a
 * subscription ends without its final event.
 */
export async function fanOut(
  stack: StackDescription,
  subscribers: readonly Subscriber[],
  { tasks, all }: { readonly tasks: number; readonly all: boolean },
): Promise<FanOut> {
  const sum = (of: (subscriber: Subscriber) => number) =>
    subscribers.reduce((total, subscriber) => total + of(subscriber), 0)
  const [messages, bytes] = [sum((each) => each.messages()), sum((each) => each.bytes())]
  const begin = performance.now()
  // Followed as soon as each topic is known, most of them while the task is under way.
  const ends = await Promise.all(
    Array.from({ length: tasks }, async (_, at) => {
      const topic = await sendTask(stack)
      const followers = subscribers.filter((_, number) => all || number % tasks === at)
      return Promise.all(followers.map((subscriber) => subscriber.follow(topic)))
    }),
  )
  const events = ends.flat()
  return {
    tasks,
    subscriptions: all ? tasks * subscribers.length : subscribers.length,
    finals: events.length,
    successes: events.filter((event) => event === 'success').length,
    messages: sum((each) => each.messages()) - messages,
    mebibytes: (sum((each) => each.bytes()) - bytes) / 2 ** 20,
    ms: performance.now() - begin,
  }
}
