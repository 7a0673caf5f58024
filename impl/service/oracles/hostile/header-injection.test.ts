import { hostileComponent } from 'polgate-fixtures/hostile/catalogue.ts'
import { expect, test } from 'vitest'
import { hostileRequests } from './hostileCases.fixture.ts'

const { bed, fixture, server } = hostileRequests('header-injection')

test('line breaks in a URL do not become line breaks of the request', async () => {
  const [each] = fixture.cases
  if (!each) throw new Error('the fixture has no cases')
  const { hostPort } = server()
  const host = bed.hostWith({}, { egress: { allowedHosts: [hostPort] } })
  const cid = await bed.load(host, await hostileComponent(fixture, each))
  const url = `http://${hostPort}/a\r\nx: y\r\n\r\nGET /b`
  expect((await host.run({ cid, input: `GET\u001f${url}` })).json).toEqual({})
  const paths = server()
    .requests()
    .map(({ path }) => path)
  expect(paths).toEqual(['/ax:%20yGET%20/b'])
})
