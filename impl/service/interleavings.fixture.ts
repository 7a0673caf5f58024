import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { stringifyExact } from 'polgate-protocol/exactJson.ts'

/** Interleaves concurrent requests step by step, and compares what comes out with every sequential order. */

/** Runs what takes effect at once: a statement of the database, a read of the chain, a call of an operator. */
export type Steps = <T>(label: string, effect: () => Promise<T>) => Promise<T>

/** A request, or a change of the chain or of the keys. `keys`: the API keys that its sender holds. */
export type Operation<World> = {
  readonly name: string
  run(world: World, keys: Map<string, string>): Promise<unknown>
}

/** An operation, which counterexamples show by its name. */
export const operation = <World>(
  name: string,
  run: Operation<World>['run'],
): Operation<World> & { [fc.toStringMethod](): string } => ({
  name,
  run,
  [fc.toStringMethod]: () => name,
})

/** Each sender starts an operation when it has the answer to the one before. */
export type Scenario<World> = readonly (readonly Operation<World>[])[]

/** What the operations work on, and what is left in the end. `restart` empties it. */
export type Setting<World> = {
  restart(
    steps: Steps,
  ): Promise<{ readonly world: World; readonly keys: ReadonlyMap<string, string> }>
  outcome(world: World): Promise<unknown>
}

/** How many steps each sender takes in turn. When the list ends, the senders end one after the other. */
export type Schedule = readonly number[]

/**
 * Most faults need one sender to wait at one step while the others take many: long turns find them in tens
 * of schedules, a random choice of each step in thousands.
 */
export const schedule: fc.Arbitrary<Schedule> = fc.array(fc.oneof(fc.nat(2), fc.nat(24)), {
  maxLength: 8,
})

type Call = { readonly id: string; answer: unknown; started: number; ended: number }

const atOnce: Steps = (_, effect) => effect()

/** A refusal is a refusal: its reason may be that of any moment of the request. */
async function answerOf(work: Promise<unknown>): Promise<unknown> {
  try {
    const answer = await work
    return (answer as { success?: unknown } | undefined)?.success === false ? 'refused' : answer
  } catch (error) {
    if ((error as { code?: unknown }).code === undefined) throw error
    return 'refused'
  }
}

const shown = (calls: readonly Call[], left: unknown): string =>
  stringifyExact({
    answers: [...calls]
      .sort((a, b) => a.id.localeCompare(b.id))
      .map(({ id, answer }) => [id, answer]),
    left,
  })

const idOf = (sender: number, at: number) => `${sender}.${at}`

/** Every order of all operations in which each sender's are in theirs. */
function ordersOf(lengths: readonly number[], done = lengths.map(() => 0)): string[][] {
  const orders = lengths.flatMap((length, sender) => {
    const at = done[sender]!
    if (at === length) return []
    const rest = ordersOf(lengths, done.with(sender, at + 1))
    return rest.map((order) => [idOf(sender, at), ...order])
  })
  return orders.length === 0 ? [[]] : orders
}

async function runInOrder<World>(
  setting: Setting<World>,
  scenario: Scenario<World>,
  order: readonly string[],
): Promise<string> {
  const { world, keys } = await setting.restart(atOnce)
  const held = scenario.map(() => new Map(keys))
  const calls: Call[] = []
  for (const id of order) {
    const [sender, at] = id.split('.').map(Number) as [number, number]
    const answer = await answerOf(scenario[sender]![at]!.run(world, held[sender]!))
    calls.push({ id, answer, started: 0, ended: 0 })
  }
  return shown(calls, await setting.outcome(world))
}

/** Which sender an operation runs for. */
const senders = new AsyncLocalStorage<number>()

async function runInterleaved<World>(
  setting: Setting<World>,
  scenario: Scenario<World>,
  schedule: Schedule,
): Promise<{ readonly calls: readonly Call[]; readonly found: string }> {
  let underWay = 0
  let time = 0
  const waiting = scenario.map((): (() => void)[] => [])
  const steps: Steps = async (_, effect) => {
    await new Promise<void>((resolve) => waiting[senders.getStore() ?? 0]!.push(resolve))
    try {
      return await effect()
    } finally {
      underWay -= 1
    }
  }
  const { world, keys } = await setting.restart(steps)
  const calls: Call[] = []
  const ended = scenario.map(() => false)
  const runSender = async (operations: Scenario<World>[number], sender: number) => {
    const held = new Map(keys)
    for (const [at, operation] of operations.entries()) {
      await steps(`start of ${operation.name}`, async () => {})
      const call: Call = { id: idOf(sender, at), answer: undefined, started: time++, ended: 0 }
      call.answer = await answerOf(operation.run(world, held))
      call.ended = time++
      calls.push(call)
    }
  }
  const all = Promise.all(
    scenario.map((operations, sender) =>
      senders.run(sender, () =>
        runSender(operations, sender).finally(() => {
          ended[sender] = true
        }),
      ),
    ),
  )
  // Awaited below, after the loop.
  all.catch(() => {})
  const turns = schedule.values()
  let sender = 0
  let left = turns.next().value ?? Number.POSITIVE_INFINITY
  while (ended.includes(false)) {
    await turn()
    // The next step is chosen when its sender waits for it: the schedule alone decides.
    if (underWay > 0) continue
    if (left === 0 || ended[sender]) {
      sender = (sender + 1) % scenario.length
      left = turns.next().value ?? Number.POSITIVE_INFINITY
    } else if (waiting[sender]!.length > 0) {
      left -= 1
      underWay += 1
      waiting[sender]!.shift()!()
    }
  }
  await all
  return { calls, found: shown(calls, await setting.outcome(world)) }
}

/** @returns a function that resolves to undefined, or to what no order of the operations explains */
export function createLinearizability<World>(setting: Setting<World>) {
  /** Sequential outcomes by scenario and order: most scenarios run with many schedules. */
  const known = new Map<string, string>()
  return async (scenario: Scenario<World>, schedule: Schedule): Promise<string | undefined> => {
    const { calls, found } = await runInterleaved(setting, scenario, schedule)
    const names = JSON.stringify(scenario.map((each) => each.map(({ name }) => name)))
    const isPossible = (order: readonly string[]) =>
      calls.every((first) =>
        calls.every(
          (second) =>
            first.ended >= second.started || order.indexOf(first.id) < order.indexOf(second.id),
        ),
      )
    const orders = ordersOf(scenario.map(({ length }) => length)).filter(isPossible)
    const explained: string[] = []
    for (const order of orders) {
      const key = `${names} ${order}`
      const outcome = known.get(key) ?? (await runInOrder(setting, scenario, order))
      known.set(key, outcome)
      if (outcome === found) return undefined
      explained.push(`${order}: ${outcome}`)
    }
    return [`${names} ended in`, found, 'possible are', ...explained].join('\n')
  }
}
