import {
  readVariants,
  type VariantSummary,
  writeVariants,
} from 'polgate-conformance/proof/variants.ts'
import type { RowResult } from './tryRow.ts'

type Row = readonly string[]

const keyOf = (ids: Row): string => ids.toSorted().join(' ')

/**
 * Results of planned gateways, later ones in the place of earlier ones; those of other gateways are
 * dropped. A gateway that did not start has none.
 */
export function withRows(
  earlier: readonly VariantSummary[],
  results: readonly Pick<RowResult, 'ids' | 'passed' | 'alarms' | 'broken'>[],
  planned: readonly Row[],
): readonly VariantSummary[] {
  const keys = new Set(planned.map(keyOf))
  const later = results
    .filter(({ broken }) => broken === undefined)
    .map(({ ids, passed, alarms }) => ({
      ...{ ids, checks: passed + alarms.length, alarms: alarms.length },
    }))
  const gateways = new Map([...earlier, ...later].map((gateway) => [keyOf(gateway.ids), gateway]))
  return [...gateways].flatMap(([key, gateway]) => (keys.has(key) ? [gateway] : []))
}

/** Puts results into the committed summary. */
export const saveRows = (results: readonly RowResult[], planned: readonly Row[]): void =>
  writeVariants(withRows(readVariants(), results, planned))

/** Planned gateways without a result. */
export function unsaved(
  gateways: readonly VariantSummary[],
  planned: readonly Row[],
): readonly Row[] {
  const known = new Set(gateways.map(({ ids }) => keyOf(ids)))
  return planned.filter((row) => !known.has(keyOf(row)))
}
