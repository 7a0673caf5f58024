import { hostileFixture, hostileText } from 'polgate-fixtures/hostile/catalogue.ts'
import { hugeBytes, hugeComponent } from 'polgate-fixtures/hostile/huge-component/component.ts'
import { startGateway } from 'polgate-fixtures/hostile/huge-component/gateway.ts'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectContentEnding } from './hostileCases.fixture.ts'
import { hostileHarness } from './hostileHarness.fixture.ts'

const bed = hostileHarness(() => buildOracle('echo'))
const fixture = hostileFixture('huge-component')
let gateway: Awaited<ReturnType<typeof startGateway>>
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

test.each(fixture.cases.filter(({ ends }) => ends === 'load'))('$name', async (each) => {
  const component = hugeComponent()
  expect(component.length).toBe(hugeBytes)
  await bed.expectEnding(each, { component, input: '', text: hostileText(each, undefined) })
})

test.each(fixture.cases.filter(({ ends }) => ends === 'content'))('$name', async (each) => {
  await expectContentEnding(bed, each, gateway)
  expect(gateway.sentBytes()).toBeLessThan(hugeBytes)
})
