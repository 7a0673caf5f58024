import { spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { reasonOf } from 'polgate-lib/errors/systemError.ts'
import { counted } from 'polgate-lib/text/counted.ts'
import { CannotRun } from '../core/conformanceError.ts'
import type { Target } from '../core/target.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { secretVariable } from '../fixtures/environment.ts'
import type { Step } from '../fixtures/fixture.ts'
import { type Recording, type Reseal, startRecording } from '../fixtures/recording.ts'
import { type PrepareOptions, prepareTarget } from '../targets/prepare.ts'
import type { CommandIo } from './world.ts'

export type RecordOptions = PrepareOptions & {
  readonly out: string
  /** Port of the proxy; a free one by default. */
  readonly port?: number | undefined
  readonly clause?: string | undefined
  readonly title?: string | undefined
  readonly reseal?: string | undefined
  /** Members of sealed secrets that are written in plain text. */
  readonly public?: readonly string[] | undefined
  /** Records until this command ends; without one, until the signal. */
  readonly command?: readonly string[] | undefined
}

/** The description of a stack, with the addresses of the proxy, for clients that read one. */
function stackFile(target: Target, { url, controlUrl }: Recording): string {
  const directory = mkdtempSync(join(tmpdir(), 'svc-stack-'))
  const { brand, fixtureHostUrl, chain, networks, keys, accounts, operators, clients } = target
  const description = {
    version: 1,
    pid: process.pid,
    gatewayUrl: url,
    explorerUrl: url,
    controlUrl,
    fixtureHostUrl,
    brand,
    chain,
    networks,
    apiKeys: keys,
    accounts,
    operators,
    clients,
  }
  const file = join(directory, 'stack.json')
  writeFileSync(file, JSON.stringify(description), { mode: 0o600 })
  return file
}

/** Time that the client has to end after Ctrl-C, milliseconds. */
const endMs = 2_000

const runCommand = (command: readonly string[], env: NodeJS.ProcessEnv, world: CommandIo) =>
  new Promise<number>((done, fail) => {
    const [name, ...args] = command
    const child = spawn(name!, args, { cwd: world.cwd, env, stdio: ['inherit', 2, 2] })
    let late: NodeJS.Timeout | undefined
    const stop = () => {
      child.kill('SIGTERM')
      late = setTimeout(() => child.kill('SIGKILL'), endMs)
    }
    world.signal.addEventListener('abort', stop, { once: true })
    if (world.signal.aborted) stop()
    child.once('error', (cause) =>
      fail(new CannotRun(`cannot start '${name}'`, 'Give the command after --.', cause)),
    )
    child.once('exit', (code, signal) => {
      world.signal.removeEventListener('abort', stop)
      clearTimeout(late)
      done(code ?? (signal === null ? 0 : 1))
    })
  })

function resealOf(given: string | undefined): Reseal | undefined {
  if (given === undefined || given === 'all' || given === 'secrets' || given === 'none')
    return given
  throw new CannotRun(`--reseal has no mode '${given}'`, 'Use all, secrets or none.')
}

/** @throws CannotRun before anything is recorded that could not be written */
function checkOut(given: string, out: string): void {
  try {
    accessSync(dirname(out), constants.W_OK)
  } catch (cause) {
    throw new CannotRun(
      `--out ${given}: cannot write to its folder: ${reasonOf(cause)}`,
      'Name a file in a folder that exists and that you can write to.',
      cause,
    )
  }
}

const nouns = [
  ['request', 'exchange'],
  ['frame', 'WebSocket frame'],
  ['hook', 'webhook'],
] as const

/** `2 exchanges, 1 webhook`: what was recorded, by surface. */
const contentsText = (steps: readonly Step[]): string =>
  nouns
    .map(([kind, noun]) => ({ noun, count: steps.filter((step) => step.kind === kind).length }))
    .filter(({ noun, count }) => count > 0 || noun === 'exchange')
    .map(({ noun, count }) => counted(count, noun))
    .join(', ')

/** What to check when the proxy received nothing. */
function nothingText(url: string, command: readonly string[] = [], code: number): string {
  const ended = code === 0 ? '' : `the command exited with ${code}\n`
  const how =
    command.length > 0
      ? 'The client must take the address of the gateway from SVC_GATEWAY_URL, that of the explorer from\n       SVC_EXPLORER_URL and that of the updates from SVC_UPDATES_URL, or from the file SVC_STACK_FILE.'
      : `The client must send its requests to ${url}/rpc, ${url}/v1 or ${url.replace('http', 'ws')}/ws while this command runs.`
  return `${ended}error: nothing was recorded: no request reached the proxy; no file was written\n       ${how}\n`
}

/**
 * Records what a client sends through a proxy. Exit code 0 with a file; 1 without one if it would
 * contain a secret or nothing was sent; also 1 if the command failed (its exchanges are still written).
 */
export async function record(options: RecordOptions, world: CommandIo): Promise<ExitCode> {
  const { stdout, stderr, signal, env, cwd } = world
  const out = resolve(cwd, options.out)
  const reseal = resealOf(options.reseal)
  checkOut(options.out, out)
  const { target, close } = await prepareTarget(options, world, (text) => stderr.write(`${text}\n`))
  let stack: string | undefined
  try {
    const recording = await startRecording({
      target,
      out,
      env,
      port: options.port,
      reseal,
      publicMembers: options.public,
      header: {
        ...(options.clause === undefined ? {} : { clause: options.clause }),
        target: target.name === 'local' ? 'local' : new URL(target.gatewayUrl).host,
        recorded: new Date().toISOString().slice(0, 10),
        ...(options.title === undefined ? {} : { title: options.title }),
      },
    })
    const { url } = recording
    stderr.write(
      `recording: gateway ${url}/rpc  explorer ${url}/v1  updates ${url.replace('http', 'ws')}/ws\n`,
    )
    let code = 0
    let failure: unknown
    if (options.command?.length) {
      stack = stackFile(target, recording)
      const own = {
        SVC_GATEWAY_URL: url,
        SVC_EXPLORER_URL: url,
        SVC_UPDATES_URL: `${url.replace('http', 'ws')}/ws`,
        SVC_STACK_FILE: stack,
      }
      code = await runCommand(options.command, { ...env, ...own }, world).catch((error) => {
        failure = error
        return 2
      })
    } else
      await new Promise<void>((done) => {
        if (signal.aborted) done()
        signal.addEventListener('abort', () => done(), { once: true })
      })
    const { steps, leaks, skipped, needed } = await recording.finish()
    if (failure !== undefined) throw failure
    for (const why of skipped) stderr.write(`not recorded: ${why}\n`)
    if (steps.length === 0 && leaks.length === 0) {
      stderr.write(nothingText(url, options.command, code))
      const cut = signal.aborted && options.command?.length
      return cut ? exitCode.interrupted : exitCode.notConformant
    }
    if (leaks.length > 0) {
      for (const { where, what } of leaks.slice(0, 10)) stderr.write(`${what} in ${where}\n`)
      stderr.write(
        `nothing was written: a fixture must not contain a secret\nSet it as SVC_SECRET_SOMETHING in the environment, and the fixture will contain <<secret:something>> instead.\n`,
      )
      return exitCode.notConformant
    }
    stdout.write(`${options.out}: ${contentsText(steps)}\n`)
    if (needed.length > 0)
      stderr.write(`to replay it, set ${needed.map(secretVariable).join(', ')}\n`)
    if (code !== 0) stderr.write(`the command exited with ${code}\n`)
    return code === 0 ? exitCode.conformant : exitCode.notConformant
  } finally {
    if (stack !== undefined) rmSync(join(stack, '..'), { recursive: true, force: true })
    await close()
  }
}
