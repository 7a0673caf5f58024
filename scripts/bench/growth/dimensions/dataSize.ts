import { startLocalStack } from 'polgate-local/localStack.ts'
import { load } from '../../service/load.ts'
import { createTaskBodies } from '../../service/requests.ts'
import type { Dimension, Point } from '../dimension.ts'

/** Bytes; wasm_args has at most 64 KiB (section 2.1). */
const largest = 63 * 1_024

export const dataSize: Dimension = {
  title: 'createTask by size of the data of an oracle, which repeats its input; bytes',
  async measure({ quick }) {
    const stack = await startLocalStack()
    const { description } = stack
    const target = { url: description.gatewayUrl, path: '/rpc', key: description.apiKeys.rpc }
    const points: Point[] = []
    try {
      for (const size of quick ? [1_024, 8_192] : [1_024, 4_096, 16_384, largest]) {
        const args = JSON.stringify({ approval: 'yes', filler: '' })
        const text = args.replace('""', JSON.stringify('x'.repeat(size - args.length)))
        const bodies = (count: number) =>
          createTaskBodies(description, 'echoed-approval', count, text)
        await load(target, bodies(quick ? 2 : 20), 2)
        const { p50, failures, firstFailure } = await load(target, bodies(quick ? 3 : 60), 1)
        if (failures > 0) throw new Error(`a task failed: ${firstFailure}`)
        points.push({ size, cost: p50 })
      }
    } finally {
      await stack.close()
    }
    return [{ what: 'a task, p50', unit: 'ms', points, bound: { exponent: 1 } }]
  },
}
