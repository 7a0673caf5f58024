import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostileFixture, hostileText } from '../../../fixtures/hostile/catalogue.ts'
import { hugeBytes, hugeComponent } from '../../../fixtures/hostile/huge-component/component.ts'
import { startGateway } from '../../../fixtures/hostile/huge-component/gateway.ts'
import { buildOracle } from '../../../fixtures/oracles/build.ts'
import { createContentStore } from '../../content/contentStore.ts'
import { httpGateways } from '../../content/gateways.ts'
import { hostileBed } from './hostileBed.ts'

const bed = hostileBed(() => buildOracle('echo'))
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
  const directory = join(bed.cacheDir(), 'content')
  const gateways = httpGateways({ urls: [`http://${gateway.hostPort}`] })
  const content = createContentStore({ directory, gateways })
  const { cid = '' } = each
  const host = bed.hostWith({}, { maxWorkers: 3 })
  const { result } = await bed.besideNeighbour(host, async () =>
    host
      .load(() => content.get(cid), { cid })
      .then(
        () => undefined,
        (error: unknown) => error,
      ),
  )
  expect(result).toMatchObject({ code: each.code })
  expect((result as Error).message).toBe(hostileText(each, gateway))
  expect(gateway.sentBytes()).toBeLessThan(hugeBytes)
})
