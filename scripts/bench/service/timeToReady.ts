import { spawn } from 'node:child_process'
import { withColdCopy } from './coldCopy.ts'

/** Milliseconds from `polgate start` to its first line, in a copy of the repository without caches. */
export const timeToReady = (
  times = 3,
): Promise<{
  readonly cold: number
  readonly warm: readonly number[]
  readonly warmMedian: number
}> =>
  withColdCopy(async (directory) => {
    const cold = await start(directory)
    const warm: number[] = []
    for (let at = 0; at < times; at++) warm.push(await start(directory))
    const warmMedian = [...warm].sort((a, b) => a - b)[times >> 1]!
    return { cold, warm, warmMedian }
  })

function start(directory: string): Promise<number> {
  const begin = performance.now()
  const args = ['impl/cli/polgate.mjs', 'start', '--port', '0', '--json', '--exec', 'true']
  const child = spawn(process.execPath, args, {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    let ready = 0
    child.stdout.once('data', () => {
      ready = performance.now() - begin
    })
    child.once('exit', (code) =>
      code === 0 ? resolve(ready) : reject(new Error(`polgate start ended with ${code}`)),
    )
  })
}
