import type { RpcPermission } from 'polgate-protocol/methods/method.ts'
import type { MethodName } from 'polgate-protocol/methods.ts'
import { requirePermission } from 'polgate-service/gateway/authentication.ts'
import { handlers } from 'polgate-service/gateway/methods.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { ApiKeyRecord } from 'polgate-service/store/apiKeys.ts'
import type { KeyPermission } from 'polgate-service/store/keyOptions.ts'
import type { MarkFired } from './mutant.ts'
import { changedAnswer, type Json, wrapListener } from './wrappedListeners.ts'

/** An additional permission that a method requires. */
export const needingToo =
  (names: readonly MethodName[], permission: RpcPermission) =>
  (markFired: MarkFired): ServiceParts => ({
    gateway: (deps) => {
      const all = { ...handlers, ...deps.handlers }
      const wanting = (name: MethodName) => {
        const handler = all[name] as (params: unknown, context: Context) => Promise<unknown>
        return async (params: unknown, context: Context) => {
          try {
            requirePermission(context.caller, permission)
          } catch (error) {
            markFired()
            throw error
          }
          return handler(params, context)
        }
      }
      const instead = Object.fromEntries(names.map((name) => [name, wanting(name)]))
      return { ...deps, handlers: { ...deps.handlers, ...instead } }
    },
  })
type Context = Parameters<(typeof handlers)[MethodName]>[1]

/** Changes the record of a key. */
export const changedKeys =
  (change: (record: ApiKeyRecord | undefined, key: string) => ApiKeyRecord | undefined) =>
  (markFired: MarkFired): ServiceParts => ({
    gateway: (deps) => ({
      ...deps,
      apiKeys: {
        lookup: async (key) => {
          const right = await deps.apiKeys.lookup(key)
          const record = change(right, key)
          if (record !== right) markFired()
          return record
        },
      },
    }),
  })

/** Changes the permissions of a key; the same array leaves them unchanged. */
export const changedPermissions = (
  change: (permissions: readonly KeyPermission[]) => readonly KeyPermission[],
) =>
  changedKeys((record) => {
    if (record === undefined) return undefined
    const permissions = change(record.permissions)
    return permissions === record.permissions ? record : { ...record, permissions }
  })

/** Params with one invalid member are accepted: the last success is the response. */
export const unchecked = (method: MethodName, member: string) => (markFired: MarkFired) => {
  let last: Json
  const named = new RegExp(`\\b${member}\\b`)
  return changedAnswer(method, (answer) => {
    if (answer.result !== undefined) last = answer.result
    const { jsonrpc, error, id } = answer
    return last !== undefined && error?.code === -32602 && named.test(error.message)
      ? { jsonrpc, result: last, id }
      : answer
  })(markFired)
}

/** A listener that serves a request without a key as that of the last key. */
export const lastKeyServes =
  (name: 'wrapGatewayFetch' | 'wrapExplorerFetch', keyless: (headers: Headers) => boolean) =>
  (markFired: MarkFired): ServiceParts => {
    let last: string | undefined
    return wrapListener(name, async ({ request }, pass) => {
      if (!keyless(request.headers) || last === undefined) {
        const response = await pass(request)
        if (response.status === 200) last = request.headers.get('authorization') ?? last
        return response
      }
      markFired()
      const headers = new Headers(request.headers)
      headers.set('authorization', last)
      return pass(new Request(request, { headers }))
    })()
  }
