import fs, { type PathLike } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { root, type TraceEvent } from './trace.ts'

type Node = { readonly id: number; readonly entries?: Map<string, Node> }
type Opened = { readonly node: Node; readonly path: string; cursor: number }
type Originals = Pick<typeof fs, (typeof patched)[number]> & {
  readonly promises: Pick<typeof fs.promises, (typeof patchedPromises)[number]>
}

const patched = [
  ...(['openSync', 'closeSync', 'writeSync', 'writeFileSync', 'ftruncateSync'] as const),
  ...(['truncateSync', 'fsyncSync', 'fdatasyncSync', 'fdatasync', 'renameSync'] as const),
  ...(['linkSync', 'unlinkSync', 'rmdirSync', 'rmSync', 'mkdirSync', 'copyFileSync'] as const),
] as const
const patchedPromises = ['open', 'mkdir', 'rename', 'link', 'rm', 'writeFile'] as const

export type Recorder = {
  readonly trace: readonly TraceEvent[]
  /** Restores the calls of the system. */
  stop(): void
}

/**
 * Records the calls of this thread that change files below an empty directory, until `stop`: those of the
 * embedded database as those of every other writer. It replaces functions of `node:fs`, the layer that all
 * of them use.
 */
export function record(home: string): Recorder {
  const trace: TraceEvent[] = []
  const top: Node = { id: root, entries: new Map() }
  const opened = new Map<number, Opened>()
  const originals = { ...fs, promises: { ...fs.promises } } as Originals
  let nodes = root
  let depth = 0

  const isInside = (path: PathLike) => resolve(String(path)).startsWith(`${home}/`)
  const partsOf = (path: PathLike) => relative(home, resolve(String(path))).split('/')
  const find = (path: PathLike): Node | undefined =>
    resolve(String(path)) === home
      ? top
      : partsOf(path).reduce<Node | undefined>((at, name) => at?.entries?.get(name), top)
  const isKnown = (path: unknown): path is string =>
    typeof path === 'string' && (isInside(path) || path === home)

  function enter(path: PathLike, node: Node | undefined, from?: string): void {
    const parent = find(dirname(String(path)))
    if (parent?.entries === undefined) throw new Error(`${path}: its directory was not recorded`)
    const name = partsOf(path).at(-1) as string
    if (node === undefined) parent.entries.delete(name)
    else parent.entries.set(name, node)
    if (from !== undefined) parent.entries.delete(from)
    trace.push({ kind: 'entry', parent: parent.id, name, node: node?.id, from })
  }
  function create(path: PathLike, directory: boolean): Node {
    nodes += 1
    const node: Node = directory ? { id: nodes, entries: new Map() } : { id: nodes }
    trace.push({ kind: 'create', node: node.id, directory })
    enter(path, node)
    return node
  }
  const fileAt = (path: PathLike): Node => find(path) ?? create(path, false)
  const resize = (node: Node, size: number) => trace.push({ kind: 'size', node: node.id, size })
  function wrote(node: Node, at: number, bytes: Uint8Array): void {
    trace.push({ kind: 'write', node: node.id, at, bytes: Buffer.from(bytes) })
  }
  const bytesOf = (data: unknown): Uint8Array =>
    typeof data === 'string' ? Buffer.from(data) : (data as Uint8Array)
  /** @returns what records the sync, to be called when it has ended */
  function syncing(descriptor: number): () => void {
    const file = opened.get(descriptor)
    if (file === undefined) return () => {}
    const since = trace.length
    const { node, path } = file
    const directory = node.entries !== undefined
    return () => void trace.push({ kind: 'sync', node: node.id, since, path, directory })
  }
  function open(path: string, flags: unknown, descriptor: number): void {
    const empties = typeof flags === 'number' ? flags & fs.constants.O_TRUNC : /w/.test(`${flags}`)
    const existed = find(path) !== undefined
    const node = fileAt(path)
    if (empties && existed) resize(node, 0)
    opened.set(descriptor, { node, path: relative(home, path), cursor: 0 })
  }
  function append(descriptor: number, data: Uint8Array): void {
    const file = opened.get(descriptor)
    if (file === undefined) return
    wrote(file.node, file.cursor, data)
    file.cursor += data.length
  }
  function fill(path: PathLike, data: Uint8Array): void {
    const node = fileAt(path)
    resize(node, 0)
    wrote(node, 0, data)
  }
  function renamed(from: PathLike, to: PathLike): void {
    if (!isInside(from) || !isInside(to)) return
    if (dirname(String(from)) !== dirname(String(to)))
      throw new Error(`${from}: a rename into another directory is not modelled`)
    enter(to, find(from), partsOf(from).at(-1))
  }
  function removed(path: PathLike): void {
    if (isInside(path) && find(path) !== undefined) enter(path, undefined)
  }
  function made(path: PathLike): void {
    if (!isInside(path) || find(path) !== undefined) return
    made(dirname(String(path)))
    create(path, true)
  }

  /**
   * Calls the original, then records: a call that fails has no effect. What the original calls of its own is
   * part of it.
   */
  function after<Arguments extends unknown[], Result>(
    original: (...args: Arguments) => Result,
    note: (args: Arguments, result: Result) => void,
  ): (...args: Arguments) => Result {
    return (...args) => {
      depth += 1
      try {
        const result = original(...args)
        if (depth === 1) note(args, result)
        return result
      } finally {
        depth -= 1
      }
    }
  }
  function afterwards<Arguments extends unknown[], Result>(
    original: (...args: Arguments) => Promise<Result>,
    note: (args: Arguments, result: Result) => void,
  ): (...args: Arguments) => Promise<Result> {
    return async (...args) => {
      const result = await original(...args)
      note(args, result)
      return result
    }
  }

  const calls: Record<(typeof patched)[number], unknown> = {
    openSync: after(originals.openSync, ([path, flags], descriptor) => {
      if (isKnown(path)) open(path, flags, descriptor)
    }),
    closeSync: after(originals.closeSync, ([descriptor]) => void opened.delete(descriptor)),
    writeSync: after(
      originals.writeSync as (
        ...args: [number, Uint8Array, number?, number?, (number | null)?]
      ) => number,
      ([descriptor, data, offset = 0, , position], written) => {
        const file = opened.get(descriptor)
        if (file === undefined) return
        const bytes = new Uint8Array(data.buffer, data.byteOffset + offset, written)
        if (typeof position === 'number') wrote(file.node, position, bytes)
        else append(descriptor, bytes)
      },
    ),
    writeFileSync: after(
      originals.writeFileSync as (target: PathLike | number, data: unknown) => void,
      ([target, data]) => {
        if (typeof target === 'number') append(target, bytesOf(data))
        else if (isInside(target)) fill(target, bytesOf(data))
      },
    ),
    ftruncateSync: after(originals.ftruncateSync, ([descriptor, size]) => {
      const file = opened.get(descriptor)
      if (file !== undefined) resize(file.node, Number(size ?? 0))
    }),
    truncateSync: after(originals.truncateSync, ([path, size]) => {
      if (isInside(path as string)) resize(fileAt(path as string), Number(size ?? 0))
    }),
    fsyncSync(descriptor: number) {
      const done = syncing(descriptor)
      originals.fsyncSync(descriptor)
      done()
    },
    fdatasyncSync(descriptor: number) {
      const done = syncing(descriptor)
      originals.fdatasyncSync(descriptor)
      done()
    },
    fdatasync(descriptor: number, callback: (error: NodeJS.ErrnoException | null) => void) {
      const done = syncing(descriptor)
      originals.fdatasync(descriptor, (error) => {
        if (!error) done()
        callback(error)
      })
    },
    renameSync: after(originals.renameSync, ([from, to]) => renamed(from, to)),
    linkSync: after(originals.linkSync, ([from, to]) => {
      if (isInside(to)) enter(to, find(from))
    }),
    unlinkSync: after(originals.unlinkSync, ([path]) => removed(path)),
    rmdirSync: after(originals.rmdirSync as (path: PathLike) => void, ([path]) => removed(path)),
    rmSync: after(originals.rmSync, ([path]) => removed(path)),
    mkdirSync: after(
      originals.mkdirSync as (path: PathLike, options?: object) => unknown,
      ([path]) => made(path),
    ),
    copyFileSync: after(originals.copyFileSync, ([, to]) => {
      if (isInside(to as string)) fill(to as string, fs.readFileSync(to))
    }),
  }
  const promises: Record<(typeof patchedPromises)[number], unknown> = {
    open: afterwards(originals.promises.open, ([path, flags], handle) => {
      if (!isKnown(path)) return
      const { fd } = handle
      open(path, flags, fd)
      const { write, writeFile, sync, datasync, close } = handle
      const writing = write.bind(handle) as (
        ...args: [Uint8Array, number, number, number | null]
      ) => Promise<{ bytesWritten: number }>
      const synced = (call: () => Promise<void>) => async () => {
        const done = syncing(fd)
        await call()
        done()
      }
      Object.assign(handle, {
        write: afterwards(writing, ([data, offset, , position], { bytesWritten }) => {
          const bytes = data.subarray(offset, offset + bytesWritten)
          const file = opened.get(fd)
          if (typeof position === 'number' && file !== undefined) wrote(file.node, position, bytes)
          else append(fd, bytes)
        }),
        writeFile: afterwards(
          writeFile.bind(handle) as (data: unknown) => Promise<void>,
          ([data]) => append(fd, bytesOf(data)),
        ),
        sync: synced(sync.bind(handle)),
        datasync: synced(datasync.bind(handle)),
        async close() {
          opened.delete(fd)
          await close.call(handle)
        },
      })
    }),
    mkdir: afterwards(
      originals.promises.mkdir as (path: PathLike, options?: object) => Promise<unknown>,
      ([path]) => made(path),
    ),
    rename: afterwards(originals.promises.rename, ([from, to]) => renamed(from, to)),
    link: afterwards(originals.promises.link, ([from, to]) => {
      if (isInside(to)) enter(to, find(from))
    }),
    rm: afterwards(originals.promises.rm, ([path]) => removed(path)),
    writeFile: afterwards(
      originals.promises.writeFile as (path: PathLike, data: unknown) => Promise<void>,
      ([path, data]) => {
        if (typeof path === 'string' && isInside(path)) fill(path, bytesOf(data))
      },
    ),
  }
  Object.assign(fs, calls)
  Object.assign(fs.promises, promises)
  syncBuiltinESMExports()
  return {
    trace,
    stop() {
      const { promises: ofPromises, ...ofSync } = originals
      for (const name of patched) Object.assign(fs, { [name]: ofSync[name] })
      for (const name of patchedPromises) Object.assign(fs.promises, { [name]: ofPromises[name] })
      syncBuiltinESMExports()
    },
  }
}
