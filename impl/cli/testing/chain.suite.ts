import { expect, test } from 'vitest'
import type { AuthorStack } from './authorStack.ts'

/** `polgate chain`. */
export function chainSuite(author: () => AuthorStack): void {
  const chain = (...args: readonly string[]) => author().run('chain', ...args)
  const control = async (path: string, body: object) =>
    await fetch(`${author().stack.description.controlUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const newTask = async (data: string) => {
    const args = ['create', '--client', 'cap', '--to', 'recipient', '--data', data]
    const { stdout } = await author().run('task', ...args, '--json')
    return (JSON.parse(stdout) as { taskId: string }).taskId
  }

  test('mine prints the block, and balance reads and sets', async () => {
    const { block } = JSON.parse((await chain('mine', '--json')).stdout)
    const { stdout: printed } = await chain('mine', '3')
    const [, now] = /^mined 3, now at block (\d+)\n$/.exec(printed) ?? []
    // The gateway may post what earlier tasks have decided.
    expect(Number(now)).toBeGreaterThanOrEqual(block + 3)
    expect((await chain('balance', 'recipient', '--set', '2.5')).stdout).toBe('2.5 ETH\n')
    const { address } = author().stack.description.accounts.recipient
    const { stdout } = await chain('balance', address.toLowerCase(), '--json')
    expect(JSON.parse(stdout)).toEqual({ address, wei: '2500000000000000000', eth: '2.5' })
    expect((await chain('balance', 'vault-owner', '--set', '0')).stdout).toBe('0 ETH\n')
  })

  test('warp moves gateway, keys and chain; revert brings all of it back', async () => {
    const { stdout: printed } = await chain('snapshot')
    const id = printed.trim()
    const { stack } = author()
    const before = Date.now()
    const expiresAt = new Date(before + 1_800_000).toISOString()
    const created = await control('/keys', {
      ...{ name: 'short', permissions: ['rpc_read'], owners: [], expiresAt },
    })
    const { key } = (await created.json()) as { key: string }
    const answers = async () =>
      (
        await fetch(`${stack.description.gatewayUrl}/rpc`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
          body: JSON.stringify({
            ...{ jsonrpc: '2.0', id: 1, method: 'svc_getSecretsPublicKey', params: {} },
          }),
        })
      ).text()
    expect(await answers()).toContain('public_key')
    const taskId = await newTask('0x')

    const { time } = JSON.parse((await chain('warp', '3600', '--json')).stdout)
    expect(Date.parse(time) - before).toBeGreaterThanOrEqual(3_600_000)
    expect(await answers()).not.toContain('public_key')
    const later = await newTask('0x01')
    const trace = JSON.parse((await author().run('task', 'trace', later, '--json')).stdout)
    expect(trace).toMatchObject({ status: 'success', decision: { allow: true } })

    const reverted = await chain('revert', id, '--json')
    expect(reverted).toMatchObject({ code: 0, stderr: '' })
    expect(Date.parse(JSON.parse(reverted.stdout).time) - before).toBeLessThan(1_800_000)
    expect(await answers()).not.toContain('public_key')
    for (const gone of [taskId, later])
      expect(await author().run('task', 'watch', gone)).toMatchObject({ code: 2 })
    const explorer = await fetch(`${stack.description.explorerUrl}/v1/task/${taskId}`, {
      headers: { 'x-api-key': stack.description.apiKeys.read },
    })
    expect(explorer.status).toBe(404)
    // The state before is worked on: the same intent is a new task, and its attestation is spendable.
    const again = await newTask('0x')
    expect(await author().run('task', 'spend', again)).toMatchObject({ code: 0 })
    expect(await chain('revert', id)).toMatchObject({ code: 0 })
  })

  test.each([
    [['mine', '0'], 'is not a number of blocks'],
    [['mine', '100001'], 'from 1 to 100000'],
    [['mine', '1.5'], 'is not a number of blocks'],
    [['warp', 'tomorrow'], 'neither a number of seconds nor a time'],
    [['warp', '0'], 'warp takes'],
    [['warp', '999999999999'], 'warp takes'],
    [['warp', '2020-01-01'], 'cannot go back'],
    [['warp', '9999-12-31'], 'more than a century ahead'],
    [['revert', 'snapshot_999'], 'Unknown snapshot'],
    [['balance', 'unknown'], 'owner, sender'],
    [['balance', 'sender', '--set', '-1'], 'is not an amount of ETH'],
    [['balance', 'sender', '--set', '1.0000000000000000001'], 'at most 18 decimals'],
    [['balance', 'sender', '--set', '9'.repeat(60)], 'is not an amount of ETH'],
  ])('%j is refused', async (args, text) => {
    const { code, stdout, stderr } = await chain(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(text)
  })
}
