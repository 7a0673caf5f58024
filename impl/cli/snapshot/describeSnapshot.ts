import type { Manifest } from 'polgate-service/snapshot/manifest.ts'
import type { VerifiedSnapshot } from 'polgate-service/snapshot/verifySnapshot.ts'

/** Text describing a snapshot. Counts are known only after verifying the whole file. */
export function describeSnapshot(
  manifest: Manifest,
  found?: Pick<VerifiedSnapshot, 'rows' | 'contents' | 'leftOut'>,
): string[] {
  const { createdAt, release, schema, engine, chain } = manifest
  const row = (name: string, value: string) => `${name.padEnd(10)}${value}`
  const at = chain?.block === null ? '' : ` at block ${chain?.block}`
  const tables = Object.entries(found?.rows ?? {}).filter(([, rows]) => rows > 0)
  return [
    row('saved', `${createdAt} by release ${release}`),
    row('database', `schema ${schema}, from the ${engine} engine`),
    ...tables.map(([name, rows]) => row('', `${name} ${rows}`)),
    row('chain', chain === null ? 'none' : `Anvil${at}`),
    row('contents', manifest.content ? String(found?.contents ?? 'yes') : 'none'),
    ...(found?.leftOut ?? []).map((cid) => row('', `omitted, altered on disk: ${cid}`)),
  ]
}
