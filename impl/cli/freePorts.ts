import { createServer } from 'node:net'

/** Ports by listener name; 0 selects a free one. */
export type Ports = Readonly<Record<string, number>>

/**
 * Boots on the preferred ports, replacing those in use by free ones. Another process may take a port
 * between the probe and the bind, for example a second stack starting at the same time; then it boots
 * again without that port.
 *
 * @param boot cleans up after itself when it fails
 * @throws the error of `boot` if every port it was given is still free
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
      // Every iteration replaces at least one port, so this terminates. The port may be free again by now.
      const wasTaken = giveWayTo(error, ports)
      if (!(await giveWay(ports)) && !wasTaken) throw error
    }
  }
}

/** Replaces the port that the error reports as in use by 0, or all ports if it names none. */
function giveWayTo(error: unknown, ports: Record<string, number>): boolean {
  const { code, port, message = '' } = error as { code?: string; port?: number; message?: string }
  if (code !== 'EADDRINUSE' && !/address already in use/i.test(message)) return false
  const chosen = Object.keys(ports).filter((name) => ports[name] !== 0)
  const taken = chosen.filter((name) => port === undefined || ports[name] === port)
  for (const name of taken) ports[name] = 0
  return taken.length > 0
}

/** Replaces every port in use by 0; returns whether there was one. */
async function giveWay(ports: Record<string, number>): Promise<boolean> {
  const chosen = Object.entries(ports).filter(([, port]) => port !== 0)
  const free = await Promise.all(chosen.map(([, port]) => isFree(port)))
  const taken = chosen.filter((_, at) => !free[at])
  for (const [name] of taken) ports[name] = 0
  return taken.length > 0
}

/** Whether a loopback port is free. */
export const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
