import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { type LocalTarget, localTarget } from 'polgate-self-test/local/localTarget.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certify as command } from '../commands/certify.ts'
import { CannotRun, type CertifyOptions, certify, RunAborted, type RunEvent } from '../index.ts'

const cleanup = createCleanupStack()
const cwd = mkdtempSync(join(tmpdir(), 'polgate-api-'))
const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
let stack: LocalTarget
let target: string

/** Checks of a user, in a folder outside the clone. */
const own = {
  'passes.ts': `
    import { defineCheck } from 'polgate-conformance'
    export const passes = defineCheck({
      id: 'acme.passes', title: 'the public key of secrets is the same twice', level: 'must', clause: 'ACME-7',
      run: async (t) => {
        const read = async () => t.expect.result(await t.call('getSecretsPublicKey', {}))
        t.expect.equal(await read(), await read(), 'the public key')
        t.observe('the key was read twice')
      },
    })`,
  'fails.mjs': `
    import assert from 'node:assert/strict'
    const run = async (t) => assert.equal((await t.call('noSuchMethod', {})).error.code, -32000)
    export const fails = { id: 'acme.fails', title: 'an unknown method has our code', level: 'must', run }
    export const advises = { ...fails, id: 'acme.advises', level: 'should' }`,
  'untestable.mjs': `
    export const skipped = { id: 'acme.skipped', title: 'nothing', level: 'must', run: async (t) => t.untestable('no time') }
    export const needy = { id: 'acme.needy', title: 'nothing', level: 'may', needs: ['explorer'], run: async () => {} }`,
  'tools.mjs': `
    export const tools = {
      id: 'acme.tools', title: 'every tool works', level: 'must',
      needs: ['chain', 'explorer', 'webhook-receiver', 'client:allow-list', 'key:rpc'], twin: 'a valid call',
      run: async (t) => {
        await t.twin(() => t.call('getSecretsPublicKey', {}).then(t.expect.result))
        t.expect.equal(Number(await t.chain('eth_chainId')), t.target.chainId, 'the chain')
        t.expect.match(await t.chain('eth_getCode', [t.target.taskManager, 'latest']), /^0x../, 'the code')
        const tasks = await t.explorer('/task', { query: { size: 1 } })
        t.expect.that(tasks.status === 200, 'the status of the explorer', 200, tasks.status)
        t.expect.object(tasks.json, 'the tasks')
        t.expect.match(t.client('allow-list').policyClient, /^0x/, 'the policy client')
        t.expect.error(await t.post('{', {}), -32700)
        t.secret('ACME_TOKEN', 'a-token-of-acme-that-is-secret')
        t.observe('a-token-of-acme-that-is-secret')
        await t.withInbox(async (inbox) => {
          await fetch(inbox.url, { method: 'POST', body: 'hello' })
          t.expect.that(await inbox.wait(1, t.patienceMs(5000)), 'the inbox', 'a delivery', 'none')
        })
        if (t.seed('x') === t.seed('y')) throw new Error('seeds are equal')
      },
    }`,
}

beforeAll(async () => {
  cleanup.defer(() => rmSync(cwd, { recursive: true, force: true }))
  stack = await localTarget()
  cleanup.defer(stack.close)
  target = stack.target.gatewayUrl
  mkdirSync(join(cwd, '.svc'))
  writeFileSync(join(cwd, '.svc/stack.json'), JSON.stringify(stack.description))
  mkdirSync(join(cwd, 'checks'))
  for (const [name, text] of Object.entries(own)) writeFileSync(join(cwd, 'checks', name), text)
})
afterAll(cleanup.close)

const echo = ['^rpc\\.id\\.echo\\.uuid$']
const run = (options: Partial<CertifyOptions>) => certify({ target, cwd, env: {}, ...options })

