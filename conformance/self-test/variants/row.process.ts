import { tryRow } from './tryRow.ts'

export type RowOrder = { readonly ids: readonly string[]; readonly seed: string }

process.once('message', async ({ ids, seed }: RowOrder) => {
  const result = await tryRow(ids, seed)
  process.send?.(result, () => process.exit(0))
})
// The parent process is gone.
process.on('disconnect', () => process.exit(0))
