import { execFile } from 'node:child_process'
import dns from 'node:dns'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type FixtureHost,
  fixtureApiKey,
  startFixtureHost,
} from '../../../fixtures/host/fixtureHost.ts'
import { buildOracle } from '../../../fixtures/oracles/build.ts'
import { runMain } from '../rego/runMain.ts'

const oracle = (name: string) =>
  fileURLToPath(new URL(`../../../fixtures/oracles/${name}/oracle.wat`, import.meta.url))
const echo = oracle('echo')
const simulate = (...args: string[]) => runMain('policy-data', 'simulate', ...args)

let folder: string
const file = (name: string) => join(folder, name)
const write = async (name: string, content: string | Uint8Array) => {
  await writeFile(file(name), content)
  return file(name)
}
beforeAll(async () => {
  // Each command listens for the end of its reader.
  process.stdout.setMaxListeners(100)
  folder = await mkdtemp(join(tmpdir(), 'svc-oracle-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('svc policy-data simulate', { timeout: 120_000 }, () => {
  test('prints the output alone, the chain named before the verb', async () => {
    const args = ['policy-data', 'simulate', '--wasm-file', echo, '--input-json', '{"a":1.50}']
    expect(await runMain('--chain-id', '31337', ...args)).toEqual({
      code: 0,
      stdout: '{"echo":{"a":1.50}}\n',
      stderr: '',
    })
  })

  test('an empty input is an empty object, as empty wasm_args are', async () => {
    expect((await simulate('--wasm-file', echo, '--input-json', '')).stdout).toBe('{"echo":{}}\n')
  })

  test('an input that is no JSON reaches the oracle as it is', async () => {
    const { code, stderr } = await simulate('--wasm-file', echo, '--input-json', 'plain')
    expect(code).toBe(1)
    expect(stderr).toContain('note: --input-json is not JSON')
    expect(stderr).toContain('error: WASM execution failed: the output is not JSON')
  })

  test.each([
    ['trap', /^error: WASM execution failed: trap: /],
    ['failure', /^error: WASM execution failed: /],
    ['wasi-http', /the component of the given file imports wasi:http/],
  ])('a failure of the oracle %s is exit 1, with the text of the service', async (name, text) => {
    const ran = await simulate('--wasm-file', oracle(name), '--input-json', '{}')
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toMatch(text)
  })

  test('a file that is no component fails as it would in the service', async () => {
    const path = await write('text.wasm', 'no component at all')
    expect(await simulate('--wasm-file', path, '--input-json', '{}')).toMatchObject({
      code: 1,
      stderr: 'error: WASM execution failed: the bytes are no WebAssembly component\n',
    })
  })

  test('another limit is another bound', async () => {
    const ran = await simulate(
      ...['--wasm-file', oracle('loop'), '--input-json', '{}', '--limit', 'wallClockMs=200'],
    )
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.stderr).toContain('the run took longer than 200 ms')
  })

  test('--json says the output, the content id, the calls and the stages', async () => {
    const good = await simulate('--wasm-file', echo, '--input-json', '{"a":1.50}', '--json')
    expect(good.stdout).toContain('"output":{"echo":{"a":1.50}}')
    expect(JSON.parse(good.stdout)).toMatchObject({
      error: null,
      specifier: expect.stringMatching(/^baf/),
      http: [],
      timings: { load: expect.any(Number), run: expect.any(Number), total: expect.any(Number) },
    })
    const bad = await simulate('--wasm-file', oracle('trap'), '--input-json', '{}', '--json')
    expect(bad).toMatchObject({ code: 1, stderr: '' })
    expect(JSON.parse(bad.stdout)).toMatchObject({
      output: null,
      error: expect.stringMatching(/^WASM execution failed: trap/),
    })
  })

  test('--timings are on stderr', async () => {
    const ran = await simulate('--wasm-file', echo, '--input-json', '{}', '--timings')
    expect(ran.stdout).toBe('{"echo":{}}\n')
    expect(ran.stderr).toMatch(/oracle\.wat {2}(load|transpile) .* ms, run .* ms\ntotal {2}.* ms/)
  })

  test('Ctrl-C ends it at once', async () => {
    const cli = fileURLToPath(new URL('../svc.mjs', import.meta.url))
    const limit = ['--limit', 'wallClockMs=600000']
    const args = ['policy-data', 'simulate', '--wasm-file', oracle('loop'), '--input-json', 'x']
    const ended = new Promise<{ signal: string | null }>((resolve) => {
      const child = execFile(process.execPath, [cli, ...args, ...limit], (error) => {
        resolve({ signal: error?.signal ?? null })
      })
      // The note is written when it begins.
      child.stderr?.once('data', () => setTimeout(() => child.kill('SIGINT'), 500))
    })
    expect((await ended).signal).toBe('SIGINT')
  })
})

describe('what cannot be run is exit 2', { timeout: 120_000 }, () => {
  const input = ['--input-json', '{}']
  const ran = async (...args: string[]) => {
    const { code, stdout, stderr } = await simulate(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    return stderr
  }

  test.each([
    [['--wasm-file', echo, ...input, '--secret-file', 'x'], 'Did you mean --secrets-file?'],
    [input, "required option '--wasm-file <path>' not specified"],
    [['--wasm-file', echo], "required option '--input-json <json>' not specified"],
    [['--wasm-file', '/nowhere/oracle.wasm', ...input], '/nowhere/oracle.wasm does not exist'],
    [['--wasm-file', tmpdir(), ...input], 'is a directory'],
    [['--wasm-file', echo, ...input, '--limit', 'wallClokMs=1'], 'Did you mean wallClockMs?'],
    [['--wasm-file', echo, ...input, '--limit', 'httpCalls=many'], 'takes a whole number above 0'],
    [
      ['--wasm-file', echo, ...input, '--allow-host', 'localhost'],
      'takes host:port, not "localhost"',
    ],
    [
      ['--wasm-file', echo, ...input, '--record', 'a', '--replay', 'b'],
      'either --record or --replay',
    ],
    [['--wasm-file', echo, ...input, '--force'], 'go with --record'],
    [['--wasm-file', echo, ...input, '--strict'], '--strict goes with --replay'],
    [['--wasm-file', echo, ...input, '--replay', '/nowhere.yaml'], '/nowhere.yaml cannot be read'],
    [['--wasm-file', echo, ...input, '--secrets-schema', echo], 'goes with --secrets-file'],
    [['--wasm-file', echo, '--input-json', `"${'x'.repeat(65_536)}"`], 'is larger than 64 KiB'],
  ])('%j', async (args, text) => {
    expect(await ran(...args)).toContain(text)
  })

  test('a chain that is no number', async () => {
    const args = ['policy-data', 'simulate', '--wasm-file', echo, ...input]
    const { code, stderr } = await runMain('--chain-id', 'mainnet', ...args)
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--chain-id takes a number, not "mainnet"'),
    })
  })

  test('a component larger than the service takes', async () => {
    const path = await write('large.wasm', '')
    await truncate(path, 64 * 1024 * 1024 + 1)
    expect(await ran('--wasm-file', path, ...input)).toContain('large.wasm is larger than 64 MiB')
    await rm(path)
  })

  test.each([
    ['no JSON', '{"KEY": hidden-value', 'secrets are not JSON'],
    ['no object', '["hidden-value"]', 'secrets are not a JSON object'],
    ['no strings', '{"KEY": {"x": "hidden-value"}}', 'secrets are not all strings'],
    ['too large', `{"KEY": "${'hidden-value'.repeat(6_000)}"}`, 'is larger than 64 KiB'],
  ])('secrets that are %s, of which nothing is repeated', async (_, content, text) => {
    const path = await write('bad.json', content)
    const stderr = await ran('--wasm-file', echo, ...input, '--secrets-file', path)
    expect(stderr).toContain(text)
    expect(stderr).not.toContain('hidden-value')
  })

  test('secrets that their schema does not let pass', async () => {
    const secrets = await write('secrets.json', '{"KEY": "hidden-value"}')
    const schema = await write('schema.json', '{"properties": {"KEY": {"maxLength": 3}}}')
    const args = [
      '--wasm-file',
      echo,
      ...input,
      '--secrets-file',
      secrets,
      '--secrets-schema',
      schema,
    ]
    const stderr = await ran(...args)
    expect(stderr).toContain(
      'Secrets upload validation failed: KEY must NOT have more than 3 characters',
    )
    expect(stderr).not.toContain('hidden-value')
  })
})

