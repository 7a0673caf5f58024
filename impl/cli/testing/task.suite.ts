import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { devPrivateKeys } from 'polgate-chain/accounts.ts'
import { afterEach, expect, test, vi } from 'vitest'
import type { AuthorStack } from './authorStack.ts'

/** `polgate task`. */
export function taskSuite(author: () => AuthorStack): void {
  const task = (...args: readonly string[]) => author().run('task', ...args)
  const create = (client: string, ...args: readonly string[]) =>
    task('create', '--client', client, '--to', 'recipient', ...args)
  const created = async (client: string, ...args: readonly string[]) =>
    JSON.parse((await create(client, ...args, '--json')).stdout)

  afterEach(() => vi.unstubAllEnvs())

  test('create tells allow from deny by its exit code, with the reasons', async () => {
    const allowed = await create('cap', '--value', '7')
    expect(allowed).toMatchObject({ code: 0, stderr: '' })
    expect(allowed.stdout).toMatch(/^task {6}0x[0-9a-f]{64}\ndecision {2}allow\nvalid {5}until/)
    const denied = await create('token-transfer', '--call', 'f(uint8)', '1')
    expect(denied.code).toBe(1)
    expect(denied.stdout).toContain('decision  deny\nreason    not a transfer of the token\n')
    const bare = await create('signed-intent')
    expect(bare.stdout).toMatch(/^decision {2}deny\n(no reason polgate task trace 0x|reason {4})/m)
    const failed = await create('trapping-oracle')
    expect(failed).toMatchObject({ code: 2, stdout: '' })
    expect(failed.stderr).toContain('ORACLE_FAILED')
  })

  test('a signed intent is accepted from a key in the environment', async () => {
    vi.stubEnv('MY_KEY', devPrivateKeys[1])
    const { policyClient } = author().stack.description.clients['signed-intent']!
    const { code, stderr } = await task(
      ...['create', '--client', policyClient, '--to', 'recipient', '--sign', '--key', 'MY_KEY'],
    )
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  })

  test('watch prints the state of an ended task; its exit code is the decision', async () => {
    const { taskId } = await created('cap', '--value', '8')
    const { code, stdout } = await task('watch', taskId)
    expect(code).toBe(0)
    expect(stdout).toMatch(/success +100 % {2}data from 0, signatures from 4 {2}allow\n$/)
    const denied = await created('token-transfer', '--value', '8')
    expect(await task('watch', denied.taskId, '--json')).toMatchObject({ code: 1 })
  })

  test('spend reports gas once, and what the contract says to a second time', async () => {
    const { taskId } = await created('cap')
    vi.stubEnv('OTHER_KEY', devPrivateKeys[4])
    const other = await task('spend', taskId, '--key', 'OTHER_KEY')
    expect(other.code).toBe(1)
    expect(other.stderr).toContain('not the sender of the intent')
    const spent = await task('spend', taskId, '--key', 'sender', '--json')
    expect(spent.code).toBe(0)
    expect(JSON.parse(spent.stdout)).toMatchObject({ taskId, executed: true })
    expect(JSON.parse(spent.stdout).gas).toBeGreaterThan(100_000)
    const vault = await task('spend', taskId, '--function', 'withdraw')
    expect(vault).toMatchObject({ code: 1 })
    expect(vault.stderr).toContain('has no function withdraw(task, response, signatureData)')
    const again = await task('spend', taskId)
    expect(again.code).toBe(1)
    expect(again.stderr).toContain(`AttestationAlreadySpent(${taskId})`)
    const denied = await created('token-transfer', '--value', '9')
    expect(await task('spend', denied.taskId)).toMatchObject({ code: 1 })
  })

  test('no key is on the command line or in an error', async () => {
    const { taskId } = await created('cap', '--value', '10')
    const [key] = devPrivateKeys
    for (const text of [key, key.slice(2)]) {
      const { code, stderr } = await task('spend', taskId, '--key', text)
      expect(code).toBe(2)
      expect(stderr).toContain('must not be the key itself')
      expect(stderr).not.toContain(key.slice(2))
    }
    vi.stubEnv('BAD_KEY', `${key}00`)
    const { stderr } = await task('spend', taskId, '--key', 'BAD_KEY')
    expect(stderr).toContain('does not contain a private key')
    expect(stderr).not.toContain(key.slice(2))
  })

  test('trace shows where operators differ, and what a gateway alone publishes', async () => {
    author().stack.fixtureHost.setSpread(0.01)
    const args = ['priced-transfer', '--wasm-args', '{"symbol":"ETH"}']
    const { taskId } = await created(...(args as [string, ...string[]]), '--value', '11')
    author().stack.fixtureHost.reset()
    const traced = async () => await task('trace', taskId, '--json')
    await expect.poll(async () => JSON.parse((await traced()).stdout).unknown).toEqual([])
    const { code, stdout } = await traced()
    expect(code).toBe(0)
    const trace = JSON.parse(stdout)
    expect(trace).toMatchObject({
      ...{ taskId, status: 'success', decision: { allow: true }, entrypoint: 'policy.allow' },
      votes: { signed: 4, known: 4, stake: 100, threshold: 67 },
      unknown: [],
    })
    const [settled] = trace.settled.map(JSON.parse)
    const paths = new Set<string>()
    for (const { outputs, differences } of trace.operators) {
      const own = JSON.parse(outputs[0])
      for (const { path, own: text, settled: other } of differences) {
        paths.add(path)
        const name = path.replace('price_feed.', '')
        expect([text, other]).toEqual([`${own.price_feed[name]}`, `${settled.price_feed[name]}`])
      }
    }
    expect([...paths]).toContain('price_feed.price')
    expect((await task('trace', taskId)).stdout).toMatch(/differs at price_feed\.price: \d+/)

    const { gatewayUrl, chain } = author().stack.description
    const file = join(author().directory, 'gateway.yaml')
    const { rpcUrl, chainId, taskManager, operatorRegistry } = chain
    await writeFile(
      file,
      JSON.stringify({
        ...{ gatewayUrl, keys: { rpc: `\${RPC_KEY}` } },
        chain: { rpcUrl, chainId, taskManager, operatorRegistry },
      }),
    )
    vi.stubEnv('RPC_KEY', author().stack.description.apiKeys.rpc)
    const { runMain } = await import('./runMain.ts')
    const remote = await runMain('task', 'trace', taskId, '--target', file)
    expect(remote).toMatchObject({ code: 0, stderr: '' })
    expect(remote.stdout).toContain('settled    {"price_feed"')
    expect(remote.stdout).toMatch(/unknown +oracle outputs of the operators, deny reasons/)
    expect(remote.stdout).toMatch(/unknown +steps on chain/)
  })

  test('trace of a failed task has the error of each operator', async () => {
    const { stderr } = await create('trapping-oracle', '--value', '12')
    const taskId = /Task: (0x[0-9a-f]{64})/.exec(stderr)?.[1] ?? ''
    const { stdout } = await task('trace', taskId)
    expect(stdout).toMatch(/^task +0x[0-9a-f]+ {2}failed\nerror +/)
    expect(stdout.match(/error: .*trap/g)).toHaveLength(4)
  })

  const to = ['--client', 'cap', '--to', 'recipient']
  test.each([
    [['create', '--to', 'recipient'], 'no policy client'],
    [['create', '--client', 'capp', '--to', 'recipient'], 'neither an address nor known'],
    [['create', '--client', 'cap'], 'no recipient'],
    [['create', ...to, '--value', '1.5'], 'is not an amount'],
    [['create', ...to, '--signature', '0x12'], 'is not a signature'],
    [['create', ...to, '--sign', '--signature', '0x12'], 'exclude each other'],
    [['create', '--package', 'no-such-folder'], 'does not exist'],
    [['create', ...to, '--value', '-1'], 'is not an amount'],
    [['create', ...to, '--value', '0.0000000000000000001ether'], 'is not an amount'],
    [['create', ...to, '--value', '9'.repeat(78)], 'is not an amount'],
    [['create', ...to, '--data', '0x1'], 'is not hex'],
    [['create', ...to, '--data', '0x', '--call', 'f()'], 'exclude each other'],
    [['create', ...to, '--call', 'transfer(addres)', '0x'], 'not a function signature'],
    [['create', ...to, '--call', 'f(uint8)'], 'takes 1 arguments, not 0'],
    [['create', ...to, '--call', 'f(uint8)', '256'], '--call'],
    [['create', ...to, '--call', 'f(uint256[2])', '[1]'], 'not an array of that length'],
    [['create', ...to, '--call', 'f(uint256[])', '[99999999999999999999]'], 'must be a string'],
    [['create', ...to, '--call', 'f(bool)', 'yes'], 'use true or false'],
    [['create', ...to, '--wasm-args', 'x'.repeat(65 * 1024)], '--wasm-args is larger'],
    [['create', ...to, '--threshold', '101'], '1 to 100'],
    [
      ['create', ...to, '--sign', '--from', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'],
      'the key of',
    ],
    [['watch', '0x12'], 'is not a task id'],
    [['watch', `0x${'0'.repeat(64)}`], 'TASK_NOT_FOUND'],
    [['spend', `0x${'0'.repeat(64)}`, '--function', 'a b'], 'not the name of a function'],
    [['spend', `0x${'0'.repeat(64)}`, '--key', 'NO_SUCH_VARIABLE'], 'neither an account'],
    [['trace', 'x'], 'is not a task id'],
  ])('%j is refused', async (args, text) => {
    const { code, stdout, stderr } = await task(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(text)
  })
}
