import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Seconds of wall clock, and of CPU time: user and system, of the process and its children. */
export type Measured = { readonly wall: number; readonly cpu: number }

/** CPU seconds of ended children and their children, in hundredths; Linux only. */
export function childSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

/** Runs Node with these arguments; it must exit with 0. Nothing else may run meanwhile. */
export async function measured(args: readonly string[], cwd: string): Promise<Measured> {
  const began = performance.now()
  const before = childSeconds()
  const code = await new Promise<number | null>((resolve) =>
    spawn(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] }).on(
      'close',
      resolve,
    ),
  )
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}`)
  return { wall: (performance.now() - began) / 1000, cpu: childSeconds() - before }
}
