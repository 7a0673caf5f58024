import { startLocalStack } from 'polgate-local/localStack.ts'
import { figures, ms, type ServiceBench } from '../bench.ts'
import { tasksWithOperators } from '../operatorCounts.ts'

export async function operators({ say, quick, reading }: ServiceBench) {
  const stack = await startLocalStack()
  say('createTask by number of operators, sequential')
  try {
    const all = []
    for (const count of quick ? [1, 4] : [1, 4, 16]) {
      const rows = await tasksWithOperators(stack, count, quick ? 5 : 100)
      for (const { fixture, load, stages } of rows) {
        if (count > 4) reading(`${count} operators, ${fixture}, p50`, load.p50)
        say(`  ${String(count).padStart(2)} operators, ${fixture.padEnd(16)} ${figures(load)}`)
        const shown = stages.map(({ stage, mean }) => `${stage} ${ms(mean)}`)
        say(`     ${shown.join(', ')}`)
      }
      all.push(...rows)
    }
    return all
  } finally {
    await stack.close()
  }
}
