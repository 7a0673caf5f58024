import { hostileFixture } from 'polgate-fixtures/hostile/catalogue.ts'
import { startGateway } from 'polgate-fixtures/hostile/wrong-content/gateway.ts'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectContentEnding } from './hostileCases.fixture.ts'
import { hostileHarness } from './hostileHarness.fixture.ts'

const bed = hostileHarness(() => buildOracle('echo'))
const fixture = hostileFixture('wrong-content')
let gateway: Awaited<ReturnType<typeof startGateway>>
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

test.each(fixture.cases)('$name', async (each) => {
  const content = await expectContentEnding(bed, each, gateway)
  // Rejected content was not stored either.
  expect(await content.list()).toEqual([])
})
