import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { drain, listen } from './listen.ts'

function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

it('names the URL of a free port, and rejects when the port is taken', async () => {
  const server = createServer((_, response) => response.end('here'))
  const { url, port } = await listen(server)
  expect(await (await fetch(url)).text()).toBe('here')
  await expect(listen(createServer(), { port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await drain(server)
  await expect(fetch(url)).rejects.toThrow()
})

it('goes on when a connection cannot be accepted', async () => {
  const server = createServer((_, response) => response.end('here'))
  const { url } = await listen(server)
  server.emit('error', new Error('EMFILE'))
  server.emit('error', new Error('EMFILE'))
  expect(await (await fetch(url)).text()).toBe('here')
  await drain(server)
})

it('lets a request under way end, and then its connection', async () => {
  const arrived = deferred<() => void>()
  const server = createServer((_, response) => arrived.resolve(() => response.end('done')))
  const { url } = await listen(server)
  const agent = new Agent({ keepAlive: true })
  const [response] = await Promise.all([
    once(get(url, { agent }), 'response') as Promise<[IncomingMessage]>,
    arrived.promise.then((answer) => {
      const drained = drain(server, { graceMs: 60_000 })
      answer()
      return drained
    }),
  ])
  expect((await response[0].toArray()).join('')).toBe('done')
  agent.destroy()
})

it('waits for the work before the grace begins, then ends the connections', async () => {
  const arrived = deferred<undefined>()
  const server = createServer(() => arrived.resolve(undefined))
  const { url } = await listen(server)
  const broken = expect(fetch(url)).rejects.toThrow()
  await arrived.promise
  const work = deferred<undefined>()
  let drained = false
  const draining = drain(server, { work: work.promise }).then(() => {
    drained = true
  })
  await new Promise(setImmediate)
  expect(drained).toBe(false)
  work.resolve(undefined)
  await Promise.all([draining, broken])
})