/** Streams of a command. */
function io() {
  const said = { text: '' }
  const stream = {
    write: (text: string) => {
      said.text += text
    },
  }
  const { signal } = new AbortController()
  return { said, world: { stdout: stream, stderr: stream, env: {}, signal, cwd } }
}

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
      verdict: 'conformant',
      exitCode: 0,
      complete: true,
      ownAlone: false,
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
    // The key of this machine, which signed the certificate.
    expect(readdirSync(join(cwd, '.svc')).sort()).toEqual(
      [...before, 'certify-key.pem', 'certify-key.pem.pub'].sort(),
    )
  })

  test('several runs, one after the other and beside each other; without a directory nothing is written', async () => {
    const before = readdirSync(cwd)
    const alone = await run({ grep: echo })
    const both = await Promise.all([run({ grep: echo, workers: 2 }), run({ grep: echo })])
    expect([alone, ...both].map(({ verdict }) => verdict)).toEqual(Array(3).fill('conformant'))
    expect(alone.reports).toEqual({})
    expect(readdirSync(cwd)).toEqual(before)
  })

  test('a description as an object is a target too', async () => {
    const description = { gatewayUrl: target, keys: { read: stack.target.keys.read! } }
    expect((await run({ target: description, grep: echo })).verdict).toBe('conformant')
    const wrong = run({ target: { gatewayUrl: target, kees: {} } as never, grep: echo })
    await expect(wrong).rejects.toThrow(/unknown member 'kees'/)
    await expect(run({ target: {}, grep: echo })).rejects.toThrow(/has no gateway/)
  })

  test('a run that cannot start is a typed error, and changes no result', async () => {
    const wrong: readonly (readonly [Partial<CertifyOptions>, string])[] = [
      [{ target: 'http://127.0.0.1:1' }, 'no answer from'],
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
    expect(said).toBe('conformant 1\nended 0\n')
  })
})

