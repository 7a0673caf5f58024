import { type Difference, typedDiff } from 'polgate-lib/view/typedDiff.ts'
import type { ConformanceEvidence } from 'polgate-protocol/control/conformance.ts'

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Where two texts of JSON differ; undefined where one of them is none. */
export function diffTexts(before: string, after: string): readonly Difference[] | undefined {
  const [a, b] = [parsed(before), parsed(after)]
  return a === undefined || b === undefined ? undefined : typedDiff(a.value, b.value)
}

/** The valid request next to the refused one, where the check sent one. */
export const twinOf = (
  evidence: readonly ConformanceEvidence[],
  { request }: ConformanceEvidence,
): ConformanceEvidence | undefined =>
  evidence.find(
    (each) =>
      each.phase === 'twin' && each.request !== undefined && each.request.url === request?.url,
  )

/** The one that the verdict is about; else the last of the main part. -1 without any. */
export function subjectIndex(evidence: readonly ConformanceEvidence[]): number {
  const subject = evidence.findIndex(
    ({ subject: isSubject, request }) => isSubject === true && request !== undefined,
  )
  return subject !== -1
    ? subject
    : evidence.findLastIndex(({ phase, request }) => phase === undefined && request !== undefined)
}
