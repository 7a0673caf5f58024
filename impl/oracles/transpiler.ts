import { OracleError } from './oracleError.ts'
import {
  createTranspilerThread,
  type Transpiled,
  type TranspilerBounds,
  type TranspilerThread,
} from './transpilerThread.ts'

export type { Transpiled } from './transpilerThread.ts'

export interface Transpiler {
  /** @throws OracleError `component` for bytes that are no component, or take too long to read */
  transpile(component: Uint8Array): Promise<Transpiled>
  close(): Promise<void>
}

const mostWaiting = 256

/**
 * Transpiles components, some at a time: one that takes as long as it may holds up others only when
 * another does the same, and then no longer than that.
 */
export function createTranspiler({
  threads = 2,
  ...bounds
}: TranspilerBounds & { threads?: number } = {}): Transpiler {
  const free = Array.from({ length: threads }, () => createTranspilerThread(bounds))
  const all = [...free]
  const waiting: ((thread: TranspilerThread) => void)[] = []

  return {
    async transpile(component) {
      // The one used last is started already.
      const thread = free.pop() ?? (await nextFree())
      try {
        return await thread.transpile(component)
      } finally {
        const next = waiting.shift()
        if (next) next(thread)
        else free.push(thread)
      }
    },
    close: async () => {
      await Promise.all(all.map((thread) => thread.close()))
    },
  }

  async function nextFree(): Promise<TranspilerThread> {
    if (waiting.length >= mostWaiting) {
      throw new OracleError('queue', `more than ${mostWaiting} components wait to be read`)
    }
    return await new Promise((resolve) => waiting.push(resolve))
  }
}
