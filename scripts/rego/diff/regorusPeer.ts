import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { promisify } from 'node:util'
import { type Answer, type DiffProgram, type Peer, valueAnswer } from './answers.ts'

/**
 * The peer regorus 0.9, or what to say in place of a comparison: the driver in
 * `scripts/bench/peers/regorus`, from REGORUS_BATCH or the path, otherwise the command `regorus`,
 * from REGORUS or the path, a process for each program.
 */
export function regorusPeer(): (() => Promise<Peer>) | string {
  const batch = process.env.REGORUS_BATCH ?? 'regorus-batch'
  if (spawnSync(batch, [], { input: '' }).status === 0) return async () => new RegorusBatch(batch)
  const command = process.env.REGORUS ?? 'regorus'
  const { stdout, error } = spawnSync(command, ['--version'], { encoding: 'utf8' })
  if (error !== undefined) {
    return 'regorus 0.9: not found on the path (or set REGORUS, or REGORUS_BATCH, to the command)'
  }
  const version = /^regorus (\S+)/.exec(stdout)?.[1] ?? '?'
  if (!/^0\.9\./.test(version))
    return `regorus 0.9: found version ${version}, which is not compared`
  return async () => new RegorusCommand(command, version)
}

const ENDED: Answer = { kind: 'none', message: 'the process ended' }

/** One process that evaluates a program a line; started again after a program that ended it. */
class RegorusBatch implements Peer {
  readonly name = 'regorus'
  readonly version = '0.9.0'
  private readonly command: string
  private running:
    | { readonly process: ReturnType<typeof spawn>; readonly lines: Interface }
    | undefined

  constructor(command: string) {
    this.command = command
  }

  async answers(programs: readonly DiffProgram[]): Promise<Answer[]> {
    const answers: Answer[] = []
    while (answers.length < programs.length) {
      answers.push(...(await this.some(programs.slice(answers.length))))
    }
    return answers
  }

  /** Answers up to the first program that ends the process. */
  private async some(programs: readonly DiffProgram[]): Promise<Answer[]> {
    const { process, lines } = this.start()
    const answers: Answer[] = []
    process.stdin!.write(programs.map((program) => `${requestLine(program)}\n`).join(''))
    return new Promise((resolve) => {
      const ended = (): void => {
        this.running = undefined
        resolve([...answers, ENDED])
      }
      lines.once('close', ended)
      lines.on('line', (line) => {
        answers.push(batchAnswer(line))
        if (answers.length < programs.length) return
        lines.removeAllListeners()
        resolve(answers)
      })
    })
  }

  private start() {
    if (this.running === undefined) {
      const process = spawn(this.command, [], { stdio: ['pipe', 'pipe', 'ignore'] })
      // Programs after one that ended the process are sent to the next one.
      process.stdin.on('error', () => {})
      this.running = { process, lines: createInterface(process.stdout) }
    }
    return this.running
  }

  async close(): Promise<void> {
    this.running?.process.stdin?.end()
    this.running = undefined
  }
}

/** The documents are JSON texts, so that no digit is lost. */
function requestLine({ modules, query, input, data, strict }: DiffProgram): string {
  const members = [
    `"modules":${JSON.stringify(modules)}`,
    `"query":${JSON.stringify(query)}`,
    `"strict":${strict}`,
  ]
  if (input !== undefined) members.push(`"input":${input}`)
  if (data !== undefined) members.push(`"data":${data}`)
  return `{${members.join(',')}}`
}

function batchAnswer(line: string): Answer {
  const value = /^\{"value":([\s\S]*)\}$/.exec(line)?.[1]
  if (value !== undefined) return valueAnswer(value)
  const { error, panic } = JSON.parse(line) as { error?: string; panic?: string }
  if (error !== undefined) return refused(error)
  if (panic !== undefined) return { kind: 'none', message: `panic: ${panic}` }
  return { kind: 'undefined' }
}

const refused = (text: string): Answer => ({
  kind: 'error',
  codes: ['error'],
  // The line after the excerpt of the source.
  message: /^\s*\|?\s*error: .*$/m.exec(text)?.[0].trim() ?? text,
})

/** A process for each program. */
class RegorusCommand implements Peer {
  readonly name = 'regorus'
  readonly version: string
  private readonly command: string
  private readonly folder = mkdtempSync(join(tmpdir(), 'regorus-peer-'))

  constructor(command: string, version: string) {
    this.command = command
    this.version = version
  }

  async answers(programs: readonly DiffProgram[]): Promise<Answer[]> {
    const answers: Answer[] = []
    for (const program of programs) answers.push(await this.answer(program))
    return answers
  }

  private async answer({ modules, query, input, data, strict }: DiffProgram): Promise<Answer> {
    const put = (name: string, content: string): string => {
      const path = join(this.folder, name)
      writeFileSync(path, content)
      return path
    }
    const files = modules.map(({ name, source }) => put(name, source))
    if (data !== undefined) files.push(put('data.json', data))
    const args = ['eval', ...files.flatMap((file) => ['-d', file])]
    if (input !== undefined) args.push('-i', put('input.json', input))
    if (!strict) args.push('--non-strict')
    try {
      const { stdout } = await promisify(execFile)(this.command, [...args, query], {
        timeout: 20_000,
        maxBuffer: 1 << 26,
      })
      // Of the text, for the digits: the value is the first member of the first expression.
      const value = /"value": ([\s\S]*?),\n {10}"text": /.exec(stdout)?.[1]
      return value === undefined ? { kind: 'undefined' } : valueAnswer(value)
    } catch (error) {
      const { code, stderr, message } = error as {
        code?: unknown
        stderr?: string
        message: string
      }
      return code === 1 ? refused(stderr ?? message) : { kind: 'none', message: firstLine(message) }
    }
  }

  async close(): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const firstLine = (text: string): string => text.split('\n')[0] ?? ''
