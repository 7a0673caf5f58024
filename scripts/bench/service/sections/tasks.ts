import { startLocalStack } from 'polgate-local/localStack.ts'
import { figures, ms, type ServiceBench } from '../bench.ts'
import { createStageClock, type StageShare } from '../stageClock.ts'
import { timeTasks } from '../stages.ts'

export async function tasks({ say, quick, reading }: ServiceBench) {
  const count = quick ? 6 : 300
  const clock = createStageClock()
  const stack = await startLocalStack({ parts: { stopwatch: clock } })
  const times: Record<string, unknown> = {}
  try {
    for (const fixture of ['priced-transfer', 'allow-list'] as const) {
      const oracle =
        fixture === 'priced-transfer' ? 'one JavaScript oracle (secret, HTTP)' : 'no oracle'
      const { one, many, stages } = await timeTasks(stack, clock, fixture, count)
      times[fixture] = { one, many, stages }
      reading(`4 operators, ${fixture}, p50`, one.p50)
      say(`createTask, four operators, ${oracle}, ${count} tasks`)
      say(`  sequential      ${figures(one)}`)
      say(`  8 concurrent    ${figures(many)}`)
      say('  where the time is spent, sequential (mean, p10, share):')
      for (const row of stages) say(stageLine(row))
    }
  } finally {
    await stack.close()
  }
  return times
}

function stageLine({ stage, mean, p10, share }: StageShare): string {
  const best = p10 === undefined ? '' : ms(p10)
  const percent = `${(share * 100).toFixed(0)} %`
  return `    ${stage.padEnd(30)}${ms(mean).padStart(9)}${best.padStart(9)}${percent.padStart(7)}`
}
