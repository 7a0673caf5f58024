import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { accessSync, chownSync, constants } from 'node:fs'

/** Runs commands as a user with no rights but its own. */
export type OrdinaryUser = {
  /** Its number, for the output. */
  readonly id: number
  /** Makes a folder, with everything in it, the user's. */
  readonly owns: (folder: string) => void
  readonly start: (words: readonly string[], options: RunOptions) => ChildProcess
  /** @throws Error with the end of the output if the command does not end with the expected code */
  readonly run: (words: readonly string[], options: RunOptions) => Promise<Ran>
}

export type RunOptions = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Default 0. */
  readonly code?: number
  /** Default 120 seconds. */
  readonly timeoutMs?: number
}

export type Ran = { readonly stdout: string; readonly stderr: string; readonly ms: number }

/** Of no user: nothing on the machine belongs to it, and it has no home. */
const nobody = 65_534

const setpriv = '/usr/bin/setpriv'

/** The current user; on a machine where that is root, a user with no entry of its own. */
export function ordinaryUser(): OrdinaryUser {
  const current = process.getuid?.() ?? 0
  const drops = current === 0 && isExecutable(setpriv)
  const words = (command: readonly string[]): [string, string[]] => {
    const [first = '', ...rest] = drops
      ? [setpriv, `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--', ...command]
      : command
    return [first, rest]
  }
  const start: OrdinaryUser['start'] = (command, { cwd, env }) =>
    spawn(...words(command), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  return {
    id: drops ? nobody : current,
    owns: (folder) => {
      if (!drops) return
      chownSync(folder, nobody, nobody)
      execFileSync('chown', ['-R', `${nobody}:${nobody}`, folder])
    },
    start,
    run: (command, options) => endOf(command, start(command, options), options),
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function endOf(
  command: readonly string[],
  child: ChildProcess,
  { code: expected = 0, timeoutMs = 120_000 }: RunOptions,
): Promise<Ran> {
  const begin = performance.now()
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout?.on('data', (part: Buffer) => out.push(part))
  child.stderr?.on('data', (part: Buffer) => err.push(part))
  const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  const code = await new Promise<number | string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (number, signal) => resolve(number ?? signal ?? 'unknown'))
  })
  clearTimeout(late)
  const ran = {
    stdout: Buffer.concat(out).toString(),
    stderr: Buffer.concat(err).toString(),
    ms: performance.now() - begin,
  }
  if (code === expected) return ran
  const tail = `${ran.stdout}\n${ran.stderr}`.trim().slice(-3_000)
  throw new Error(`${command.join(' ')}\nended with ${code} instead of ${expected}:\n${tail}`)
}
