import type { Random } from './random.ts'
import type { WeightedRequest } from './requests.ts'

export type Load = {
  /** Stops sending, and waits for the responses in flight. */
  stop(): Promise<void>
}

/** Sends the mix over `lanes` connections, at most `perSecond` requests per second in total. */
export function startLoad(
  mix: readonly WeightedRequest[],
  options: { readonly lanes: number; readonly perSecond: number; readonly random: Random },
): Load {
  const { lanes, perSecond, random } = options
  const pause = (1_000 * lanes) / perSecond
  const total = mix.reduce((sum, { weight }) => sum + weight, 0)
  let stopped = false

  const choose = () => {
    let at = random.next() * total
    return mix.find(({ weight }) => {
      at -= weight
      return at < 0
    })!
  }
  async function lane(): Promise<void> {
    while (!stopped) {
      const begin = performance.now()
      await choose().send()
      const left = pause - (performance.now() - begin)
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
    }
  }
  const running = Promise.all(Array.from({ length: lanes }, lane))
  return {
    async stop() {
      stopped = true
      await running
    },
  }
}
