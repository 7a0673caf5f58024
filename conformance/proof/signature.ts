import type { CheckFinished } from '../core/events.ts'
import { normalised } from '../reports/normalised.ts'
import { structuralDiff } from '../reports/structuralDiff.ts'

/** What a failure observed, without the values of one run: two of the same fault have the same. */
export type Signature = {
  /** HTTP status, where the finding names one. */
  readonly status?: number
  /** Code of the error. */
  readonly code?: number
  /** What is wrong, and the member of it that differs. */
  readonly member: string
}

type Failure = Pick<CheckFinished, 'id' | 'reason' | 'expected' | 'observed'>

function numberIn(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text)?.slice(1).find(Boolean)
  return found === undefined ? undefined : Number(found)
}

const statusForm = /\bHTTP (\d{3})\b|^(\d{3})(?=$|:)/
const codeForm = /"code":\s?(-?\d+)|(?:^|[^\w"])(-32\d{3})\b/

function memberOf({ id, reason = '', expected, observed }: Failure): string {
  const path =
    expected === undefined || observed === undefined
      ? undefined
      : structuralDiff(expected, observed).find((line) => line.path !== undefined)?.path
  return [normalised(reason, id), ...(path === undefined ? [] : [path])].join(' at ')
}

export function signatureOf(failure: Failure): Signature {
  const { observed = '' } = failure
  const status = numberIn(observed, statusForm)
  const code = numberIn(observed, codeForm)
  return {
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    member: memberOf(failure),
  }
}

export const agree = (a: Signature, b: Signature): boolean =>
  a.status === b.status && a.code === b.code && a.member === b.member
