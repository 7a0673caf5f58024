import { formatBytes } from 'polgate-service/content/contentError.ts'
import { createContentStore } from 'polgate-service/content/contentStore.ts'
import { asCommandError, type ContentOptions, directoryOf } from './contentLocation.ts'

export type ListOptions = ContentOptions & { readonly check?: boolean }

type Entry = { readonly cid: string; readonly bytes: number; readonly altered?: boolean }

/** `polgate content list`: one block per line; totals on stderr. */
export async function listContent(options: ListOptions): Promise<void> {
  const directory = await directoryOf(options)
  const store = createContentStore({ directory })
  const failed = (error: unknown) => {
    throw asCommandError(error, directory)
  }
  const entries: Entry[] = []
  for (const entry of await store.list().catch(failed)) {
    if (!options.check) entries.push(entry)
    else {
      const block = await store.block(entry.cid).catch(failed)
      entries.push({ ...entry, altered: block === undefined })
    }
  }
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  const altered = entries.filter((entry) => entry.altered)
  if (altered.length > 0) process.exitCode = 1
  if (options.json) {
    console.log(JSON.stringify({ directory, bytes, blocks: entries }))
    return
  }
  for (const entry of entries) {
    console.log(`${entry.cid}  ${entry.bytes}${entry.altered ? '  altered' : ''}`)
  }
  const found = altered.length > 0 ? `, ${altered.length} altered` : ''
  console.error(`${entries.length} blocks, ${formatBytes(bytes)} in ${directory}${found}`)
}
