import { createServer } from 'node:net'

/** Ports by the name of their listener; 0 takes a free one. */
export type Ports = Readonly<Record<string, number>>

/**
 * Boots on the preferred ports that are free, and on others in place of those that are taken.
 * Another process may take one between the look and the listening, as two stacks do that start at
 * the same time: what did not boot then is booted anew without it.
 *
 * @param boot leaves nothing behind when it fails
 * @throws what `boot` throws while every port it was given is still free
 */
export async function bootOnFreePorts<T>(
  preferred: Ports,
  boot: (ports: Ports) => Promise<T>,
): Promise<T> {
  const ports = { ...preferred }
  for (;;) {
    await giveWay(ports)
    try {
      return await boot({ ...ports })
    } catch (error) {
      // Each time one gives way at least, so this ends. Who took it may be gone by now.
      const wasTaken = giveWayTo(error, ports)
      if (!(await giveWay(ports)) && !wasTaken) throw error
    }
  }
}

/** Puts 0 for that which an error says was taken, for all where it does not say which. */
function giveWayTo(error: unknown, ports: Record<string, number>): boolean {
  const { code, port, message = '' } = error as { code?: string; port?: number; message?: string }
  if (code !== 'EADDRINUSE' && !/address already in use/i.test(message)) return false
  const chosen = Object.keys(ports).filter((name) => ports[name] !== 0)
  const taken = chosen.filter((name) => port === undefined || ports[name] === port)
  for (const name of taken) ports[name] = 0
  return taken.length > 0
}

/** Puts 0 for each that is taken; whether there was one. */
async function giveWay(ports: Record<string, number>): Promise<boolean> {
  const chosen = Object.entries(ports).filter(([, port]) => port !== 0)
  const free = await Promise.all(chosen.map(([, port]) => isFree(port)))
  const taken = chosen.filter((_, at) => !free[at])
  for (const [name] of taken) ports[name] = 0
  return taken.length > 0
}

/** Whether a port of the loopback can be listened on. */
export const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
