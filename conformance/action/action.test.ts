import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { type LocalTarget, localTarget } from 'polgate-self-test/local/localTarget.ts'
import { startNullServer } from 'polgate-self-test/nullTargets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { init } from '../commands/init.ts'
import { bash, readAction, runAction } from './runAction.fixture.ts'

const here = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '')
const command = fileURLToPath(new URL('../../impl/cli/polgate.mjs', import.meta.url))
const text = readFileSync(new URL('./action.yml', import.meta.url), 'utf8')
const action = readAction(text)
const cleanup = createCleanupStack()
const directory = mkdtempSync(join(tmpdir(), 'action-'))
let stack: LocalTarget
let keys: Readonly<Record<string, string>>

beforeAll(async () => {
  cleanup.defer(() => rmSync(directory, { recursive: true }))
  stack = await localTarget()
  cleanup.defer(stack.close)
  const { read, write, rpc } = stack.target.keys
  keys = { SVC_KEY_READ: read!, SVC_KEY_WRITE: write!, SVC_KEY_RPC: rpc! }
})
afterAll(cleanup.close)

/** Every reference to an action of others: a full commit, and the version that it is of. */
const pinned = /^ *-? *uses: [a-z-]+\/[a-z/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
const usesOf = (file: string) =>
  file.split('\n').filter((line) => /\buses: /.test(line) && !line.includes('uses: ./'))

const main = {
  ref: 'refs/heads/main',
  run_id: '4294967303',
  run_attempt: '1',
  'event.repository.default_branch': 'main',
}
let runs = 0

describe('the action', () => {
  test('references of others are pinned, inputs are documented, keys are no inputs', () => {
    expect(action.runs.using).toBe('composite')
    expect(usesOf(text)).toHaveLength(5)
    for (const line of usesOf(text)) expect(line).toMatch(pinned)
    for (const { uses, shell } of action.runs.steps)
      expect(shell).toBe(uses === undefined ? 'bash' : undefined)
    for (const [name, { description, required }] of Object.entries(action.inputs)) {
      expect(description.length).toBeGreaterThan(10)
      expect(required).toBe(name === 'target')
      expect(name).not.toMatch(/secret|token|^key$|api/)
    }
    for (const [name, { value }] of Object.entries(action.outputs))
      expect(value).toBe(`\${{ steps.certify.outputs.${name} }}`)
    // Values reach the scripts through the environment: an expression in a script would be code.
    for (const { run = '' } of action.runs.steps) {
      expect(run).not.toContain('${{')
      expect(run).not.toMatch(/set -[a-z]*x/)
    }
  })

  // The clone is installed already: `npm ci` would remove what runs this test.
  const installing = /^(Set up Node|Install the suite)$/
  const certifyOnly = {
    ...action,
    runs: { ...action.runs, steps: action.runs.steps.filter(({ name }) => !installing.test(name)) },
  }
  const certify = (
    inputs: Readonly<Record<string, string>>,
    github: object = {},
    env: object = {},
    cache = join(directory, 'cache'),
  ) => {
    const withCommand = {
      ...certifyOnly,
      runs: {
        ...certifyOnly.runs,
        steps: certifyOnly.runs.steps.map((step) =>
          step.id === 'certify' ? { ...step, env: { ...step.env, COMMAND: command } } : step,
        ),
      },
    }
    return runAction(withCommand, {
      inputs: { target: stack.target.gatewayUrl, arguments: '--grep rpc.id.echo', ...inputs },
      github: { ...main, ...github },
      env: { ...keys, ...env },
      workspace: join(directory, `work-${++runs}`),
      temp: join(directory, `temp-${runs}`),
      cache,
      place: here,
    })
  }

  test('a run of a live gateway: outputs, summary, artifact, alerts; no key anywhere', async () => {
    const { code, stdout, outputs, summary, used } = await certify({ 'code-scanning': 'true' })
    expect([code, outputs['exit-code'], outputs.gate]).toEqual([0, '0', 'not-compared'])
    expect(outputs).toMatchObject({
      seed: '0x00000007',
      failed: '0',
      'report-dir': 'conformance-report',
    })
    // Selected checks prove no profile, and are no verdict of the gateway.
    expect(outputs.profiles).toBe('')
    for (const [name, value] of Object.entries(outputs))
      if (name !== 'profiles') expect([name, value]).not.toEqual([name, ''])
    expect(summary).toContain('SELECTED CHECKS PASSED')
    expect(used.map(({ name }) => name)).toEqual([
      'actions/upload-artifact',
      'github/codeql-action/upload-sarif',
    ])
    const sarif = join(directory, `work-${runs}`, used[1]!.with.sarif_file!)
    expect(JSON.parse(readFileSync(sarif, 'utf8')).version).toBe('2.1.0')
    for (const key of Object.values(keys)) expect(stdout + summary).not.toContain(key)
  })

  test('a failing run fails the job, with annotations; one that could not run reports nothing as repaired', async () => {
    const wrong = { SVC_KEY_READ: 'an-unknown-key' }
    const failed = await certify({ 'code-scanning': 'true' }, {}, wrong)
    expect([failed.code, failed.outputs['exit-code']]).toEqual([3, '3'])
    expect(failed.stdout.split('\n').some((line) => line.startsWith('::error title='))).toBe(true)
    const lines = failed.stdout.split('\n')
    const stop = lines.findIndex((line) => line.startsWith('::stop-commands::'))
    expect(lines.indexOf(`::${lines[stop]!.slice('::stop-commands::'.length)}::`)).toBeGreaterThan(
      stop,
    )
    expect(failed.used.map(({ name }) => name)).toEqual(['actions/upload-artifact'])
    const refusing = await startNullServer('reject-everything')
    cleanup.defer(refusing.close)
    const refuted = await certify({ target: refusing.url, 'code-scanning': 'true' })
    expect([refuted.code, refuted.outputs.failed]).toEqual([1, '4'])
    expect(refuted.used).toHaveLength(2)
    const none = await certify({ target: 'http://127.0.0.1:1', 'code-scanning': 'true' })
    expect([none.code, none.outputs['exit-code'], none.used]).toEqual([2, '2', []])
  })

  test('the gate: the first run says that nothing was compared, later ones are; only better ones are kept', async () => {
    const kept = () => existsSync(join(directory, 'cache/events.ndjson'))
    const branch = { ref: 'refs/heads/topic' }
    const early = await certify({ gate: 'true' }, branch)
    expect([early.code, early.outputs.gate, kept()]).toEqual([0, 'no-reference', false])
    expect(early.stdout).toContain('::warning title=comparison::not compared with')
    const first = await certify({ gate: 'true' })
    expect([first.outputs.gate, kept()]).toEqual(['no-reference', true])
    expect(first.used[1]!.with.key).toBe('polgate-default@run-4294967303-1')
    const second = await certify({ gate: 'true' }, branch)
    expect([second.code, second.outputs.gate]).toEqual([0, 'passed'])
    const reference = readFileSync(join(directory, 'cache/events.ndjson'), 'utf8')
    const worse = await certify({
      gate: 'true',
      arguments: '--grep rpc.id.echo --exclude uuid',
    })
    expect([worse.code, worse.outputs.gate]).toEqual([1, 'failed'])
    expect(worse.summary).toContain('WORSE')
    expect(readFileSync(join(directory, 'cache/events.ndjson'), 'utf8')).toBe(reference)
    writeFileSync(join(directory, 'cache/events.ndjson'), 'damaged\n')
    const damaged = await certify({ gate: 'true' }, branch)
    expect([damaged.code, damaged.outputs['exit-code']]).toEqual([2, '2'])
  })

  test('a run that --bail stopped is not kept, and its failures are no alerts', async () => {
    const refusing = await startNullServer('reject-everything')
    cleanup.defer(refusing.close)
    const cache = join(directory, 'cache-bail')
    const { outputs, used } = await certify(
      {
        target: refusing.url,
        // Every line counts.
        arguments: '--grep rpc.id.echo\n--bail 1\n--workers 1 --concurrency 1\n',
        gate: 'true',
        'gate-key': 'bail',
        'code-scanning': 'true',
      },
      {},
      {},
      cache,
    )
    expect([outputs['exit-code'], outputs.gate]).toEqual(['1', 'no-reference'])
    const report = join(directory, `work-${runs}`, 'conformance-report/report.json')
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ bail: 1, complete: true })
    expect(used.map(({ name }) => name)).toEqual([
      'actions/cache/restore',
      'actions/upload-artifact',
    ])
    expect(existsSync(cache)).toBe(false)
  })

  test.each([
    ['target', ''],
    ['seed', 'a[$(touch ran >&2)]'],
    ['seed', '08'],
    ['seed', ''],
    ['gate-key', 'prod@run-1'],
  ])('an input that is refused ends the job before anything else: %s %j', async (name, value) => {
    const { code, stdout, used } = await certify({ gate: 'true', [name]: value })
    expect([code, used]).toEqual([2, []])
    expect(stdout).toMatch(new RegExp(`^::error title=${name}::the [^\n]+\n$`))
    expect(existsSync(join(directory, `work-${runs}`, 'ran'))).toBe(false)
  })

  test('gateways with similar keys share neither a cache nor a directory', async () => {
    const fetchOnly = {
      ...action,
      runs: {
        ...action.runs,
        steps: action.runs.steps.filter(({ id, name }) => id === 'inputs' || /^Fetch/.test(name)),
      },
    }
    const restores = []
    for (const key of ['prod', 'prod-eu', 'prod/eu', 'prod_eu', '../../prod']) {
      const { code, used } = await runAction(fetchOnly, {
        inputs: { target: 'http://a.example', gate: 'true', 'gate-key': key },
        github: main,
        env: {},
        workspace: join(directory, 'work-keys'),
        temp: join(directory, 'temp-keys'),
        cache: join(directory, 'cache-keys'),
        place: here,
      })
      expect(code).toBe(0)
      restores.push(used[0]!.with)
    }
    expect(new Set(restores.map(({ path }) => path)).size).toBe(restores.length)
    for (const { path } of restores) expect(dirname(path!)).toBe(join(directory, 'temp-keys'))
    for (const { 'restore-keys': prefix } of restores)
      expect(restores.filter(({ key }) => key!.startsWith(prefix!))).toHaveLength(1)
  })

  test('without a package and outside the repository of the suite the set-up fails with one line', async () => {
    const alone = join(directory, 'alone')
    mkdirSync(alone)
    const { code, stdout, used } = await runAction(action, {
      inputs: { target: stack.target.gatewayUrl },
      github: main,
      env: {},
      workspace: join(alone, 'work'),
      temp: join(alone, 'temp'),
      cache: join(alone, 'cache'),
      place: alone,
    })
    expect([code, used.map(({ name }) => name)]).toEqual([2, ['actions/setup-node']])
    expect(stdout).toBe(
      '::error title=suite::no suite is installed: set the input package to polgate-conformance with its version\n',
    )
  })
})

