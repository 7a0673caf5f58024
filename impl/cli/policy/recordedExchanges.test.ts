import dns from 'node:dns'
import { readFile } from 'node:fs/promises'
import net from 'node:net'
import {
  type FixtureHost,
  fixtureApiKey,
  startFixtureHost,
} from 'polgate-fixtures/host/fixtureHost.ts'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { oracleCommand, oracleSource } from './oracleCommand.fixture.ts'

const { simulate, file, write } = oracleCommand()
const echo = oracleSource('echo')

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

  test('are replayed without a socket, and contain no secret', async () => {
    const path = file('price.yaml')
    const recorded = await run('--record', path)
    expect(recorded).toMatchObject({ code: 0, stderr: `note: 1 exchange recorded in ${path}\n` })
    const text = await readFile(path, 'utf8')
    // biome-ignore lint/suspicious/noTemplateCurlyInString: literal text of the file
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
    expect(again.stderr).toContain('price.yaml already exists\n       Replace it with --force')
    expect(await readFile(path, 'utf8')).toBe(text)
    expect((await run('--record', path, '--force')).code).toBe(0)
  })

  test('include failures', async () => {
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

  test('a request that was not recorded fails the run, even if the oracle handles the error', async () => {
    const path = file('price.yaml')
    const ran = await simulate(
      ...['--wasm-file', price, '--input-json', '{"symbol":"BTC"}'],
      ...['--secrets-file', secrets, '--replay', path],
    )
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain('price.yaml has no answer to a request:')
    // biome-ignore lint/suspicious/noTemplateCurlyInString: so it is shown
    expect(ran.stderr).toContain('sent     ${secret:PRICE_FEED_URL}/price/BTC')
    expect(ran.stderr).not.toContain(fixtureApiKey)
  })

  test('unused exchanges are reported, and are an error with --strict', async () => {
    const path = file('price.yaml')
    const args = ['--wasm-file', echo, '--input-json', '{}', '--secrets-file', secrets]
    const told = await simulate(...args, '--replay', path)
    expect(told).toMatchObject({ code: 0, stdout: '{"echo":{}}\n' })
    expect(told.stderr).toContain('note: 1 recorded exchange was not used')
    const strict = await simulate(...args, '--replay', path, '--strict')
    expect(strict).toMatchObject({ code: 2, stdout: '' })
    const without = await simulate('--wasm-file', echo, '--input-json', '{}', '--replay', path)
    expect(without.stderr).toContain('error: the recording needs the secret PRICE_')
  })

  test('the wall-clock limit applies in a replay', async () => {
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
