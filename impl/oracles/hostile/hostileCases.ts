import { afterAll, beforeAll, test } from 'vitest'
import {
  hostileComponent,
  hostileFixture,
  hostileInput,
  hostileServer,
  hostileText,
} from '../../../fixtures/hostile/catalogue.ts'
import type { RawServer } from '../../../fixtures/hostile/rawServer.ts'
import { buildOracle } from '../../../fixtures/oracles/build.ts'
import { hostileBed } from './hostileBed.ts'

/** Tests the cases of a fixture whose guest needs nobody else: each ends as the fixture says. */
export function hostileGuest(name: string): void {
  const bed = hostileBed(() => buildOracle('echo'))
  const fixture = hostileFixture(name)
  // The first build of a checkout takes some seconds; a test has less patience.
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
 * Tests the cases of a fixture in which a server speaks to the guest.
 *
 * @param afterwards expects more of the server, which has sent `sentBytes` to this case
 */
export function hostilePeer(
  name: string,
  afterwards: (server: RawServer, sentBytes: number) => void | Promise<void> = () => {},
): void {
  const bed = hostileBed(() => buildOracle('echo'))
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
