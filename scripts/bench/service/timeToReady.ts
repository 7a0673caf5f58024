import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { withColdCopy } from './coldCopy.ts'

/** Milliseconds from `polgate start` to the description of its stack, in a copy of the repository without caches. */
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
    // Standard output belongs to the command of --exec.
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let ready: number | undefined
    createInterface(child.stderr).on('line', (line) => {
      if (line.startsWith('{')) ready ??= performance.now() - begin
    })
    child.once('close', (code) =>
      code === 0 && ready !== undefined
        ? resolve(ready)
        : reject(new Error(`polgate start ended with ${code}, ready: ${ready}`)),
    )
  })
}
