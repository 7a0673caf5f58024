import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { connectionLimit } from './connectionLimit.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

const here = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)))

/** Listens, opens files until there are no handles left, and for each line that it reads writes its state. */
const program = `
import { closeSync, openSync } from 'node:fs'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
const { connectionLimit, handlesExhausted } = await import(${here('./connectionLimit.ts')})
const { listen } = await import(${here('./listen.ts')})
const server = createServer((_, response) => response.end('ok'))
const { port } = await listen(server)
const write = (state) => process.stdout.write(JSON.stringify(state) + '\\n')
const open = []
write({ port, half: connectionLimit(1 / 2), most: server.maxConnections, exhausted: await handlesExhausted() })
for await (const line of createInterface(process.stdin)) {
  if (line === 'exhaust')
    for (;;)
      try {
        open.push(openSync('/dev/null'))
      } catch (error) {
        break
      }
  if (line === 'free') for (const each of open.splice(0)) closeSync(each)
  const { user, system } = process.cpuUsage()
  write({ cpuMs: (user + system) / 1000, exhausted: await handlesExhausted() })
}
process.exit()
`

type State = {
  readonly port: number
  readonly half: number
  readonly most: number
  readonly cpuMs: number
  readonly exhausted?: string
}

async function startProgram(handles: number) {
  const words = ['--import', 'tsx', '--input-type=module', '-e', program]
  const limited = `ulimit -n ${handles} && exec "$0" "$@"`
  const child = spawn('sh', ['-c', limited, process.execPath, ...words], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  cleanup.defer(async () => {
    child.stdin.end()
    if (child.exitCode === null) await once(child, 'exit')
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value as string) as State
  return {
    first: await next(),
    ask(line: string) {
      child.stdin.write(`${line}\n`)
      return next()
    },
  }
}

describe.runIf(process.platform === 'linux')('the limit of file handles', () => {
  it('is shared out, at least one connection each', () => {
    const all = connectionLimit(1)!
    expect(all).toBeGreaterThan(100)
    expect(connectionLimit(1 / 2)).toBe(Math.floor(all / 2))
    expect(connectionLimit(1e-9)).toBe(1)
  })

  it('limits every listener, and its end is noticed, without a busy loop, and until it is over', async () => {
    const { first, ask } = await startProgram(256)
    expect(first).toMatchObject({ half: 128, most: 16 })
    expect(first.exhausted).toBeUndefined()
    const begin = await ask('exhaust')
    expect(begin.exhausted).toMatch(/^no file handles are left \(EMFILE\)/)
    const callers = Array.from({ length: 10 }, () =>
      connect(first.port, '127.0.0.1').on('error', () => {}),
    )
    cleanup.defer(() => {
      for (const caller of callers) caller.destroy()
    })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const after = await ask('look')
    expect(after.exhausted).toBeDefined()
    expect(after.cpuMs - begin.cpuMs).toBeLessThan(500)
    expect((await ask('free')).exhausted).toBeUndefined()
    for (const caller of callers) caller.destroy()
    expect(await (await fetch(`http://127.0.0.1:${first.port}`)).text()).toBe('ok')
  })
})
