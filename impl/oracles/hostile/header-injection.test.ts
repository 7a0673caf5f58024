import { afterAll, beforeAll, expect, test } from 'vitest'
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
const fixture = hostileFixture('header-injection')
let server: RawServer
beforeAll(async () => {
  server = await hostileServer(fixture)
})
afterAll(() => server.stop())

test.each(fixture.cases)('$name', async (each) => {
  await bed.expectEnding(each, {
    component: await hostileComponent(fixture, each),
    input: hostileInput(each, server),
    text: hostileText(each, server),
  })
  expect(server.connections()).toBe(0)
})

test('line ends in a URL are no line ends of the request', async () => {
  const [each] = fixture.cases
  if (!each) throw new Error('the fixture has no cases')
  const host = bed.hostWith({}, { egress: { allowedHosts: [server.hostPort] } })
  const cid = await bed.load(host, await hostileComponent(fixture, each))
  const url = `http://${server.hostPort}/a\r\nx: y\r\n\r\nGET /b`
  expect((await host.run({ cid, input: `GET\u001f${url}` })).json).toEqual({})
  expect(server.requests().map(({ path }) => path)).toEqual(['/ax:%20yGET%20/b'])
})
