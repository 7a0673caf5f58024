import type { ServiceBench } from '../bench.ts'
import { gasOfValidation } from '../gas.ts'

export async function gas({ say, reading }: ServiceBench) {
  say('gas of validateAttestationDirect, four operators, all signed')
  const { from, figures } = await gasOfValidation()
  for (const [oracles, used] of Object.entries(figures)) {
    reading(`validateAttestationDirect, ${oracles}`, used)
    say(`  ${oracles.padEnd(12)}${used}`)
  }
  say(`  from ${from}`)
  return { from, figures }
}
