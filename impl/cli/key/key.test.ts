import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { addKeyRoutes } from 'polgate-local/keyRoutes.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { createEncryptionKey } from 'polgate-service/envelopes/encryptionKey.ts'
import { type Listener, serve } from 'polgate-service/gateway/serve.ts'
import type { Operator } from 'polgate-service/operators/operator.ts'
import { serveOperator } from 'polgate-service/operators/operatorServer.ts'
import { findOrMakeKey } from 'polgate-service/threshold/coordinator.ts'
import { keyControl } from 'polgate-service/threshold/keyControl.ts'
import { createKeyHolder, type KeyMember } from 'polgate-service/threshold/keyHolder.ts'
import { identityOf } from 'polgate-service/threshold/roster.ts'
import { shareFile } from 'polgate-service/threshold/shareFile.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMain } from '../testing/runMain.ts'

let directory: string
let listener: Listener
let holders: KeyMember[]
const closing = new AbortController()
const identities = [1, 2, 3].map((at) =>
  identityOf(`0x${String(at).repeat(40)}`, randomBytes(32).toString('hex')),
)
const members = identities.map(({ address, publicKey }) => ({ address, publicKey }))
const place = (name: string) => join(directory, name)
const sharePath = (at: number) => join(directory, 'shares', `${identities[at]!.address}.json`)
const key = (...args: string[]) => runMain('key', ...args, '--target', place('stack.json'))

