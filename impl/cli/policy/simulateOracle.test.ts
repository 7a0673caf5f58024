import { execFile } from 'node:child_process'
import { rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { runMain } from '../testing/runMain.ts'
import { oracleCommand, oracleSource } from './oracleCommand.fixture.ts'

const { simulate, write } = oracleCommand()
const echo = oracleSource('echo')

describe('polgate policy-data simulate', { timeout: 120_000 }, () => {
  test('prints only the output, with --chain-id before the command', async () => {
    const args = ['policy-data', 'simulate', '--wasm-file', echo, '--input-json', '{"a":1.50}']
    expect(await runMain('--chain-id', '31337', ...args)).toEqual({
      code: 0,
      stdout: '{"echo":{"a":1.50}}\n',
      stderr: '',
    })
  })

  test('an empty input is an empty object, like empty wasm_args', async () => {
    expect((await simulate('--wasm-file', echo, '--input-json', '')).stdout).toBe('{"echo":{}}\n')
  })

  test('an input that is not JSON is passed to the oracle unchanged', async () => {
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
    const ran = await simulate('--wasm-file', oracleSource(name), '--input-json', '{}')
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toMatch(text)
  })

  test('a file that is not a component fails as in the service', async () => {
    const path = await write('text.wasm', 'no component at all')
    expect(await simulate('--wasm-file', path, '--input-json', '{}')).toMatchObject({
      code: 1,
      stderr: 'error: WASM execution failed: the bytes are not a WebAssembly component\n',
    })
  })

  test('--limit overrides a limit', async () => {
    const ran = await simulate(
      ...['--wasm-file', oracleSource('loop'), '--input-json', '{}', '--limit', 'wallClockMs=200'],
    )
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.stderr).toContain('the run took longer than 200 ms')
  })

  test('--json prints output, content id, HTTP calls and stages', async () => {
    const good = await simulate('--wasm-file', echo, '--input-json', '{"a":1.50}', '--json')
    expect(good.stdout).toContain('"output":{"echo":{"a":1.50}}')
    expect(JSON.parse(good.stdout)).toMatchObject({
      error: null,
      specifier: expect.stringMatching(/^baf/),
      http: [],
      timings: { load: expect.any(Number), run: expect.any(Number), total: expect.any(Number) },
    })
    const bad = await simulate('--wasm-file', oracleSource('trap'), '--input-json', '{}', '--json')
    expect(bad).toMatchObject({ code: 1, stderr: '' })
    expect(JSON.parse(bad.stdout)).toMatchObject({
      output: null,
      error: expect.stringMatching(/^WASM execution failed: trap/),
    })
  })

  test('--timings are printed on stderr', async () => {
    const ran = await simulate('--wasm-file', echo, '--input-json', '{}', '--timings')
    expect(ran.stdout).toBe('{"echo":{}}\n')
    expect(ran.stderr).toMatch(/oracle\.wat {2}(load|transpile) .* ms, run .* ms\ntotal {2}.* ms/)
  })

  test('Ctrl-C ends it immediately', async () => {
    const cli = fileURLToPath(new URL('../polgate.mjs', import.meta.url))
    const limit = ['--limit', 'wallClockMs=600000']
    const args = [
      'policy-data',
      'simulate',
      '--wasm-file',
      oracleSource('loop'),
      '--input-json',
      'x',
    ]
    const ended = new Promise<{ signal: string | null }>((resolve) => {
      const child = execFile(process.execPath, [cli, ...args, ...limit], (error) => {
        resolve({ signal: error?.signal ?? null })
      })
      // The note is printed when the run starts.
      child.stderr?.once('data', () => setTimeout(() => child.kill('SIGINT'), 500))
    })
    expect((await ended).signal).toBe('SIGINT')
  })
})

describe('exit 2 for invalid usage', { timeout: 120_000 }, () => {
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
      '--record and --replay exclude each other',
    ],
    [['--wasm-file', echo, ...input, '--force'], 'require --record'],
    [['--wasm-file', echo, ...input, '--strict'], '--strict requires --replay'],
    [['--wasm-file', echo, ...input, '--replay', '/nowhere.yaml'], '/nowhere.yaml cannot be read'],
    [['--wasm-file', echo, ...input, '--secrets-schema', echo], 'requires --secrets-file'],
    [['--wasm-file', echo, '--input-json', `"${'x'.repeat(65_536)}"`], 'is larger than 64 KiB'],
  ])('%j', async (args, text) => {
    expect(await ran(...args)).toContain(text)
  })

  test('a chain id that is not a number', async () => {
    const args = ['policy-data', 'simulate', '--wasm-file', echo, ...input]
    const { code, stderr } = await runMain('--chain-id', 'mainnet', ...args)
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--chain-id takes a number, not "mainnet"'),
    })
  })

  test('a component larger than the limit of the service', async () => {
    const path = await write('large.wasm', '')
    await truncate(path, 64 * 1024 * 1024 + 1)
    expect(await ran('--wasm-file', path, ...input)).toContain('large.wasm is larger than 64 MiB')
    await rm(path)
  })

  test.each([
    ['not JSON', '{"KEY": hidden-value', 'secrets are not JSON'],
    ['not an object', '["hidden-value"]', 'secrets are not a JSON object'],
    ['not strings', '{"KEY": {"x": "hidden-value"}}', 'secrets are not all strings'],
    ['too large', `{"KEY": "${'hidden-value'.repeat(6_000)}"}`, 'is larger than 64 KiB'],
  ])('secrets that are %s, without printing them', async (_, content, text) => {
    const path = await write('bad.json', content)
    const stderr = await ran('--wasm-file', echo, ...input, '--secrets-file', path)
    expect(stderr).toContain(text)
    expect(stderr).not.toContain('hidden-value')
  })

  test('secrets that do not match their schema', async () => {
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
