import {
  hostileComponent,
  hostileFixture,
  hostileInput,
  hostileServer,
  hostileText,
} from 'polgate-fixtures/hostile/catalogue.ts'
import {
  type NameServer,
  startNameServer,
} from 'polgate-fixtures/hostile/changing-dns/nameServer.ts'
import type { RawServer } from 'polgate-fixtures/hostile/rawServer.ts'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nameServerAddresses } from '../../net/guardedLookup.ts'
import { failureOf } from '../testing/testHarness.ts'
import { hostileHarness } from './hostileHarness.fixture.ts'

const bed = hostileHarness(() => buildOracle('echo'))
const fixture = hostileFixture('changing-dns')
let server: RawServer
let names: NameServer
beforeAll(async () => {
  server = await hostileServer(fixture)
  names = await startNameServer()
})
afterAll(() => Promise.all([server.stop(), names.stop()]))

const egress = () => ({ lookup: nameServerAddresses([names.address]) })

test('a name is resolved once, and the connection goes to the checked address', async () => {
  const [each] = fixture.cases
  if (!each) throw new Error('the fixture has no cases')
  const host = bed.hostWith({ httpCallMs: 1_000 }, { egress: egress() })
  const cid = await bed.load(host, await hostileComponent(fixture, each))
  // Nothing listens at the public address: the kind of failure depends on the machine.
  const { details } = await failureOf(host.run({ cid, input: hostileInput(each, server) }))
  expect(details).toMatch(/^the HTTP call to rebinding\.example:\d+ (failed|took longer)/)
  expect(names.questions()).toEqual(
    expect.arrayContaining(['A rebinding.example', 'AAAA rebinding.example']),
  )
  expect(names.questions()).toHaveLength(2)
  expect(server.connections()).toBe(0)
})

test.each(fixture.cases)('$name', async (each) => {
  const attack = {
    component: await hostileComponent(fixture, each),
    input: hostileInput(each, server),
    text: hostileText(each, server),
  }
  await bed.expectEnding(each, attack, { egress: egress() })
  expect(server.connections()).toBe(0)
})
