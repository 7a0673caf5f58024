import { refusedAs } from './explorerFaults.ts'
import type { Mutant } from './mutant.ts'

const any = () => true

/** Faults in the errors of the explorer (section 7.6). */
export const explorerErrorMutants: readonly Mutant[] = [
  {
    id: 'explorer.message-for-detail',
    fault: 'returns errors in message instead of detail',
    clauses: ['7.6-01'],
    parts: refusedAs(any, (_, { detail }) => ({ body: { message: detail } })),
  },
  {
    id: 'explorer.error-is-text',
    fault: 'returns errors as plain text',
    clauses: ['7.6-01'],
    parts: refusedAs(any, (_, { detail }) => ({ body: detail })),
  },
  {
    id: 'explorer.wrong-network-is-422',
    fault: 'answers an unknown network with 422',
    clauses: ['7.6-02'],
    parts: refusedAs(
      (status) => status === 400,
      () => ({ status: 422 }),
    ),
  },
  {
    id: 'explorer.wrong-network-in-other-words',
    fault: 'reports an unknown network in other words',
    clauses: ['7.6-02'],
    parts: refusedAs(
      (status) => status === 400,
      () => ({ body: { detail: 'Unknown network' } }),
    ),
  },
  {
    id: 'explorer.unknown-task-in-other-words',
    fault: 'reports an unknown task in other words',
    clauses: ['7.6-06'],
    parts: refusedAs(
      (_, body) => body.detail === 'Task not found.',
      () => ({ body: { detail: 'Not Found' } }),
    ),
  },
  {
    id: 'explorer.policy-is-task',
    fault: 'reports an unknown policy with the error of a task',
    clauses: ['7.6-07'],
    parts: refusedAs(
      (_, body) => body.detail === 'Policy Template not found.',
      () => ({ body: { detail: 'Task not found.' } }),
    ),
  },
  {
    id: 'explorer.422-is-400',
    fault: 'answers an invalid value with 400',
    clauses: ['7.6-08'],
    parts: refusedAs(
      (status) => status === 422,
      () => ({ status: 400 }),
    ),
  },
  {
    id: 'explorer.malformed-is-500',
    fault: 'fails on an invalid id',
    clauses: ['7.6-10'],
    parts: refusedAs(
      (status, _, path) =>
        status === 404 && !/^\/v1\/(task\/0x[0-9a-f]{64}|policy\/0x[0-9a-f]{40})$/i.test(path),
      () => ({ status: 500, body: { detail: 'Internal error' } }),
    ),
  },
  {
    id: 'explorer.odd-page-is-500',
    fault: 'fails on a page or a size that is not a number',
    clauses: ['7.6-10', '7.6-08'],
    parts: refusedAs(
      (status, _, path) => status === 422 && path !== '/v1/stats',
      () => ({ status: 500, body: { detail: 'Internal error' } }),
    ),
  },
]
