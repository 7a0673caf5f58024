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

const bed = hostileBed(() => buildOracle('echo'))
const fixture = hostileFixture('crumbled-response')
let server: RawServer
beforeAll(async () => {
  server = await hostileServer(fixture)
})
afterAll(() => server.stop())

test.each(fixture.cases)('$name', async (each) => {
  const attack = {
    component: await hostileComponent(fixture, each),
    input: hostileInput(each, server),
    text: hostileText(each, server),
  }
  await bed.expectEnding(each, attack, { egress: { allowedHosts: [server.hostPort] } })
})
