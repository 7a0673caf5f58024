import { answered, changedAnswer, changedError, door } from './doors.ts'
import type { Mutant } from './mutant.ts'

/** Faults in the envelope of calls (section 4.1). */
export const conventionMutants: readonly Mutant[] = [
  {
    id: 'rpc.id-not-echoed',
    fault: 'answers with an id of its own',
    clauses: ['4.1-08'],
    parts: changedAnswer('*', (answer) => ({ ...answer, id: 'another' })),
  },
  {
    id: 'rpc.200-off-path',
    fault: 'answers every path with 200',
    clauses: ['4.1-03'],
    parts: (fire) =>
      door('gatewayDoor', async ({ request }, pass) => {
        const response = await pass(request)
        if (response.status !== 404) return response
        fire()
        return answered(response, '{}', 200)
      })(),
  },
  {
    id: 'rpc.unknown-method-is-internal',
    fault: 'answers an unknown method with -32603',
    clauses: ['7.1-03'],
    parts: changedError('*', (error) =>
      error.code === -32601 ? { ...error, code: -32603 } : error,
    ),
  },
]
