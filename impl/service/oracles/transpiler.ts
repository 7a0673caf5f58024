import { createFairQueue } from 'polgate-lib/async/fairQueue.ts'
import { createSerialQueue } from 'polgate-lib/async/serialQueue.ts'
import { OracleError } from './oracleError.ts'
import {
  createTranspilerThread,
  type Transpiled,
  type TranspilerBounds,
  type TranspilerThread,
} from './transpilerThread.ts'

export type { Transpiled } from './transpilerThread.ts'

export type TranspileFor = {
  /** Identifies the component when it is transpiled again. */
  readonly key?: string | undefined
  /** Components of one owner wait for each other. */
  readonly owner?: string | undefined
}

export type Transpiler = {
  /**
   * @throws OracleError `component` for bytes that are not a component, `work` for those that take
   *   too much CPU time, `late` when it failed this time, `queue` when too many are waiting
   */
  transpile(component: Uint8Array, who?: TranspileFor): Promise<Transpiled>
  close(): Promise<void>
}

const maxWaiting = 256
const maxExpensive = 1_000

type Waiting = {
  readonly start: (thread: TranspilerThread) => void
  readonly refuse: (error: OracleError) => void
}

const tooMany = () =>
  new OracleError('queue', `more than ${maxWaiting} components are waiting to be transpiled`)

/**
 * Transpiles several components in parallel, so that one slow component blocks others only when a
 * second one is slow too, and then no longer than its limit. Components that have exceeded the CPU
 * limit before are transpiled one at a time.
 */
export function createTranspiler({
  threads = 2,
  ...bounds
}: TranspilerBounds & { threads?: number } = {}): Transpiler {
  const free = Array.from({ length: threads }, () => createTranspilerThread(bounds))
  const all = [...free]
  const waiting = createFairQueue<Waiting>({
    perOwner: maxWaiting,
    inAll: maxWaiting,
    onEvict: ({ refuse }) => refuse(tooMany()),
  })
  const expensive = new Set<string>()
  const expensiveOnes = createSerialQueue()

  return {
    async transpile(component, who = {}) {
      if (who.key === undefined || !expensive.has(who.key)) return await inThread(component, who)
      return await expensiveOnes.run(() => inThread(component, who))
    },
    close: async () => {
      await Promise.all(all.map((thread) => thread.close()))
    },
  }

  async function inThread(
    component: Uint8Array,
    { key, owner = '' }: TranspileFor,
  ): Promise<Transpiled> {
    // The thread used last is already started.
    const thread = free.pop() ?? (await nextFree(owner))
    try {
      return await thread.transpile(component)
    } catch (error) {
      if (error instanceof OracleError && error.code === 'work' && key !== undefined)
        noteExpensive(key)
      throw error
    } finally {
      const next = waiting.shift()
      if (next) next.start(thread)
      else free.push(thread)
    }
  }

  function noteExpensive(key: string): void {
    expensive.add(key)
    const [oldest] = expensive
    if (expensive.size > maxExpensive && oldest !== undefined) expensive.delete(oldest)
  }

  function nextFree(owner: string): Promise<TranspilerThread> {
    return new Promise((start, refuse) => {
      if (!waiting.push(owner, { start, refuse })) refuse(tooMany())
    })
  }
}
