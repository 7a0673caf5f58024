import { expect, test } from 'vitest'
import { Untestable } from '../core/conformanceError.ts'
import { namedFetch } from '../wire/exchange.ts'
import { createReachability } from './reachability.ts'

function refused(): never {
  throw new TypeError('fetch failed', {
    cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
  })
}
function reachability(answer: () => Response) {
  let asked = 0
  const fake = async () => {
    asked++
    return answer()
  }
  return {
    ...createReachability({
      gatewayUrl: 'http://gateway.invalid',
      fetch: namedFetch(fake as typeof fetch),
      returnMs: 600,
    }),
    asked: () => asked,
  }
}

test('any answer means that the gateway is there, and before a check nothing is sent', async () => {
  const { lost, lostBefore, asked } = reachability(() => new Response('?', { status: 503 }))
  expect(await lostBefore()).toBeUndefined()
  expect(asked()).toBe(0)
  expect(await lost()).toBeUndefined()
})

test('a limit of the run is not an outage', async () => {
  const { lost } = reachability(() => {
    throw new Untestable('the budget is spent')
  })
  expect(await lost()).toBeUndefined()
})

test('a gateway that comes back in time is used again; one that does not is asked once per check', async () => {
  let answer: () => Response = refused
  const { lost, lostBefore, asked } = reachability(() => answer())
  expect(await lost()).toBe('the connection was refused (ECONNREFUSED)')
  setTimeout(() => {
    answer = () => new Response('')
  }, 200)
  expect(await lostBefore()).toBeUndefined()
  answer = refused
  await lost()
  // Concurrent checks share the wait.
  const all = await Promise.all([lostBefore(), lostBefore(), lostBefore()])
  expect(new Set(all)).toEqual(new Set(['the connection was refused (ECONNREFUSED)']))
  const before = asked()
  await lostBefore()
  expect(asked()).toBe(before + 1)
})
