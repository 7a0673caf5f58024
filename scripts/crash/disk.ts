import { root, type TraceEvent } from './trace.ts'

/** A random number in [0, 1). */
export type Random = () => number

/** By path: the content of a file, or undefined for a directory. Equal content of two images is the same buffer. */
export type Image = ReadonlyMap<string, Buffer | undefined>

type FileChange =
  | { readonly number: number; readonly at: number; readonly bytes: Buffer }
  | { readonly number: number; readonly size: number }
type EntryChange = {
  readonly number: number
  readonly name: string
  readonly node: number | undefined
  readonly from: string | undefined
}
type File = { durable: Buffer; pending: FileChange[] }
type Directory = { durable: Map<string, number>; pending: EntryChange[] }

/** A disk writes whole sectors, of either size. */
const sectors = [512, 4096] as const

/** How much of what was not synced is on the disk. Extremes find what the middle seldom shows. */
const chances = [0, 0.1, 0.5, 0.9, 1] as const

/**
 * What a disk may contain after a power cut. Synced changes are there, in order. Of the others any may be
 * missing: each sector of a write, each change of a size, and each change of a directory that does not
 * follow a missing one of the same name. A file that no directory names is gone.
 */
export class Disk {
  readonly #files = new Map<number, File>()
  readonly #directories = new Map<number, Directory>([[root, { durable: new Map(), pending: [] }]])
  #count = 0

  apply(event: TraceEvent): void {
    const number = this.#count
    this.#count += 1
    if (event.kind === 'create') {
      if (event.directory) this.#directories.set(event.node, { durable: new Map(), pending: [] })
      else this.#files.set(event.node, { durable: Buffer.alloc(0), pending: [] })
    } else if (event.kind === 'entry') {
      const { name, node, from } = event
      this.#directories.get(event.parent)?.pending.push({ number, name, node, from })
    } else if (event.kind === 'write') {
      const { at, bytes } = event
      this.#files.get(event.node)?.pending.push({ number, at, bytes })
    } else if (event.kind === 'size') {
      this.#files.get(event.node)?.pending.push({ number, size: event.size })
    } else this.#sync(event.node, event.since)
  }

  /** Counts an event that has no effect, so that later numbers stay the same. */
  skip(): void {
    this.#count += 1
  }

  /** One of the possible states now. */
  image(random: Random): Image {
    const image = new Map<string, Buffer | undefined>()
    this.#collect(root, '', image, random)
    return image
  }

  #sync(node: number, since: number): void {
    const file = this.#files.get(node)
    if (file !== undefined) {
      const synced = file.pending.filter(({ number }) => number < since)
      if (synced.length === 0) return
      file.pending = file.pending.filter(({ number }) => number >= since)
      file.durable = contentOf(file.durable, synced, Number.POSITIVE_INFINITY, () => 1)
    }
    const directory = this.#directories.get(node)
    if (directory !== undefined) {
      for (const change of directory.pending)
        if (change.number < since) enter(directory.durable, change)
      directory.pending = directory.pending.filter(({ number }) => number >= since)
    }
  }

  #collect(
    node: number,
    path: string,
    image: Map<string, Buffer | undefined>,
    random: Random,
  ): void {
    const directory = this.#directories.get(node) as Directory
    for (const [name, child] of entriesOf(directory, random)) {
      const at = path === '' ? name : `${path}/${name}`
      const file = this.#files.get(child)
      if (file === undefined) {
        image.set(at, undefined)
        this.#collect(child, at, image, random)
      } else if (file.pending.length === 0) image.set(at, file.durable)
      else {
        const chance = oneOf(chances, random)
        const sector = oneOf(sectors, random)
        image.set(
          at,
          contentOf(file.durable, file.pending, sector, () => (random() < chance ? 1 : 0)),
        )
      }
    }
  }
}

const oneOf = <T>(values: readonly T[], random: Random): T =>
  values[Math.floor(random() * values.length)] as T

function enter(entries: Map<string, number>, { name, node, from }: EntryChange): void {
  if (from !== undefined) entries.delete(from)
  if (node === undefined) entries.delete(name)
  else entries.set(name, node)
}

function entriesOf({ durable, pending }: Directory, random: Random): ReadonlyMap<string, number> {
  if (pending.length === 0) return durable
  const entries = new Map(durable)
  const chance = oneOf(chances, random)
  const missing = new Set<string>()
  for (const change of pending) {
    const names = change.from === undefined ? [change.name] : [change.name, change.from]
    if (names.some((name) => missing.has(name)) || random() >= chance)
      for (const name of names) missing.add(name)
    else enter(entries, change)
  }
  return entries
}

/** `kept` says for each sector, and for each change of the size, whether it is on the disk. */
function contentOf(
  durable: Buffer,
  changes: readonly FileChange[],
  sector: number,
  kept: () => 0 | 1,
): Buffer {
  let size = durable.length
  const largest = changes.reduce(
    (most, change) =>
      Math.max(most, 'bytes' in change ? change.at + change.bytes.length : change.size),
    size,
  )
  const content = Buffer.alloc(largest)
  durable.copy(content)
  for (const change of changes) {
    if (!('bytes' in change)) {
      if (!kept()) continue
      // What a file is extended by is zero.
      if (change.size < size) content.fill(0, change.size, size)
      size = change.size
      continue
    }
    const { at, bytes } = change
    const end = at + bytes.length
    if (end > size && kept()) size = end
    for (let from = at; from < end; ) {
      const to =
        sector === Number.POSITIVE_INFINITY ? end : (Math.floor(from / sector) + 1) * sector
      const stop = Math.min(to, end, size)
      if (stop > from && kept()) bytes.copy(content, from, from - at, stop - at)
      from = Math.min(to, end)
    }
  }
  return content.subarray(0, size)
}