/** The control API of a stack, for members in this process. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-key-command-'))
  const shares = join(directory, 'shares')
  const rules = { roster: { needed: 2, members }, anyRoster: true }
  holders = identities.map((identity) =>
    createKeyHolder({
      ...{ ...rules, identity, random: randomBytes, approve: () => false },
      file: shareFile(shares, identity.address),
    }),
  )
  const { signal } = closing
  await findOrMakeKey({ holders, roster: rules.roster, random: randomBytes, signal })
  const control = keyControl({
    ...{ members: holders, rules, random: randomBytes, closing: signal },
    timeoutMs: 60_000,
  })
  const app = new Hono()
  addKeyRoutes(app, { privacyKey: () => ({ control }), directory: shares })
  listener = await serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', localOnly: true })
  const { address } = identities[0]!
  const account = { address, privateKey: `0x${'11'.repeat(32)}` } as const
  const description: StackDescription = {
    version: 1,
    pid: process.pid,
    ...{ gatewayUrl: listener.url, controlUrl: listener.url, fixtureHostUrl: listener.url },
    brand: defaultBrand,
    chain: { rpcUrl: listener.url, chainId: 1, taskManager: address, operatorRegistry: address },
    apiKeys: { read: '', write: '', rpc: '', none: '', expired: '', stranger: '' },
    accounts: { owner: account, sender: account, recipient: { address } },
    operators: [],
    clients: {},
  }
  await writeFile(place('stack.json'), JSON.stringify(description))
  await writeFile(place('passphrase.txt'), 'correct horse battery staple\n')
})
afterAll(async () => {
  closing.abort()
  await listener.close()
  await rm(directory, { recursive: true, force: true })
})

describe('polgate key', () => {
  it('shows the key, refreshes it and changes its roster', async () => {
    const { stdout, code } = await key('status')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^key [0-9a-f]{64}, epoch 1, 2 of 3 needed\n {2}0 {2}0x1{40} {2}holds/)
    const { publicKey } = JSON.parse((await key('status', '--json')).stdout) as object & {
      publicKey: string
    }
    expect((await key('refresh')).stdout).toContain(`key ${publicKey}, epoch 2, 2 of 3 needed`)
    const reshared = await key('reshare', '--members', `2,${members[0]!.address}`, '--needed', '2')
    expect(reshared.stdout).toContain(`key ${publicKey}, epoch 3, 2 of 2 needed`)
    expect(reshared.stdout).toContain(`${members[1]!.address}  not a member`)
    await key('reshare', '--members', '0,1,2', '--needed', '2')
  })

  it('recovers a share, and reports what is missing until then', async () => {
    await rm(sharePath(1))
    const missing = await key('status')
    expect(missing).toMatchObject({ code: 1 })
    expect(missing.stdout).toContain('holds no share; recover it')
    expect((await key('recover', '1')).code).toBe(0)
    expect((await key('status')).code).toBe(0)
  })

  it('writes a sealed backup, and restores it', async () => {
    const out = place('share.backup')
    const secret = ['--passphrase-file', place('passphrase.txt')]
    expect((await key('backup', '2', '--out', out, ...secret)).stdout).toContain('epoch 4')
    expect((await stat(out)).mode & 0o777).toBe(0o600)
    const { share } = (
      JSON.parse(await readFile(sharePath(2), 'utf8')) as { active: { share: string } }
    ).active
    expect(await readFile(out, 'utf8')).not.toContain(share)
    expect((await key('backup', '2', '--out', out, ...secret)).stderr).toContain('exists already')
    await rm(sharePath(2))
    expect((await key('restore', '2', out, ...secret)).stdout).toContain('has its share again')
    expect((await key('status')).code).toBe(0)
    await key('refresh')
    const older = await key('restore', '2', out, ...secret)
    expect(older).toMatchObject({ code: 2 })
    expect(older.stderr).toContain('epoch 5, the backup has epoch 4')
    expect(older.stderr).toContain('polgate key recover')
  })

  it('backs up to a key, from a directory without a stack', async () => {
    const { key: recipient, privateHex } = await createEncryptionKey()
    const [out, secret] = [place('to-key.backup'), place('key.txt')]
    await writeFile(secret, privateHex)
    const where = ['--directory', join(directory, 'shares')]
    const { address } = members[0]!
    const backup = ['backup', address, '--out', out, '--recipient', recipient.publicKey]
    expect((await runMain('key', ...backup, ...where)).code).toBe(0)
    const restore = ['restore', address, out, '--private-key-file', secret, ...where]
    expect((await runMain('key', ...restore)).stdout).toContain('holds this share already')
  })

  it('manages operators in processes of their own by the configuration of their gateway', async () => {
    const token = 'token-between-gateway-and-operator'
    const id = `0x${'01'.repeat(32)}` as const
    const servers = await Promise.all(
      holders.map((keyHolder) =>
        serveOperator({
          operator: { address: keyHolder.address, id } as Operator,
          ...{ keyHolder, token, clock: Date.now },
        }),
      ),
    )
    try {
      const operators = servers.map(({ url }, at) => {
        const { address, publicKey } = members[at]!
        return { kind: 'remote', address, id, url, token, thresholdPublicKey: publicKey }
      })
      const secret = '11'.repeat(32)
      const registry = members[0]!.address
      const config = {
        chain: {
          ...{ rpcUrl: 'http://127.0.0.1:1', chainId: 1 },
          ...{ taskManager: registry, operatorRegistry: registry },
        },
        keys: { gateway: secret, secrets: secret, privacy: secret },
        ...{ operators, content: { directory: 'content' }, oracles: { cacheDir: 'cache' } },
        threshold: { needed: 2, directory: 'shares', resharing: 'members' },
      }
      await writeFile(place('service.json'), JSON.stringify(config))
      const at = ['--config', place('service.json')]
      const before = (await runMain('key', 'status', ...at)).stdout
      const { stdout, code } = await runMain('key', 'refresh', ...at)
      expect(code).toBe(0)
      const epochOf = (text: string) => Number(/epoch (\d+)/.exec(text)?.[1])
      expect(epochOf(stdout)).toBe(epochOf(before) + 1)
      const local = { kind: 'local', address: registry, blsKey: secret, thresholdKey: secret }
      const mixed = { ...config, operators: [local, ...operators.slice(1)] }
      await writeFile(place('service.json'), JSON.stringify(mixed))
      const refused = await runMain('key', 'status', ...at)
      expect(refused).toMatchObject({ code: 2 })
      expect(refused.stderr).toContain('runs in the process of the gateway')
    } finally {
      await Promise.all(servers.map((server) => server.close()))
    }
  })

  it.each([
    [['recover', '7'], "'7' is not an operator"],
    [['recover', '0'], 'already holds a share'],
    [['reshare', '--members', '0,1'], 'needs --members and --needed'],
    [['reshare'], 'Pass --members and --needed'],
    [['reshare', '--members', '0,1', '--needed', '3'], 'the threshold must be from 2'],
    [['reshare', '--members', '0,0', '--needed', '2'], 'listed twice'],
    [['backup', '0', '--out', 'x'], 'either --recipient or --passphrase-file'],
    [['restore', '0', 'none', '--passphrase-file', 'none'], 'Cannot read none'],
    [['status', '--config', 'x'], 'exclude each other'],
  ])('reports what is wrong with %j', async (args, message) => {
    const { code, stderr } = await key(...args)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})
