import { parseArgs } from 'node:util'
import { fairnessUnderTasks } from './service/fairness.ts'
import { startGatewayProcess } from './service/gatewayProcess.ts'

/**
 * `npm run bench:fairness`: how long one key waits for a public key while another has many tasks in
 * progress, as a fraction of the duration of these tasks. Options: --tasks 300, --quick (30 tasks), --json.
 */
const { values: options } = parseArgs({
  options: {
    tasks: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean' },
  },
})

const gateway = await startGatewayProcess()
try {
  const fairness = await fairnessUnderTasks(
    gateway.stack,
    Number(options.tasks ?? (options.quick ? 30 : 300)),
  )
  const percent = (part: number) => `${(100 * part).toFixed(1)} %`
  console.log(
    options.json
      ? JSON.stringify(fairness)
      : [
          `${fairness.tasks} tasks of one key, ${fairness.calls} calls of another meanwhile`,
          `  median wait      ${percent(fairness.medianWait)} of the slowest task`,
          `  longest wait     ${percent(fairness.longestWait)}`,
          `  tasks answered before the first call: ${percent(fairness.tasksBeforeFirst)}`,
        ].join('\n'),
  )
} finally {
  await gateway.close()
}
