import { operatorBusy } from './operatorErrors.ts'

export type FairQueue = {
  /**
   * Runs `work` when its turn comes. What was given up while it waited is not begun.
   *
   * @throws ServiceError when too many wait, and whatever `work` throws
   */
  add<Value>(owner: string, work: () => Promise<Value>, signal: AbortSignal): Promise<Value>
}

type Waiting = () => Promise<void>

/** One piece of work at a time, owners in turn: who brings much waits for himself. */
export function fairQueue(limits: {
  readonly perOwner: number
  readonly inAll: number
}): FairQueue {
  /** A map keeps the order of insertion: the first owner is the next. */
  const owners = new Map<string, Waiting[]>()
  let served: string | undefined
  let waiting = 0
  let running = false

  function next(): Waiting | undefined {
    const owner = nextOwner()
    if (owner === undefined) return undefined
    const [work, ...rest] = owners.get(owner) ?? []
    owners.delete(owner)
    if (rest.length > 0) owners.set(owner, rest)
    waiting -= 1
    served = owner
    return work
  }

  /** The one who was served last comes last, also when his next work came while he was served. */
  function nextOwner(): string | undefined {
    for (const owner of owners.keys()) if (owner !== served) return owner
    return owners.size > 0 ? served : undefined
  }

  async function runAll(): Promise<void> {
    if (running) return
    running = true
    for (let work = next(); work !== undefined; work = next()) await work()
    running = false
  }

  return {
    add: (owner, work, signal) =>
      new Promise((resolve, reject) => {
        const own = owners.get(owner) ?? []
        if (own.length >= limits.perOwner || waiting >= limits.inAll) return reject(operatorBusy())
        const turn = async () => {
          if (signal.aborted) return reject(signal.reason)
          await work().then(resolve, reject)
        }
        owners.set(owner, [...own, turn])
        waiting += 1
        void runAll()
      }),
  }
}
