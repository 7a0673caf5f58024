import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { guard } from 'polgate-chain/guard.ts'
import type { GatewayEnvironment } from 'polgate-protocol/environment.ts'
import { printable } from '../core/printable.ts'
import { redactorOf } from '../wire/redact.ts'
import { environmentVariables } from './environment.ts'
import type { Started } from './underTest.ts'

export type CommandOptions = {
  readonly run: readonly string[]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Environment of the suite: the command inherits what a program needs, and no keys. */
  readonly world: Readonly<Record<string, string | undefined>>
}

const keptLines = 20
/** Time allowed for a gateway to stop. */
const endMs = 10_000

/** Inherited environment variables; keys of the suite are not among them. */
const inherited =
  /^(PATH|HOME|USER|LANG|LC_\w+|TMPDIR|TZ|TERM|NODE_\w+|SSL_\w+|XDG_\w+|SystemRoot)$/

/** Output that is shown, and output that is kept so that no secret is truncated at its start. */
const toldCharacters = 8_000
const keptCharacters = 2 * toldCharacters

/**
 * The last lines of a process's output, with secrets removed. Each line has a prefix, so that none
 * of them is taken for a workflow command.
 */
export function lastOutput() {
  let text = ''
  return {
    hear: (chunk: Buffer | string) => {
      text = (text + chunk.toString()).slice(-keptCharacters)
    },
    told: (secrets: readonly string[]) => {
      const redact = redactorOf(secrets.map((secret) => ['KEY', secret]))
      const clean = redact(text.trim()).slice(-toldCharacters)
      const lines = clean
        .split('\n')
        .slice(-keptLines)
        .map((line) => `  | ${printable(line)}`)
      return clean === '' ? 'no output' : `\n${lines.join('\n')}`
    },
  }
}

export const secretsOfEnvironment = (environment: GatewayEnvironment): readonly string[] =>
  [
    environment.account.privateKey,
    ...Object.values(environment.encryptionKeys),
    ...environment.operators.map(({ blsKey }) => blsKey),
    ...environment.apiKeys.map(({ key }) => key),
  ].flatMap((secret) => [secret, secret.replace(/^0x/, '')])

/**
 * Starts a command as the gateway under test. It ends on request, and also when this process ends
 * in any way, including all its child processes.
 */
export async function startCommand(
  options: CommandOptions,
  environment: GatewayEnvironment,
): Promise<Started> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-environment-'))
  const file = join(directory, 'environment.json')
  await writeFile(file, JSON.stringify(environment, null, 2), { mode: 0o600 })
  const own = Object.entries(options.world).filter(([name]) => inherited.test(name))
  const child = spawn('sh', ['-c', guard, 'gateway-guard', ...options.run], {
    cwd: options.cwd,
    env: {
      ...Object.fromEntries(own),
      ...environmentVariables(environment, file),
      ...options.env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group: a terminal interrupt reaches only this process, which then stops
    // it.
    detached: true,
  })
  const words = lastOutput()
  child.stderr.on('data', words.hear)
  child.stdout.resume()
  child.stdin.on('error', () => {})
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', (error) => {
      words.hear(error.message)
      resolve()
    })
  })
  const group = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // Nobody of it is left.
    }
  }
  const kill = () => group('SIGKILL')
  process.once('exit', kill)
  let ending: Promise<void> | undefined
  const end = async () => {
    child.kill('SIGTERM')
    const late = setTimeout(kill, endMs)
    await gone
    clearTimeout(late)
    kill()
    process.off('exit', kill)
    await rm(directory, { recursive: true, force: true })
  }
  return {
    ended: gone.then(() => words.told(secretsOfEnvironment(environment))),
    end: () => {
      ending ??= end()
      return ending
    },
  }
}
