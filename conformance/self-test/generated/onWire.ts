import { isDeepStrictEqual } from 'node:util'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import { changedReply } from '../mutants/frames.ts'
import type { MarkFired } from '../mutants/mutant.ts'
import { changedClaims } from '../mutants/webhookFaults.ts'
import {
  answered,
  changedAnswer,
  type Json,
  type ReceivedRequest,
  wrapListener,
} from '../mutants/wrappedListeners.ts'
import { type Fault, withFault } from './fault.ts'
import { leavesOf } from './operators.ts'
import type { Surface } from './surfaces.ts'

/**
 * Changes answers of one surface, and remembers the previous ones. `name` is the same for requests of the
 * same thing; without it every request is another one.
 */
function changer(fault: Fault) {
  let last: { readonly name: string | undefined; readonly answer: unknown } | undefined
  let ofAnother: unknown
  return <T>(answer: T, request: readonly unknown[], name?: string): T => {
    if (last !== undefined && (name === undefined || last.name !== name)) ofAnother = last.answer
    last = { name, answer: structuredClone(answer) }
    return withFault(answer, fault, { request, previous: ofAnother })
  }
}

function explorerLeaves({ request }: ReceivedRequest): readonly unknown[] {
  const { pathname, searchParams } = new URL(request.url)
  const query = [...searchParams.values()]
  const numbers = query.map(Number).filter((each) => Number.isFinite(each))
  const network = request.headers.get('x-protocol-network')
  const parts = pathname.split('/').map(decodeURIComponent)
  return [...parts, ...query, ...numbers, ...(network === null ? [] : [network])]
}

function explorerAnswers(
  { path, status }: Extract<Surface, { on: 'explorer' }>,
  change: ReturnType<typeof changer>,
) {
  return (markFired: MarkFired): ServiceParts =>
    wrapListener('wrapExplorerFetch', async (asked, pass) => {
      const response = await pass(asked.request)
      if (response.status !== status || !path.test(new URL(asked.request.url).pathname))
        return response
      const text = await response.clone().text()
      if (!text.startsWith('{')) return response
      const instead = change(JSON.parse(text) as Json, explorerLeaves(asked), asked.request.url)
      if (isDeepStrictEqual(instead, JSON.parse(text))) return response
      markFired()
      return answered(response, JSON.stringify(instead))
    })()
}

/**
 * The service with this fault in every answer of the surface, on the wire: what the service does and
 * stores stays right. It fires where an answer differs.
 */
export const faultOnWire =
  (surface: Surface, fault: Fault) =>
  (markFired: MarkFired): ServiceParts => {
    const change = changer(fault)
    const requestOf = ({ call }: ReceivedRequest) => leavesOf(call?.params)
    switch (surface.on) {
      case 'result':
        return changedAnswer(surface.method, (answer, asked) =>
          typeof answer?.result === 'object' && answer.result !== null
            ? { ...answer, result: change(answer.result, requestOf(asked)) }
            : answer,
        )(markFired)
      case 'call':
        return changedAnswer('*', (answer, asked) => {
          const has =
            surface.has === 'result'
              ? answer?.result !== undefined && answer.error === undefined
              : typeof answer?.error?.code === 'number'
          return has ? change(answer, [...requestOf(asked), asked.call?.method]) : answer
        })(markFired)
      case 'explorer':
        return explorerAnswers(surface, change)(markFired)
      case 'socket':
        return changedReply((frame, received) =>
          frame?.type === surface.type ? change(frame, leavesOf(received)) : frame,
        )(markFired)
      case 'webhook':
        return changedClaims((claimed) => ({
          ...claimed,
          body: JSON.stringify(change(JSON.parse(claimed.body), [claimed.id])),
        }))(markFired)
    }
  }