describe('recorded exchanges', { timeout: 240_000 }, () => {
  let host: FixtureHost
  let price: string
  let secrets: string
  const run = (...more: string[]) =>
    simulate(
      ...['--wasm-file', price, '--input-json', '{"symbol":"ETH"}'],
      ...['--secrets-file', secrets, '--allow-host', host.hostPort, ...more],
    )

  beforeAll(async () => {
    host = await startFixtureHost()
    price = await write('price.wasm', await buildOracle('price'))
    const values = { PRICE_FEED_URL: host.url, PRICE_API_KEY: fixtureApiKey }
    secrets = await write('price.json', JSON.stringify(values))
  })
  afterAll(() => host.stop())

  test('are replayed without a socket, and hold no secret', async () => {
    const path = file('price.yaml')
    const recorded = await run('--record', path)
    expect(recorded).toMatchObject({ code: 0, stderr: `note: 1 exchange recorded in ${path}\n` })
    const text = await readFile(path, 'utf8')
    // biome-ignore lint/suspicious/noTemplateCurlyInString: so it stands in the file
    expect(text).toContain('url: ${secret:PRICE_FEED_URL}/price/ETH')
    expect(text).not.toContain(fixtureApiKey)
    expect(text).not.toContain(host.hostPort)

    const asked = host.requests().length
    const spies = [
      vi.spyOn(net.Socket.prototype, 'connect'),
      vi.spyOn(dns, 'lookup'),
      vi.spyOn(dns.promises.Resolver.prototype, 'resolve4'),
    ]
    const replayed = await run('--replay', path, '--strict')
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled()
      spy.mockRestore()
    }
    expect(host.requests()).toHaveLength(asked)
    expect(replayed).toEqual({ code: 0, stdout: recorded.stdout, stderr: '' })

    const again = await run('--record', path)
    expect(again).toMatchObject({ code: 2, stdout: '' })
    expect(again.stderr).toContain('price.yaml is there already\n       Replace it with --force')
    expect(await readFile(path, 'utf8')).toBe(text)
    expect((await run('--record', path, '--force')).code).toBe(0)
  })

  test('hold failures too', async () => {
    const path = file('failing.yaml')
    const other = await startFixtureHost()
    await other.stop()
    const values = { PRICE_FEED_URL: other.url, PRICE_API_KEY: fixtureApiKey }
    const args = ['--secrets-file', await write('gone.json', JSON.stringify(values))]
    const allow = ['--allow-host', other.hostPort]
    const recorded = await run(...args, ...allow, '--record', path)
    expect(recorded.stdout).toContain('ECONNREFUSED')
    expect(recorded.stderr).toContain('note: price_feed reports an error')
    expect(await run(...args, '--replay', path)).toMatchObject({ code: 0, stdout: recorded.stdout })
  })

  test('a request that was not recorded fails the run, whatever the oracle makes of it', async () => {
    const path = file('price.yaml')
    const ran = await simulate(
      ...['--wasm-file', price, '--input-json', '{"symbol":"BTC"}'],
      ...['--secrets-file', secrets, '--replay', path],
    )
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain('price.yaml has no answer to a request:')
    // biome-ignore lint/suspicious/noTemplateCurlyInString: so it is shown
    expect(ran.stderr).toContain('asked    ${secret:PRICE_FEED_URL}/price/BTC')
    expect(ran.stderr).not.toContain(fixtureApiKey)
  })

  test('those that are left over are told, and an error with --strict', async () => {
    const path = file('price.yaml')
    const args = ['--wasm-file', echo, '--input-json', '{}', '--secrets-file', secrets]
    const told = await simulate(...args, '--replay', path)
    expect(told).toMatchObject({ code: 0, stdout: '{"echo":{}}\n' })
    expect(told.stderr).toContain('note: 1 recorded exchange was not asked for')
    const strict = await simulate(...args, '--replay', path, '--strict')
    expect(strict).toMatchObject({ code: 2, stdout: '' })
    const without = await simulate('--wasm-file', echo, '--input-json', '{}', '--replay', path)
    expect(without.stderr).toContain('error: the recording needs the secret PRICE_')
  })

  test('the wall clock holds in replay', async () => {
    const text = await readFile(file('price.yaml'), 'utf8')
    const path = await write(
      'silent.yaml',
      text.replace(/ {4}response:.*$/s, '    unanswered: true\n'),
    )
    const ran = await run('--replay', path, '--limit', 'wallClockMs=1500')
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('WASM execution failed: the run took longer than 1500 ms')
  })

  test('a file of another version is refused', async () => {
    const text = await readFile(file('price.yaml'), 'utf8')
    const path = await write('newer.yaml', text.replace('version: 1', 'version: 7'))
    const ran = await run('--replay', path)
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain('has the version 7; this command reads version 1')
  })
})
