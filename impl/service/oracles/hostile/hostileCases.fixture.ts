import { join } from 'node:path'
import {
  type HostileCase,
  hostileComponent,
  hostileFixture,
  hostileInput,
  hostileServer,
  hostileText,
} from 'polgate-fixtures/hostile/catalogue.ts'
import type { RawServer } from 'polgate-fixtures/hostile/rawServer.ts'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ContentStore, createContentStore } from '../../content/contentStore.ts'
import { httpGateways } from '../../content/gateways.ts'
import type { OracleHost } from '../oracleHost.ts'
import { hostileHarness } from './hostileHarness.fixture.ts'

/** Tests the cases of a fixture whose guest needs no server: each ends as the fixture says. */
export function hostileGuest(name: string): void {
  const bed = hostileHarness(() => buildOracle('echo'))
  const fixture = hostileFixture(name)
  // The first build of a checkout takes some seconds, longer than the timeout of a test.
  beforeAll(() => Promise.all(fixture.cases.map((each) => hostileComponent(fixture, each))))

  test.each(fixture.cases)('$name', async (each) => {
    await bed.expectEnding(each, {
      component: await hostileComponent(fixture, each),
      input: hostileInput(each, undefined),
      text: hostileText(each, undefined),
    })
  })
}

/**
 * Tests the cases of a fixture in which a server talks to the guest.
 *
 * @param afterwards further assertions about the server, which has sent `sentBytes` in this case
 */
export function hostilePeer(
  name: string,
  afterwards: (server: RawServer, sentBytes: number) => void | Promise<void> = () => {},
): void {
  const bed = hostileHarness(() => buildOracle('echo'))
  const fixture = hostileFixture(name)
  let server: RawServer
  beforeAll(async () => {
    server = await hostileServer(fixture)
  })
  afterAll(() => server.stop())

  test.each(fixture.cases)('$name', async (each) => {
    const before = server.sentBytes()
    const attack = {
      component: await hostileComponent(fixture, each),
      input: hostileInput(each, server),
      text: hostileText(each, server),
    }
    await bed.expectEnding(each, attack, { egress: { allowedHosts: [server.hostPort] } })
    await afterwards(server, server.sentBytes() - before)
  })
}

/**
 * Tests the cases of a fixture whose requests never leave the host. All run on one host, because
 * they leave no state. Returns the harness for further tests.
 */
export function hostileRequests(name: string) {
  const bed = hostileHarness(() => buildOracle('echo'))
  const fixture = hostileFixture(name)
  let server: RawServer
  let host: OracleHost
  beforeAll(async () => {
    server = await hostileServer(fixture)
    host = bed.hostWith({}, { maxWorkers: 3 })
  })
  afterAll(() => server.stop())

  test.each(fixture.cases)('$name', async (each) => {
    expect(each.limits).toBeUndefined()
    await bed.expectEndingOn(host, each, {
      component: await hostileComponent(fixture, each),
      input: hostileInput(each, server),
      text: hostileText(each, server),
    })
    expect(server.connections()).toBe(0)
  })
  return { bed, fixture, server: () => server }
}

/**
 * Expects the case to end as specified when a gateway serves its content; returns the content
 * store.
 */
export async function expectContentEnding(
  bed: ReturnType<typeof hostileHarness>,
  each: HostileCase,
  gateway: { readonly hostPort: string; readonly port: number },
): Promise<ContentStore> {
  const directory = join(bed.cacheDir(), 'content')
  const gateways = httpGateways({ urls: [`http://${gateway.hostPort}`] })
  const content = createContentStore({ directory, gateways })
  const { cid = '' } = each
  const host = bed.hostWith({}, { maxWorkers: 3 })
  const { result } = await bed.besideNeighbour(host, () =>
    host
      .load(() => content.get(cid), { cid })
      .then(
        () => undefined,
        (error: unknown) => error,
      ),
  )
  expect(result).toMatchObject({ code: each.code })
  expect((result as Error).message).toBe(hostileText(each, gateway))
  return content
}