describe.sequential('the checks of a gateway itself', () => {
  const reportsIn = (directory: string) =>
    ['events.ndjson', 'report.json', 'summary.md', 'report.html', 'junit.xml', 'ctrf.json'].map(
      (file) => readFileSync(join(directory, file), 'utf8'),
    )
  const statementIn = (directory: string) =>
    JSON.parse(
      Buffer.from(
        JSON.parse(readFileSync(join(directory, 'certificate.json'), 'utf8')).payload,
        'base64',
      ).toString(),
    ).predicate

  test('one that passes runs in every thread, is in every report, and proves no clause', async () => {
    const reportDir = join(cwd, 'own')
    const grep = ['rpc.id.echo', '^acme']
    const plain = await run({ grep: ['rpc.id.echo'] })
    const result = await run({
      checks: 'checks/{passes.ts,tools.mjs}',
      grep,
      reportDir,
      workers: 2,
    })
    expect(result.failures).toEqual([])
    expect([result.verdict, result.exitCode]).toEqual(['conformant', 0])
    expect(result.counts).toEqual(plain.counts)
    expect(result.own).toMatchObject({ total: 2, passed: 2 })
    for (const text of reportsIn(reportDir)) {
      expect(text).toContain('checks/passes.ts')
      expect(text).not.toContain('a-token-of-acme-that-is-secret')
    }
    const { passedTests, 'x-scope': scope, result: certified } = statementIn(reportDir)
    expect([certified, passedTests.length]).toEqual(['WARNED', 4])
    expect(scope.own).toEqual([
      {
        id: 'acme.passes',
        level: 'must',
        file: 'checks/passes.ts',
        sha256: expect.any(String),
        verdict: 'passed',
      },
      {
        id: 'acme.tools',
        level: 'must',
        file: 'checks/tools.mjs',
        sha256: expect.any(String),
        verdict: 'passed',
      },
    ])
    expect(scope.score).toMatchObject({ planned: 4, proven: 4 })
    const verified = io()
    const { verify } = await import('../commands/verify.ts')
    const code = await verify({ certificate: reportDir, partial: true }, verified.world)
    expect([code, verified.said.text]).toEqual([
      0,
      expect.stringContaining("and 2 of the gateway's own, which it does not cover"),
    ])
  })

  test('a required one that fails is exit 1 and no verdict about the specification', async () => {
    const reportDir = join(cwd, 'own-fails')
    const result = await run({
      checks: 'checks/fails.mjs',
      grep: ['rpc.id.echo', '^acme'],
      reportDir,
    })
    expect(result).toMatchObject({
      exitCode: 1,
      reason: "1 required checks of the gateway's own failed",
      counts: { passed: 4, failed: { must: 0 } },
      own: { failed: { must: 1, should: 1 } },
    })
    expect(result.failures[0]).toMatchObject({
      clauses: [],
      file: 'checks/fails.mjs',
      expected: '-32000',
      observed: '-32601',
    })
    expect(result.failures[0]!.curl).toContain('noSuchMethod')
    const [log, , summary] = reportsIn(reportDir)
    expect(summary).toContain('OWN CHECKS FAILED')
    expect(log).toContain('"own":{"file":"checks/fails.mjs"')
    expect(statementIn(reportDir).result).toBe('WARNED')
    expect(statementIn(reportDir).failedTests).toEqual([])
    const advice = await run({ checks: 'checks/fails.mjs', grep: ['rpc.id.echo', 'acme.advises'] })
    expect([advice.verdict, advice.exitCode]).toEqual(['conformant', 0])
  })

  test('alone they decide, and nothing is called conformant or certified', async () => {
    const reportDir = join(cwd, 'own-alone')
    const result = await run({ checks: ['checks/passes.ts'], tag: ['own'], reportDir })
    expect([result.exitCode, result.ownAlone, result.counts.total]).toEqual([0, true, 0])
    expect(reportsIn(reportDir)[2]).toContain('OWN CHECKS PASSED')
    expect(result.reports.certificate).toBeUndefined()
    expect(existsSync(join(reportDir, 'certificate.json'))).toBe(false)
  })

  test('a required one that cannot be tested makes the run inconclusive', async () => {
    // Where no stack is described.
    const result = await run({
      cwd: join(cwd, 'checks'),
      env: { SVC_KEY_READ: stack.target.keys.read },
      checks: 'untestable.mjs',
      grep: ['rpc.id.echo', '^acme'],
    })
    expect([result.exitCode, result.reason]).toEqual([
      3,
      "1 required checks of the gateway's own were untestable",
    ])
    expect(result.own).toMatchObject({ untestable: 2, total: 2 })
  })

  test('list, explain, the dry run, only failed and replay know them', async () => {
    const checks = ['checks/passes.ts', 'checks/fails.mjs']
    const { list } = await import('../commands/list.ts')
    const { explain } = await import('../commands/explain.ts')
    const { replay } = await import('../commands/replay.ts')
    const { replayId } = await import('../core/replayId.ts')
    const listed = io()
    expect(await list({ checks, tag: ['own'] }, listed.world)).toBe(0)
    expect(listed.said.text).toMatch(/^own +must +acme\.fails \{.*own\}/m)
    expect(listed.said.text).toContain('3 checks')
    const explained = io()
    expect(await explain(['acme.passes'], { checks }, explained.world)).toBe(0)
    expect(explained.said.text).toContain(
      "A check of the gateway's own: it proves no clause\n  ACME-7",
    )
    const planned = io()
    expect(await command({ target, checks, grep: ['acme'], dryRun: true }, planned.world)).toBe(0)
    expect(planned.said.text).toContain("own      3 checks of the gateway's own")
    const failing = io()
    expect(await command({ target, checks, grep: ['acme'], seed: '7' }, failing.world)).toBe(1)
    expect(failing.said.text).toContain('OWN CHECKS FAILED')
    const again = io()
    expect(await command({ onlyFailed: true }, again.world)).toBe(1)
    expect(again.said.text).toMatch(/own +0 of 2 passed/)
    const replayed = io()
    const what = [replayId('acme.fails', '0x00000007')]
    expect([await replay({ what }, replayed.world), replayed.said.text]).toEqual([
      1,
      expect.stringContaining('1 must, 0 should, 0 may failed'),
    ])
  })

  test('the examples of the documentation run: a reporter of a module, and two checks', async () => {
    cpSync(fileOf('conformance/own/examples'), join(cwd, 'examples'), { recursive: true })
    const readme = readFileSync(fileOf('conformance/README.md'), 'utf8')
    const blocks = [...readme.matchAll(/^```(?:ts|js)\n([\s\S]*?)^```$/gm)].map(([, text]) => text!)
    expect(blocks.at(-1)).toBe(readFileSync(join(cwd, 'examples/reporter.mjs'), 'utf8'))
    expect(blocks.at(-1)!.trim().split('\n')).toHaveLength(14)
    writeFileSync(
      join(cwd, 'examples/readme.ts'),
      blocks.find((text) => text.includes('defineCheck('))!,
    )
    const file = join(cwd, 'failures.txt')
    process.env.FAILURES_FILE = file
    const result = await run({
      checks: './examples/*.ts',
      grep: ['acme'],
      reporters: ['./examples/reporter.mjs'],
    }).finally(() => delete process.env.FAILURES_FILE)
    expect([result.exitCode, result.own]).toEqual([0, expect.objectContaining({ passed: 3 })])
    expect(readFileSync(file, 'utf8')).toBe(`conformant, seed ${result.seed}\n`)
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
      verdict: 'conformant',
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
    let text = ''
    const stream = {
      write: (more: string) => {
        text += more
      },
    }
    const world = {
      stdout: stream,
      stderr: stream,
      env: {},
      signal: new AbortController().signal,
      cwd,
    }
    expect(await command({ target, grep: echo, reporter: ['./none.mjs'] }, world)).toBe(2)
    expect(text).toContain('./none.mjs exports no reporter')
  })
})
