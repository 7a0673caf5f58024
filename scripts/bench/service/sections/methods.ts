import { figures, type ServiceBench } from '../bench.ts'
import { startGatewayProcess } from '../gatewayProcess.ts'
import { type GroupRow, timeGroups } from '../methodGroups.ts'

export async function methods({ say, quick, reading, reference }: ServiceBench) {
  const connections = quick ? [4] : [1, 16, 64]
  const line = ({ group, connections: count, load }: GroupRow) =>
    say(`  ${group.padEnd(20)}${String(count).padStart(3)} connections ${figures(load)}`)
  say('each group of methods, compared with a server that only parses and writes JSON')
  const { rows: echoed } = await reference()
  for (const row of echoed) line(row)
  const gateway = await startGatewayProcess()
  try {
    const seconds = quick ? 0.1 : 2
    const rows = await timeGroups(gateway.stack, { connections, seconds, quick }, line)
    for (const { group, connections: count, load } of rows) {
      reading(`${group} at ${count}, per second`, load.perSecond)
      reading(`${group} at ${count}, p99 / p50`, load.p99 / load.p50)
    }
    const rates = rows.flatMap(({ group, load }) =>
      group === 'simulations' ? [load.perSecond] : [],
    )
    const growth = rates.slice(1).map((rate, at) => rate / rates[at]!)
    if (growth.length > 0) reading('simulations, least growth', Math.min(...growth))
    return [...echoed, ...rows]
  } finally {
    await gateway.close()
  }
}
