import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { freePort } from './freePort.ts'
import { listen } from './listen.ts'

it('is free, and no port that the system assigns', async () => {
  const range = '/proc/sys/net/ipv4/ip_local_port_range'
  const lowest = existsSync(range) ? Number.parseInt(readFileSync(range, 'utf8'), 10) : 32_768
  const ports = await Promise.all(Array.from({ length: 50 }, freePort))
  expect(new Set(ports).size).toBe(50)
  for (const port of ports) {
    expect(port).toBeLessThan(lowest)
    expect(port).toBeGreaterThan(1_023)
  }
  const server = createServer()
  expect(await listen(server, { port: ports[0]! })).toMatchObject({ port: ports[0] })
  await new Promise((resolve) => server.close(resolve))
})
