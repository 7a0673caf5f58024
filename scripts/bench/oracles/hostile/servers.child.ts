import { hostileFixture, hostileNames, hostileServer } from 'polgate-fixtures/hostile/catalogue.ts'
import { startGateway } from 'polgate-fixtures/hostile/huge-component/gateway.ts'

/**
 * The hostile servers in a process of their own, so that what they do costs neither the service nor
 * who measures it. Tells their ports, by fixture, and ends with its parent.
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
