import { ms, type ServiceBench } from '../bench.ts'
import { timeToReady } from '../timeToReady.ts'

export async function ready({ say, quick, reading }: ServiceBench) {
  say('time to ready (from the command to the first response)')
  const times = await timeToReady(quick ? 1 : 3)
  say(`  cold, nothing cached   ${ms(times.cold)}`)
  say(`  warm, median of ${times.warm.length}      ${ms(times.warmMedian)}`)
  reading('cold, seconds', times.cold / 1000)
  reading('warm, seconds', times.warmMedian / 1000)
  return times
}
