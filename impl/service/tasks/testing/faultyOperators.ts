import type { DataAnswer, Operator, SignAnswer, SignRequest } from '../../operators/operator.ts'

/** Overrides of one operator's calls; calls without one stay honest. */
export type OperatorFault = {
  readonly data?: (honest: () => Promise<DataAnswer>, signal: AbortSignal) => Promise<unknown>
  readonly sign?: (
    honest: () => Promise<SignAnswer>,
    request: SignRequest,
    signal: AbortSignal,
  ) => Promise<unknown>
}

/** Operators of a service with overrides, by their index in the configuration. */
export function faultyOperators() {
  const injectedFaults = new Map<number, OperatorFault>()
  let made = 0
  const operator = (inner: Operator): Operator => {
    const place = made++
    return {
      ...inner,
      collectData: (request, signal) => {
        const honest = () => inner.collectData(request, signal)
        return (injectedFaults.get(place)?.data?.(honest, signal) ??
          honest()) as Promise<DataAnswer>
      },
      sign: (request, signal) => {
        const honest = () => inner.sign(request, signal)
        const twist = injectedFaults.get(place)?.sign
        return (twist?.(honest, request, signal) ?? honest()) as Promise<SignAnswer>
      },
    }
  }
  return { injectedFaults, operator }
}

/** Never answers until aborted. */
export const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** Never answers, not even when aborted. */
export const deaf = (): Promise<never> => new Promise(() => {})

export const after = <T>(ms: number, work: () => Promise<T>): Promise<T> =>
  new Promise((resolve) => setTimeout(resolve, ms)).then(work)
