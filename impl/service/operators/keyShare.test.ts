import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sealEnvelope } from '../envelopes/envelope.ts'
import { findOrMakeKey } from '../threshold/coordinator.ts'
import { keyControl } from '../threshold/keyControl.ts'
import { createKeyHolder } from '../threshold/keyHolder.ts'
import { beginOpening } from '../threshold/opening.ts'
import { identityOf } from '../threshold/roster.ts'
import { shareFile } from '../threshold/shareFile.ts'
import { keySharePaths } from './keySharePaths.ts'
import { remoteKeyHolder } from './keyShareRemote.ts'
import { switchedKeyHolder } from './keyShareSwitch.ts'
import type { Operator } from './operator.ts'
import { type OperatorConnection, operatorConnection } from './operatorConnection.ts'
import { type OperatorServer, serveOperator } from './operatorServer.ts'

const token = 'token-between-gateway-and-operator'
const signal = new AbortController().signal
const where = {
  policyClient: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  chainId: 31337,
} as const
const identities = [1, 2, 3].map((at) =>
  identityOf(`0x${String(at).repeat(40)}`, randomBytes(32).toString('hex')),
)
const roster = {
  needed: 2,
  members: identities.map(({ address, publicKey }) => ({ address, publicKey })),
}
async function never(): Promise<never> {
  throw new Error('not asked here')
}
const operatorOf = (address: Operator['address']): Operator => ({
  address,
  id: `0x${'01'.repeat(32)}`,
  collectData: never,
  evaluate: never,
  beginOpening: never,
  sign: never,
  checkSecrets: never,
})

let directory: string
let servers: OperatorServer[]
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-key-share-'))
  servers = await Promise.all(
    identities.map((identity) =>
      serveOperator({
        operator: operatorOf(identity.address),
        keyHolder: createKeyHolder({
          identity,
          roster,
          file: shareFile(directory, identity.address),
          random: randomBytes,
          approve: () => true,
        }),
        token,
        clock: Date.now,
      }),
    ),
  )
})
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()))
  await Promise.all(servers.map((server) => server.close()))
  await rm(directory, { recursive: true, force: true })
})

const connections: OperatorConnection[] = []
function holderAt(url: string, address: Operator['address']) {
  const { id } = operatorOf(address)
  const connection = operatorConnection({ url, token, address, id, clock: Date.now })
  connections.push(connection)
  return remoteKeyHolder({ connection, address })
}
const holders = () => servers.map(({ url }, at) => holderAt(url, identities[at]!.address))

describe('holders over HTTP', () => {
  it('create a key, and decrypt what is sealed to it', async () => {
    const found = await findOrMakeKey({ holders: holders(), roster, random: randomBytes, signal })
    const { key } = found
    const envelope = await sealEnvelope({
      plaintext: Buffer.from('Ada'),
      ...where,
      recipientPublicKey: key.publicKey,
    })
    const identity = identities[0]!
    const opening = await beginOpening({ envelope, key, identity, random: randomBytes })
    const answers = await Promise.all(
      holders()
        .slice(1)
        .map((each) => each.open(opening.request, signal)),
    )
    expect(Buffer.from(await opening.open(answers, where)).toString()).toBe('Ada')
    await expect(opening.open(answers.slice(1), where)).rejects.toThrow('1 of 2 needed')
  })

  it('refresh the key, and recover a share', async () => {
    const members = holders()
    const control = keyControl({
      ...{ members, rules: { roster }, random: randomBytes, closing: signal },
      timeoutMs: 60_000,
    })
    const { publicKey } = await control.status()
    expect(await control.refresh()).toMatchObject({ publicKey, epoch: 2 })
    const { address } = identities[1]!
    await rm(join(directory, `${address}.json`))
    expect((await control.status()).operators.map(({ state }) => state)).toEqual([
      ...['uses', 'lost', 'uses'],
    ])
    const { operators } = await control.recover(address)
    expect(operators.map(({ state }) => state)).toEqual(['uses', 'uses', 'uses'])
    await expect(control.recover(address)).rejects.toThrow('already holds a share')
    const refused = members[0]!.settle({ action: 'activate', session: 'ab' } as never, signal)
    await expect(refused).rejects.toThrow(/must/)
  })

  it('report errors of the key holder', async () => {
    const [holder] = holders()
    const request = { session: 'ab'.repeat(32), step: 'deal', messages: [] } as const
    await expect(holder!.generate(request, signal)).rejects.toThrow('not in progress')
    await expect(holder!.open({} as never, signal)).rejects.toThrow('must have required property')
  })

  it('reject unsigned requests', async () => {
    for (const path of Object.values(keySharePaths)) {
      const response = await fetch(`${servers[0]!.url}${path}`, { method: 'POST', body: '{}' })
      expect(response.status).toBe(401)
    }
  })
})

describe('a gateway that asks', () => {
  const cleanup = createCleanupStack()
  afterEach(cleanup.close)

  const { address } = identities[0]!

  it('reports an operator without threshold in its configuration', async () => {
    const operator = operatorOf(address)
    const server = await serveOperator({ operator, token, clock: Date.now })
    cleanup.defer(() => server.close())
    await expect(holderAt(server.url, address).status(signal)).rejects.toMatchObject({
      message: 'operator unreachable: it has no key share: its configuration has no threshold',
      retryable: false,
    })
  })

  it.each<[string, { answer?: unknown }, RegExp]>([
    ['nothing', {}, /must have required property/],
    ['another thing', { answer: { state: 'complete' } }, /must have required property/],
  ])('rejects an answer that is %s', async (_, told, message) => {
    const holder = remoteKeyHolder({ connection: { call: async () => told }, address })
    await expect(holder.status(signal)).rejects.toThrow(message)
  })

  it('reports a stopped operator as unreachable', async () => {
    const power = { running: false }
    const holder = switchedKeyHolder(holders()[0]!, power)
    await expect(holder.status(signal)).rejects.toThrow('operator unreachable')
    power.running = true
    expect((await holder.status(signal)).state).toBe('complete')
  })
})
