import { startLocalStack } from 'polgate-local/localStack.ts'
import { tasksWithOperators } from './operatorCounts.ts'
import { now } from './profiledLoads.ts'

/**
 * Sequential tasks by so many operators, in a process to be profiled: number of operators, fixture,
 * number of tasks. Prints the time of the tasks.
 */
const [operators, fixture, tasks] = process.argv.slice(2) as [string, string, string]
const stack = await startLocalStack()
try {
  let to = 0
  const rows = await tasksWithOperators(stack, Number(operators), Number(tasks), {
    fixtures: [fixture],
    ended() {
      to = now()
    },
  })
  console.log(JSON.stringify({ from: to - rows[0]!.load.totalMs * 1_000, to }))
} finally {
  await stack.close()
}
process.exit(0)
