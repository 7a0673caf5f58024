import type { MethodName } from 'polgate-protocol/methods.ts'
import { permissionRequired } from 'polgate-service/gateway/errors.ts'
import type { Mutant } from './mutant.ts'
import { beforeHandler } from './parts.ts'

/** A method that requires both permissions of a key although one is enough. */
export const requiresBoth = (area: string, name: MethodName, clause: string): Mutant => ({
  id: `${area}.${name}-wants-both-permissions`,
  fault: `${name} requires a key with both permissions`,
  clauses: [clause],
  parts: (markFired) =>
    beforeHandler(name, (_, { caller }) => {
      const { permissions } = caller
      if (permissions.includes('rpc')) return
      const other = permissions.includes('rpc_read') ? 'rpc_write' : 'rpc_read'
      if (permissions.includes(other)) return
      markFired()
      throw permissionRequired(other === 'rpc_write' ? 'RpcWrite' : 'RpcRead')
    }),
})
