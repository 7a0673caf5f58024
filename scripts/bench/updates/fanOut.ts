import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { Subscriber } from './subscriber.ts'

export type FanOut = {
  readonly tasks: number
  readonly subscriptions: number
  /** Number of subscribers that received the final event, and of those with a success. */
  readonly finals: number
  readonly successes: number
  readonly messages: number
  readonly mebibytes: number
  /** From the first task sent to the last final event, milliseconds. */
  readonly ms: number
}

let value = 1_000_000n

/** Sends a task with a unique intent; returns its topic. */
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
 * Sends tasks concurrently, and has every subscriber follow one of them, or all. Rejects if a
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
  // Subscribes as soon as each topic is known, usually while the task is in progress.
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
