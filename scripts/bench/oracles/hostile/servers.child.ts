import { hostileFixture, hostileNames, hostileServer } from 'polgate-fixtures/hostile/catalogue.ts'
import { startGateway } from 'polgate-fixtures/hostile/huge-component/gateway.ts'

/**
 * The hostile servers in a separate process, so that they cost neither the service nor the
 * measuring process CPU time. Sends their ports by fixture, and ends with its parent.
 */
const servers = await Promise.all(
  hostileNames().map(async (name) => {
    const { port, hostPort } = await (name === 'huge-component'
      ? startGateway()
      : hostileServer(hostileFixture(name)))
    return [name, { port, hostPort }] as const
  }),
)
process.send?.(Object.fromEntries(servers))
process.once('disconnect', () => process.exit())
