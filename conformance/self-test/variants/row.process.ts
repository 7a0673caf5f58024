import { variants } from './catalogue.ts'
import { tryRow } from './tryRow.ts'

export type RowOrder = { readonly ids: readonly string[]; readonly seed: string }

process.once('message', async ({ ids, seed }: RowOrder) => {
  const chosen = variants.filter(({ id }) => ids.includes(id))
  const result = await tryRow(chosen, seed)
  process.send?.(result, () => process.exit(0))
})
// The parent process is gone.
process.on('disconnect', () => process.exit(0))
