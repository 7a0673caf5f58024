import { spawn } from 'node:child_process'

/** Why there is no further line. */
type Ended = { readonly ended: string }

/** A process that answers each line with a line. */
export class LineProcess {
  private readonly process
  private readonly lines: string[] = []
  /** The line that has begun. */
  private begun: Buffer[] = []
  private ended: string | undefined
  private changed = (): void => {}

  constructor(command: string, args: readonly string[]) {
    this.process = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })
    // What was sent after a line that ended the process is sent to the next process.
    this.process.stdin.on('error', () => {})
    this.process.stdout.on('data', (chunk: Buffer) => this.receive(chunk))
    this.process.on('error', ({ message }) => this.stopped(message))
    this.process.stdout.on('close', () => this.stopped('the process ended'))
  }

  private receive(chunk: Buffer): void {
    let from = 0
    for (let to = chunk.indexOf(10); to >= 0; to = chunk.indexOf(10, from)) {
      this.lines.push(Buffer.concat([...this.begun, chunk.subarray(from, to)]).toString())
      this.begun = []
      from = to + 1
    }
    this.begun.push(chunk.subarray(from))
    this.changed()
  }

  private stopped(why: string): void {
    this.ended ??= why
    this.changed()
  }

  send(lines: readonly string[]): void {
    this.process.stdin.write(lines.map((line) => `${line}\n`).join(''))
  }

  /** The next line. One that takes longer, or is longer, than given ends the process. */
  async line(most: { readonly ms: number; readonly length: number }): Promise<string | Ended> {
    const timer = setTimeout(() => this.kill(`no answer within ${most.ms} ms`), most.ms)
    try {
      for (;;) {
        const line = this.lines.shift()
        if (line !== undefined) return line
        if (this.ended !== undefined) return { ended: this.ended }
        const length = this.begun.reduce((sum, each) => sum + each.length, 0)
        if (length > most.length) this.kill(`an answer of more than ${most.length} bytes`)
        else await new Promise<void>((resolve) => (this.changed = resolve))
      }
    } finally {
      clearTimeout(timer)
    }
  }

  private kill(why: string): void {
    this.process.kill('SIGKILL')
    this.stopped(why)
  }

  end(): void {
    this.process.stdin.end()
  }
}
