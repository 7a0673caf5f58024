import { variants } from './catalogue.ts'
import { tryRow } from './tryRow.ts'

export type RowOrder = {
  readonly ids: readonly string[]
  readonly seed: string
  /** See `tryRow`. */
  readonly added: readonly string[]
}

process.once('message', async ({ ids, seed, added }: RowOrder) => {
  const chosen = variants.filter(({ id }) => ids.includes(id))
  const result = await tryRow(chosen, seed, added)
  process.send?.(result, () => process.exit(0))
})
// The run was interrupted, or the parent process is gone: what was started ends with this process.
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
