import { defaultBrand } from 'polgate-protocol/brand.ts'
import { OracleError } from 'polgate-service/oracles/oracleError.ts'
import type { Mutant } from './mutant.ts'
import { changedError } from './wrappedListeners.ts'

/** Faults in versions, and in the owner of a client (section 9). */
export const versionMutants: readonly Mutant[] = [
  {
    id: 'versions.in-other-words',
    fault: 'reports an incompatible version as an internal error',
    clauses: ['9-05'],
    parts: changedError('*', (error) =>
      error.code === -32618 || error.code === -32619
        ? { ...error, code: -32603, message: 'Internal error' }
        : error,
    ),
  },
  {
    id: 'versions.sent-in-other-words',
    fault: 'sendTask reports an incompatible version as an internal error',
    clauses: ['7.2-04', '7.2-05', '9-05'],
    parts: changedError('sendTask', (error) =>
      error.code === -32618 || error.code === -32619
        ? { ...error, code: -32603, message: 'Internal error' }
        : error,
    ),
  },
  {
    id: 'versions.pre-release-fits',
    fault: 'treats a pre-release as its release',
    clauses: ['9-09'],
    parts: (markFired) => ({
      chain: (chain) => ({
        ...chain,
        clientAndOperators: async (...args) => {
          const { client, operatorSet } = await chain.clientAndOperators(...args)
          const version = client.version.replace(/-.*$/, '')
          if (version !== client.version) markFired()
          return { client: { ...client, version }, operatorSet }
        },
      }),
    }),
  },
  {
    id: 'versions.oracle-interfaces-of-0.3.0',
    fault: 'offers only the host interfaces @0.3.0 to oracles, so that one built for @0.2.0 fails',
    clauses: ['9-02'],
    parts: (markFired) => ({
      operatorTools: (tools) => ({
        ...tools,
        oracles: {
          ...tools.oracles,
          load: async (component, options) => {
            const { signal = new AbortController().signal } = options
            const bytes = typeof component === 'function' ? await component(signal) : component
            const built = ['http', 'secrets']
              .map((name) => `${defaultBrand.witPackage}/${name}@0.2.0`)
              .find((name) => Buffer.from(bytes).includes(name))
            if (built === undefined) return tools.oracles.load(bytes, options)
            markFired()
            throw new OracleError('component', `it imports ${built}, which is not available`)
          },
        },
      }),
    }),
  },
  {
    id: 'versions.owner-cached',
    fault: 'caches the owner of a policy client',
    clauses: ['9-03'],
    parts: (markFired) => ({
      chain: (chain) => {
        const owners = new Map<string, ReturnType<typeof chain.owner>>()
        return {
          ...chain,
          owner: (client) => {
            const known = owners.get(client)
            if (known !== undefined) markFired()
            const owner = known ?? chain.owner(client)
            owners.set(client, owner)
            return owner
          },
        }
      },
    }),
  },
]
