import { startLocalStack } from 'polgate-local/localStack.ts'
import { tasksWithOperators } from '../../service/operatorCounts.ts'
import type { Dimension, Point } from '../dimension.ts'

export const operators: Dimension = {
  title: 'createTask by operators in one process, sequential',
  async measure({ quick }) {
    const points = new Map<string, Point[]>()
    const stack = await startLocalStack()
    try {
      for (const size of quick ? [1, 4] : [1, 4, 16, 64]) {
        for (const { fixture, load } of await tasksWithOperators(stack, size, quick ? 3 : 40))
          points.set(fixture, [...(points.get(fixture) ?? []), { size, cost: load.p50 }])
      }
    } finally {
      await stack.close()
    }
    return [...points].map(([fixture, all]) => ({
      what: `a task of ${fixture}, p50`,
      unit: 'ms',
      points: all,
      bound: { exponent: 1.1 },
    }))
  },
}
