import { join } from 'node:path'
import type { OrdinaryUser } from '../build/packages/try/ordinaryUser.ts'

export type LineResult = {
  /** Undefined where the command did what was expected. */
  readonly failure: string | undefined
  readonly ms: number
}

export type LineOptions = {
  readonly user: Pick<OrdinaryUser, 'start'>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Exit code of success. */
  readonly code: number
  /** What a command prints when it is ready; it is stopped then, as by Ctrl-C. */
  readonly ready?: RegExp | undefined
}

const endsWithinMs = 60_000

/** Runs one line in a shell. */
export async function runLine(
  line: string,
  { user, cwd, env, code, ready }: LineOptions,
): Promise<LineResult> {
  const begin = performance.now()
  // It leads a group of its own, so that a signal reaches all of it, as Ctrl-C does.
  const child = user.start(['setsid', 'bash', '-c', line], { cwd, env })
  let output = ''
  let wasReady = false
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-Number(child.pid), name)
    } catch {
      // It has ended.
    }
  }
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => {
      const seen = output + part
      output = seen.slice(-8_000)
      // A part may be longer than what is kept.
      if (ready === undefined || wasReady || !ready.test(seen)) return
      wasReady = true
      setTimeout(() => signal('SIGINT'), 200)
    })
  const late = setTimeout(() => signal('SIGKILL'), endsWithinMs)
  const ended = await new Promise<number | string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (number, name) => resolve(number ?? name ?? 'unknown'))
  })
  clearTimeout(late)
  const ms = performance.now() - begin
  const stopped = wasReady && (ended === 0 || ended === 130 || ended === 'SIGINT')
  if (ready === undefined ? ended === code : stopped) return { failure: undefined, ms }
  const expected = ready === undefined ? `exit code ${code}` : `ready, by ${ready}`
  return {
    failure: `ended with ${ended} instead of ${expected}:\n${output.trim().slice(-1_500)}`,
    ms,
  }
}

/** The PATH of a project that has installed the packages. */
export const withBin = (env: Readonly<Record<string, string>>, project: string) => ({
  ...env,
  PATH: `${join(project, 'node_modules/.bin')}:${env.PATH}`,
})
