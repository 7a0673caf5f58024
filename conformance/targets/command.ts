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
  /** Of the suite: of it the command sees what a program needs, and no key. */
  readonly world: Readonly<Record<string, string | undefined>>
}

const keptLines = 20
/** How long a gateway that is told to end may take. */
const endMs = 10_000

/** What a program needs of the environment of the one who starts it; keys of the suite are not among it. */
const inherited =
  /^(PATH|HOME|USER|LANG|LC_\w+|TMPDIR|TZ|TERM|NODE_\w+|SSL_\w+|XDG_\w+|SystemRoot)$/

/** Characters of a process that are told, and that are kept so that no secret is cut at their head. */
const toldCharacters = 8_000
const keptCharacters = 2 * toldCharacters

/**
 * The last lines of what a process said, without the values of secrets. Each stands behind a mark,
 * so that none of them is read as a command by whoever reads our output.
 */
export const lastWords = () => {
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
      return clean === '' ? 'it said nothing' : `\n${lines.join('\n')}`
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
 * Starts a command as the gateway under test. It ends when it is told to, and also when this process
 * is gone, however it went; whoever it started goes with it.
 */
export const startCommand = async (
  options: CommandOptions,
  environment: GatewayEnvironment,
): Promise<Started> => {
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
    // A group of its own: an interrupt from the terminal reaches us, and we end it.
    detached: true,
  })
  const words = lastWords()
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
