import { changedError } from './doors.ts'
import type { Mutant } from './mutant.ts'

/** Faults in versions, and in who owns a client (section 9). */
export const versionMutants: readonly Mutant[] = [
  {
    id: 'versions.in-other-words',
    fault: 'tells of a version that does not fit as of an internal error',
    clauses: ['9-05'],
    parts: changedError('*', (error) =>
      error.code === -32618 || error.code === -32619
        ? { ...error, code: -32603, message: 'Internal error' }
        : error,
    ),
  },
  {
    id: 'versions.owner-cached',
    fault: 'remembers the owner of a policy client',
    clauses: ['9-03'],
    parts: (fire) => ({
      chain: (chain) => {
        const owners = new Map<string, ReturnType<typeof chain.owner>>()
        return {
          ...chain,
          owner: (client) => {
            const known = owners.get(client)
            if (known !== undefined) fire()
            const owner = known ?? chain.owner(client)
            owners.set(client, owner)
            return owner
          },
        }
      },
    }),
  },
]
