import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certify as command } from '../commands/certify.ts'
import { CannotRun, type CertifyOptions, RunAborted, type RunEvent } from '../index.ts'
import { commandWorld, openUsersFolder, type UsersFolder } from './usersFolder.fixture.ts'

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
let folder: UsersFolder
let cwd: string
let target: string
let run: UsersFolder['run']

beforeAll(async () => {
  folder = await openUsersFolder()
  ;({ cwd, target, run } = folder)
})
afterAll(() => folder.close())

const echo = ['^rpc\\.id\\.echo\\.uuid$']

describe.sequential('certify()', () => {
  test('resolves with a typed result, and tells every event that is in the log', async () => {
    const events: RunEvent[] = []
    const listened = process.listenerCount('unhandledRejection')
    const before = readdirSync(join(cwd, '.svc')).sort()
    const result = await run({
      grep: ['rpc.id.echo'],
      reportDir: join(cwd, 'out'),
      seed: '0x5eed42',
      onEvent: (event) => void events.push(event),
    })
    expect(result).toMatchObject({
      verdict: 'selected-checks-passed',
      exitCode: 0,
      complete: true,
      seed: '0x005eed42',
      target: { gatewayUrl: target },
      counts: { total: 4, passed: 4, failed: { must: 0, should: 0, may: 0 }, untestable: 0 },
      failures: [],
      reporterErrors: [],
    })
    expect(result.own).toBeUndefined()
    const logged = readFileSync(result.reports.events!, 'utf8').trim().split('\n')
    expect(events).toEqual(logged.map((line) => JSON.parse(line)))
    for (const path of Object.values(result.reports)) expect(existsSync(path)).toBe(true)
    expect(process.listenerCount('unhandledRejection')).toBe(listened)
    // A part of the checks has no certificate, so no key was made to sign one.
    expect(readdirSync(join(cwd, '.svc')).sort()).toEqual(before)
  })

  test('several runs, one after the other and beside each other; without a directory nothing is written', async () => {
    const before = readdirSync(cwd)
    const alone = await run({ grep: echo })
    const both = await Promise.all([run({ grep: echo, workers: 2 }), run({ grep: echo })])
    expect([alone, ...both].map(({ verdict }) => verdict)).toEqual(
      Array(3).fill('selected-checks-passed'),
    )
    expect(alone.reports).toEqual({})
    expect(readdirSync(cwd)).toEqual(before)
  })

  test('a description as an object is a target too', async () => {
    const description = { gatewayUrl: target, keys: { read: folder.stack.target.keys.read! } }
    expect((await run({ target: description, grep: echo })).verdict).toBe('selected-checks-passed')
    const wrong = run({ target: { gatewayUrl: target, kees: {} } as never, grep: echo })
    await expect(wrong).rejects.toThrow(/unknown member 'kees'/)
    await expect(run({ target: {}, grep: echo })).rejects.toThrow(/has no gateway/)
  })

  test('a run that cannot start is a typed error, and changes no result', async () => {
    const wrong: readonly (readonly [Partial<CertifyOptions>, string])[] = [
      [{ target: 'http://127.0.0.1:1' }, 'no answer from'],
      [{ target: '' }, 'the target is empty'],
      [{ grep: ['rpc.createTsk'] }, 'matches no check'],
      [{ checks: './checks/none-*.ts' }, 'matches no file'],
      [{ report: ['jnit'] }, "unknown report 'jnit'"],
      [{ reporters: ['./missing.mjs'] }, 'cannot load missing.mjs'],
      [{ workers: 1000 }, "--workers '1000'"],
    ]
    for (const [options, said] of wrong) {
      const error = await run({ grep: echo, ...options }).catch((thrown) => thrown)
      expect([error instanceof CannotRun, error.message]).toEqual([
        true,
        expect.stringContaining(said),
      ])
    }
  })

  test('an aborted run resolves as interrupted, before its first check it rejects', async () => {
    const now = AbortSignal.abort()
    await expect(run({ grep: echo, signal: now })).rejects.toBeInstanceOf(RunAborted)
    const interrupt = new AbortController()
    const onEvent = ({ type }: RunEvent) => {
      if (type === 'check-finished') interrupt.abort()
    }
    const result = await run({
      clause: ['4.1'],
      concurrency: 1,
      signal: interrupt.signal,
      onEvent,
    })
    expect([result.verdict, result.exitCode, result.complete]).toEqual(['interrupted', 130, false])
  })

  test('leaves nothing running: a program that awaited a run ends by itself', async () => {
    const program = join(cwd, 'program.mts')
    const index = JSON.stringify(fileOf('conformance/index.ts'))
    writeFileSync(
      program,
      `import { certify } from ${index}
       const result = await certify({ target: ${JSON.stringify(target)}, grep: ['rpc.id.echo', 'acme'], checks: 'checks/passes.ts' })
       console.log(result.verdict, result.own?.passed)
       process.on('exit', (code) => console.log('ended', code))`,
    )
    const tsx = fileOf('node_modules/tsx/dist/loader.mjs')
    const { PATH, HOME } = process.env
    const said = await new Promise<string>((resolve) => {
      const options = { cwd, env: { PATH, HOME }, timeout: 60_000 }
      execFile(process.execPath, ['--import', tsx, program], options, (error, out, err) =>
        resolve(`${out}${error === null ? '' : `${error.message}${err}`}`),
      )
    })
    expect(said).toBe('selected-checks-passed 1\nended 0\n')
  })
})

describe.sequential('reporters', () => {
  test('cannot change a verdict, and their errors are reported: exit 0 becomes 2', async () => {
    const ends: unknown[] = []
    const result = await run({
      grep: ['rpc.id.echo'],
      reporters: [
        {
          name: 'spoiler',
          onEvent: (event) => {
            Object.assign(event, { verdict: 'failed', level: 'must' })
            throw new Error('disk full')
          },
          onEnd: (end) => {
            Object.assign(end, { verdict: 'not-conformant' })
            ends.push(end)
          },
        },
        { onEnd: async () => Promise.reject(new Error('no network')) },
      ],
    })
    expect(result).toMatchObject({
      verdict: 'selected-checks-passed',
      exitCode: 2,
      reporterErrors: [
        'reporter spoiler failed: disk full',
        'reporter without a name failed: no network',
      ],
    })
    expect(ends).toHaveLength(1)
  })

  test('of the command line: a module that exports none is exit 2, before the run', async () => {
    writeFileSync(join(cwd, 'none.mjs'), 'export default { onEnd: 3 }')
    const { said, world } = commandWorld(cwd)
    expect(await command({ target, grep: echo, reporter: ['./none.mjs'] }, world)).toBe(2)
    expect(said.text).toContain('./none.mjs exports no reporter')
  })
})
