import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { bootOnFreePorts, isFree, type Ports } from './freePorts.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((done) => server.close(done))
})

/** Listens on a port; returns the port. */
async function take(port = 0): Promise<number> {
  const server = createServer()
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(port, '127.0.0.1', done)
  })
  servers.push(server)
  return (server.address() as { port: number }).port
}

/** Two ports that were free a moment ago. */
async function freed(): Promise<[number, number]> {
  const ports: [number, number] = [await take(), await take()]
  for (const server of servers.splice(0)) await new Promise((done) => server.close(done))
  return ports
}

describe('preferred ports', () => {
  it('are used if free, and replaced if in use', async () => {
    const [a, b] = await freed()
    await take(b)
    expect(await bootOnFreePorts({ a, b, c: 0 }, async (ports) => ports)).toEqual({ a, b: 0, c: 0 })
  })

  it('are replaced if another process takes one during the boot', async () => {
    const [a, b] = await freed()
    const tried: Ports[] = []
    const booted = await bootOnFreePorts({ a, b }, async (ports) => {
      tried.push(ports)
      if (tried.length === 1) await take(a)
      for (const port of Object.values(ports)) await take(port)
      return 'booted'
    }).catch((error: Error) => error)
    expect(tried[0]).toEqual({ a, b })
    expect(tried.slice(1)).toEqual([{ a: 0, b }])
    expect(booted).toBe('booted')
    expect(await isFree(a)).toBe(false)
  })

  it('are replaced if a process took one and has ended', async () => {
    const [a, b] = await freed()
    const tried: Ports[] = []
    const refused = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE', port: a })
    await bootOnFreePorts({ a, b }, async (ports) => {
      if (tried.push(ports) === 1) throw refused
    })
    expect(tried).toEqual([
      { a, b },
      { a: 0, b },
    ])
  })

  it('are not retried after an unrelated failure', async () => {
    const [a] = await freed()
    let tries = 0
    const failing = bootOnFreePorts({ a }, async () => {
      tries += 1
      throw new Error('no disk')
    })
    await expect(failing).rejects.toThrow('no disk')
    expect(tries).toBe(1)
  })
})
