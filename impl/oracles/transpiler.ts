import { OracleError } from './oracleError.ts'
import {
  createTranspilerThread,
  type Transpiled,
  type TranspilerBounds,
  type TranspilerThread,
} from './transpilerThread.ts'

export type { Transpiled } from './transpilerThread.ts'

export interface Transpiler {
  /**
   * @param key of the component, the same when it comes again
   * @throws OracleError `component` for bytes that are no component, `work` for those that take too
   *   much computing, `late` when it could not be done this time
   */
  transpile(component: Uint8Array, key?: string): Promise<Transpiled>
  close(): Promise<void>
}

const mostWaiting = 256
const mostDear = 1_000

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
  const waiting: ((thread: TranspilerThread) => void)[] = []
  const dear = new Set<string>()
  let lastDear: Promise<unknown> = Promise.resolve()

  return {
    async transpile(component, key = '') {
      if (!dear.has(key)) return await inThread(component, key)
      const next = lastDear.then(() => inThread(component, key))
      lastDear = next.catch(() => undefined)
      return await next
    },
    close: async () => {
      await Promise.all(all.map((thread) => thread.close()))
    },
  }

  async function inThread(component: Uint8Array, key: string): Promise<Transpiled> {
    // The one used last is started already.
    const thread = free.pop() ?? (await nextFree())
    try {
      return await thread.transpile(component)
    } catch (error) {
      if (error instanceof OracleError && error.code === 'work' && key !== '') noteDear(key)
      throw error
    } finally {
      const next = waiting.shift()
      if (next) next(thread)
      else free.push(thread)
    }
  }

  function noteDear(key: string): void {
    dear.add(key)
    const [oldest] = dear
    if (dear.size > mostDear && oldest !== undefined) dear.delete(oldest)
  }

  async function nextFree(): Promise<TranspilerThread> {
    if (waiting.length >= mostWaiting) {
      throw new OracleError('queue', `more than ${mostWaiting} components wait to be read`)
    }
    return await new Promise((resolve) => waiting.push(resolve))
  }
}