describe('polgate init', () => {
  const written = async (ci: readonly string[], more: object = {}) => {
    const cwd = mkdtempSync(join(directory, 'init-'))
    let said = ''
    const stdout = {
      write: (part: string) => {
        said += part
      },
    }
    const { signal } = new AbortController()
    const world = { stdout, stderr: stdout, env: {}, signal, cwd }
    await init({ url: stack.target.gatewayUrl, ci, ...more }, world)
    const read = (path: string) => readFileSync(join(cwd, path), 'utf8')
    return { cwd, said, read, world }
  }

  test('--ci github: a workflow that uses the action, with pinned references and the exact version', async () => {
    const { read, said } = await written(['github'])
    expect(said).toContain('wrote .github/workflows/certify.yml')
    expect(read('.github/actions/certify/action.yml')).toBe(text)
    const file = read('.github/workflows/certify.yml')
    for (const line of usesOf(file)) expect(line).toMatch(pinned)
    const workflow = parse(file)
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const { steps } = workflow.jobs.certify
    const step = steps.at(-1)
    expect(step.uses).toBe('./.github/actions/certify')
    expect(step.with).toEqual({
      target: 'svc-target.yaml',
      package: `polgate-conformance@${packageVersion}`,
      gate: 'true',
    })
    for (const name of Object.keys(step.with)) expect(Object.keys(action.inputs)).toContain(name)
    expect(step.env.SVC_KEY_READ).toBe('${{ secrets.SVC_KEY_READ }}')
    // The gateway is started by the suite: that needs the package of the whole stack.
    const image = await written(['github'], { url: undefined, preset: 'image' })
    expect(image.read('.github/workflows/certify.yml')).toContain(
      `package: polgate@${packageVersion}`,
    )
  })

  test('--ci shell: the script certifies the gateway, compares, and keeps what is no worse', async () => {
    const { cwd, read } = await written(['shell'])
    const run = (args: string, env: object = {}) => {
      const { PATH, HOME } = process.env
      const all = { PATH, HOME, POLGATE: command, ...keys, ...env }
      return bash(`sh certify.sh ${args}`, cwd, all)
    }
    const selection = '--grep rpc.id.echo'
    const plain = await run(selection)
    expect([plain.code, plain.stdout]).toEqual([
      0,
      expect.stringContaining('SELECTED CHECKS PASSED'),
    ])
    expect(existsSync(join(cwd, '.svc/reference'))).toBe(false)
    const gate = { GATE: 'true', KEEP_REFERENCE: 'true', REPORT_DIR: 'out' }
    const first = await run(selection, gate)
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringContaining('comparison no-reference'),
    ])
    const kept = read('.svc/reference/events.ndjson')
    const worse = await run(`${selection} --exclude uuid`, gate)
    expect([worse.code, worse.stdout]).toEqual([1, expect.stringContaining('comparison failed')])
    expect(read('.svc/reference/events.ndjson')).toBe(kept)
    const none = await run(selection, { ...gate, SVC_KEY_READ: '' })
    expect(none.code).toBe(1)
    expect(existsSync(join(cwd, 'out/junit.xml'))).toBe(true)
  })

  test('--ci shell: a run that --bail stopped is not kept', async () => {
    const { cwd } = await written(['shell'])
    const { PATH, HOME } = process.env
    const refusing = await startNullServer('reject-everything')
    cleanup.defer(refusing.close)
    writeFileSync(join(cwd, 'svc-target.yaml'), `gatewayUrl: ${refusing.url}\n`)
    const env = { PATH, HOME, POLGATE: command, ...keys, GATE: 'true', KEEP_REFERENCE: 'true' }
    const args = '--grep rpc.id.echo --bail 1 --workers 1 --concurrency 1'
    const { code, stdout } = await bash(`sh certify.sh ${args}`, cwd, env)
    expect([code, stdout]).toEqual([1, expect.stringContaining('stopped by --bail 1')])
    expect(existsSync(join(cwd, '.svc/reference'))).toBe(false)
  })

  test('--ci shell: the suite is installed without any key', async () => {
    const { cwd, read } = await written(['shell'])
    writeFileSync(join(cwd, 'npm'), '#!/bin/sh\nenv > seen\nexit 1\n', { mode: 0o755 })
    const { PATH, HOME } = process.env
    const env = {
      PATH: `${cwd}${delimiter}${PATH}`,
      HOME,
      SVC_KEY_2: 'a',
      SVC_key_read: 'b',
      ...keys,
    }
    expect((await bash('sh certify.sh', cwd, env)).code).toBe(1)
    expect(read('seen')).toContain('HOME=')
    expect(read('seen')).not.toContain('SVC_')
  })

  test('--ci gitlab: a job that runs the script, keeps reports and caches the reference on the default branch', async () => {
    const { cwd, read } = await written(['gitlab'])
    const { certify: job, ...others } = parse(read('.gitlab/certify.yml'))
    expect(others).toEqual({})
    expect(job.artifacts.reports.junit).toBe('conformance-report/junit.xml')
    expect(job.rules[0].variables).toEqual({
      REFERENCE_POLICY: 'pull-push',
      KEEP_REFERENCE: 'true',
    })
    expect(job.cache[0]).toMatchObject({
      policy: '$REFERENCE_POLICY',
      paths: ['.svc/reference/'],
      unprotect: true,
    })
    // As a runner: the variables of the job and of its rule, every line of the script in one shell.
    const { PATH, HOME } = process.env
    const env = {
      PATH,
      HOME,
      POLGATE: command,
      ...keys,
      ...job.variables,
      ...job.rules[0].variables,
      CERTIFY_OPTIONS: '--grep rpc.id.echo',
    }
    const { code, stdout } = await bash(job.script.join('\n'), cwd, env)
    expect([code, stdout]).toEqual([0, expect.stringContaining('comparison no-reference')])
    expect(existsSync(join(cwd, job.artifacts.reports.junit))).toBe(true)
    expect(existsSync(join(cwd, job.cache[0].paths[0], 'events.ndjson'))).toBe(true)
  }, 300_000)

  test('an unknown system, an existing file and a path that needs quoting are refused', async () => {
    await expect(written(['jenkins'])).rejects.toThrow("unknown CI system 'jenkins'")
    await expect(written(['shell'], { output: 'a b.yaml' })).rejects.toThrow(
      'cannot be named in a workflow',
    )
    const { world } = await written(['shell', 'github', 'gitlab'])
    await expect(
      init({ url: stack.target.gatewayUrl, output: 'other.yaml', ci: ['shell'] }, world),
    ).rejects.toThrow('certify.sh already exists')
  })
})
