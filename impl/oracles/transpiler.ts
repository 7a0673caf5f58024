import { createFairQueue } from '../scheduling/fairQueue.ts'
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
   * @param owner those of one owner wait for each other
   * @throws OracleError `component` for bytes that are no component, or take too long to read;
   *   `queue` when too many wait
   */
  transpile(component: Uint8Array, owner?: string): Promise<Transpiled>
  close(): Promise<void>
}

const mostWaiting = 256

type Waiting = {
  readonly start: (thread: TranspilerThread) => void
  readonly refuse: (error: OracleError) => void
}

const tooMany = () =>
  new OracleError('queue', `more than ${mostWaiting} components wait to be read`)

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
  const waiting = createFairQueue<Waiting>({
    perOwner: mostWaiting,
    inAll: mostWaiting,
    onEvict: ({ refuse }) => refuse(tooMany()),
  })

  return {
    async transpile(component, owner = '') {
      // The one used last is started already.
      const thread = free.pop() ?? (await nextFree(owner))
      try {
        return await thread.transpile(component)
      } finally {
        const next = waiting.shift()
        if (next) next.start(thread)
        else free.push(thread)
      }
    },
    close: async () => {
      await Promise.all(all.map((thread) => thread.close()))
    },
  }

  function nextFree(owner: string): Promise<TranspilerThread> {
    return new Promise((start, refuse) => {
      if (!waiting.push(owner, { start, refuse })) refuse(tooMany())
    })
  }
}
