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
  /** Of the component, the same when it comes again. */
  readonly key?: string | undefined
  /** Those of one owner wait for each other. */
  readonly owner?: string | undefined
}

export type Transpiler = {
  /**
   * @throws OracleError `component` for bytes that are no component, `work` for those that take too
   *   much computing, `late` when it could not be done this time, `queue` when too many wait
   */
  transpile(component: Uint8Array, who?: TranspileFor): Promise<Transpiled>
  close(): Promise<void>
}

const mostWaiting = 256
const mostDear = 1_000

type Waiting = {
  readonly start: (thread: TranspilerThread) => void
  readonly refuse: (error: OracleError) => void
}

const tooMany = () =>
  new OracleError('queue', `more than ${mostWaiting} components wait to be read`)

/**
 * Transpiles components, some at a time: one that takes as long as it may holds up others only when
 * another does the same, and then no longer than that. Components that took too much computing before
 * may come again, one of them at a time.
 */
export function createTranspiler({
  threads = 2,
  ...bounds
}: TranspilerBounds & { threads?: number } = {}): Transpiler {
  const free = Array.from({ length: threads }, () => createTranspilerThread(bounds))
  const all = [...free]
  const waiting = createFairQueue<Waiting>({
    perOwner: mostWaiting,
    inAll: mostWaiting,
    onEvict: ({ refuse }) => refuse(tooMany()),
  })
  const dear = new Set<string>()
  const dearOnes = createSerialQueue()

  return {
    async transpile(component, who = {}) {
      if (who.key === undefined || !dear.has(who.key)) return await inThread(component, who)
      return await dearOnes.run(() => inThread(component, who))
    },
    close: async () => {
      await Promise.all(all.map((thread) => thread.close()))
    },
  }

  async function inThread(
    component: Uint8Array,
    { key, owner = '' }: TranspileFor,
  ): Promise<Transpiled> {
    // The one used last is started already.
    const thread = free.pop() ?? (await nextFree(owner))
    try {
      return await thread.transpile(component)
    } catch (error) {
      if (error instanceof OracleError && error.code === 'work' && key !== undefined) noteDear(key)
      throw error
    } finally {
      const next = waiting.shift()
      if (next) next.start(thread)
      else free.push(thread)
    }
  }

  function noteDear(key: string): void {
    dear.add(key)
    const [oldest] = dear
    if (dear.size > mostDear && oldest !== undefined) dear.delete(oldest)
  }

  function nextFree(owner: string): Promise<TranspilerThread> {
    return new Promise((start, refuse) => {
      if (!waiting.push(owner, { start, refuse })) refuse(tooMany())
    })
  }
}
