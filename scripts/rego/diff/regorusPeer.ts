import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Answer, type DiffProgram, type Peer, valueAnswer } from './answers.ts'
import { LineProcess } from './lineProcess.ts'

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

const ANSWER_MS = 20_000
/** A longer answer is none: few programs build such values, and both engines would have to print them. */
const MAX_LINE = 1 << 26

/** One process that evaluates a program a line; started again after a program that ended it. */
class RegorusBatch implements Peer {
  readonly name = 'regorus'
  readonly version = '0.9.0'
  restarts = 0
  private readonly command: string
  private running: LineProcess | undefined

  constructor(command: string) {
    this.command = command
  }

  async answers(programs: readonly DiffProgram[]): Promise<Answer[]> {
    const answers: Answer[] = []
    this.running ??= new LineProcess(this.command, [])
    this.running.send(programs.map(requestLine))
    while (answers.length < programs.length) {
      const line = await this.running.line({ ms: ANSWER_MS, length: MAX_LINE })
      if (typeof line === 'string') {
        answers.push(batchAnswer(line))
        continue
      }
      answers.push({ kind: 'none', message: line.ended })
      this.restarts++
      this.running = new LineProcess(this.command, [])
      this.running.send(programs.slice(answers.length).map(requestLine))
    }
    return answers
  }

  async close(): Promise<void> {
    this.running?.end()
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
  readonly restarts = 0
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
