import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { findOpa } from '../opa.ts'
import { type Answer, type DiffProgram, type Peer, valueAnswer } from './answers.ts'
import { evaluateWithOpa } from './opaEval.ts'

/**
 * Collects garbage rarely, on one processor: it took half of the time. Not beyond 2 GB: one program with
 * large values had left 24 GB of it.
 */
const FRUGAL = { GOGC: '800', GOMEMLIMIT: '2GiB', GOMAXPROCS: '1' }

const START_MS = 30_000
const ANSWER_MS = 20_000

class PeerError extends AppError {}

/** The peer `opa` 1.2, from OPA or the path; otherwise what to say in place of a comparison. */
export function opaPeer(): (() => Promise<Peer>) | string {
  const command = findOpa()
  if (command === undefined) return 'opa 1.2: not found on the path (or set OPA to the command)'
  const { stdout } = spawnSync(command, ['version'], { encoding: 'utf8' })
  const version = /^Version: (\S+)/.exec(stdout)?.[1] ?? '?'
  if (!/^1\.2\./.test(version)) return `opa 1.2: found version ${version}, which is not compared`
  return () => OpaServer.start(command, version)
}

/** Of the text, because parsing it would lose the digits of large integers. */
const RESULT = /^\{"result":([\s\S]*?)(?:,"warning":\{"code":"api_usage_warning"[^{}]*\})?\}\s*$/

const IS_PATH = /^data(\.\w+)*$/

type OpaError = { readonly code?: string; readonly message?: string }
type Reply = OpaError & { readonly errors?: readonly OpaError[] }

/**
 * One `opa run --server` on a socket of its own. Each program replaces the policies of the one
 * before: starting a process for each would take a hundred times as long.
 */
class OpaServer implements Peer {
  readonly name = 'opa'
  readonly version: string
  restarts = 0
  private readonly command: string
  private readonly folder = mkdtempSync(join(tmpdir(), 'opa-peer-'))
  private process: ChildProcess | undefined
  private agent = new Agent({ keepAlive: true, maxSockets: 1 })
  /** What the server holds now. */
  private loaded: readonly string[] = []
  private data: string | undefined

  private constructor(command: string, version: string) {
    this.command = command
    this.version = version
  }

  static async start(command: string, version: string): Promise<Peer> {
    const server = new OpaServer(command, version)
    await server.run()
    return server
  }

  private get socket(): string {
    return join(this.folder, `opa-${this.restarts}.sock`)
  }

  private async run(): Promise<void> {
    const args = ['run', '--server', '--addr', `unix://${this.socket}`]
    // With a lower level the server leaves out print statements, and with them their faults.
    const quiet = ['--log-level', 'info', '--skip-version-check']
    const child = spawn(this.command, [...args, ...quiet], {
      stdio: 'ignore',
      cwd: this.folder,
      env: { ...process.env, ...FRUGAL },
    })
    this.process = child
    const until = Date.now() + START_MS
    while (!existsSync(this.socket)) {
      if (hasEnded(child) || Date.now() > until) {
        await this.close()
        throw new PeerError('opa did not start its server', {
          hint: `run: ${this.command} ${args.join(' ')}`,
        })
      }
      await wait(20)
    }
  }

  /** After a program that ended the server, or that it is still busy with: another one, which holds nothing. */
  private async restart(): Promise<void> {
    await this.stop()
    this.restarts++
    this.agent = new Agent({ keepAlive: true, maxSockets: 1 })
    this.loaded = []
    this.data = undefined
    await this.run()
  }

  async answers(programs: readonly DiffProgram[]): Promise<Answer[]> {
    const answers: Answer[] = []
    for (const program of programs) answers.push(await this.answer(program))
    return answers
  }

  private async answer(program: DiffProgram): Promise<Answer> {
    try {
      if (!IS_PATH.test(program.query)) return evaluateWithOpa(this.command, program)
      await this.store(program.data ?? '{}')
      return (await this.load(program)) ?? (await this.evaluate(program))
    } catch (error) {
      await this.restart()
      return { kind: 'none', message: (error as Error).message }
    }
  }

  private async store(data: string): Promise<void> {
    if (data === this.data) return
    await this.unload()
    await this.send('PUT', '/v1/data', data)
    this.data = data
  }

  /** Loads the modules; the answer if one of them is refused. */
  private async load({ modules }: DiffProgram): Promise<Answer | undefined> {
    const [name] = this.loaded
    const isReplaced = this.loaded.length === 1 && modules.length === 1 && name === modules[0]?.name
    if (!isReplaced) await this.unload()
    for (const module of modules) {
      const { status, body } = await this.send('PUT', policyPath(module.name), module.source)
      if (status !== 200) {
        await this.unload()
        return errorAnswer(body)
      }
      if (!isReplaced) this.loaded = [...this.loaded, module.name]
    }
    return undefined
  }

  private async unload(): Promise<void> {
    for (const name of this.loaded.toReversed()) await this.send('DELETE', policyPath(name))
    this.loaded = []
  }

  private async evaluate({ query, input, strict }: DiffProgram): Promise<Answer> {
    const path = `/v1/data/${query.replace(/^data\./, '').replaceAll('.', '/')}`
    const { status, body } = await this.send(
      'POST',
      `${path}?strict-builtin-errors=${strict}`,
      input === undefined ? '{}' : `{"input":${input}}`,
    )
    if (status !== 200) return errorAnswer(body)
    const result = RESULT.exec(body)?.[1]
    return result === undefined ? { kind: 'undefined' } : valueAnswer(result)
  }

  private async send(method: string, path: string, body = '') {
    const sent = request({
      socketPath: this.socket,
      agent: this.agent,
      method,
      path,
      headers: { 'content-length': Buffer.byteLength(body) },
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: response.statusCode, body: await text(response) }
  }

  private async stop(): Promise<void> {
    this.agent.destroy()
    const { process } = this
    if (process !== undefined && !hasEnded(process) && process.kill('SIGKILL')) {
      await once(process, 'exit')
    }
  }

  async close(): Promise<void> {
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null

const policyPath = (name: string): string => `/v1/policies/${encodeURIComponent(name)}`

function errorAnswer(body: string): Answer {
  const reply = JSON.parse(body) as Reply
  const errors = reply.errors ?? [reply]
  return {
    kind: 'error',
    codes: errors.map(codeOf),
    message: errors[0]?.message ?? body,
  }
}

/** That of a module without tokens is in the message only. */
function codeOf({ code, message = '' }: OpaError): string {
  const own = code === 'invalid_parameter' ? /\brego_\w+_error(?=: )/.exec(message)?.[0] : code
  return own ?? code ?? 'unknown'
}
