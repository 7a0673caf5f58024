import { fsyncSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { syncDirectorySync } from 'polgate-lib/files/replaceFile.ts'
import { syncTree } from 'polgate-lib/files/syncTree.ts'
import { CommitLog } from './commitLog.ts'
import type { SyncCounters } from './syncCounters.ts'

type Node = { readonly mode: number; readonly parent: Node; readonly name: string }
type Stream = { readonly node: Node; readonly nfd: number }
type Attributes = { readonly size?: number | undefined }

/** The parts of Emscripten's file system on the host's that are used here. */
type HostFiles = {
  realPath(node: Node): string
  tryFSOperation<T>(operation: () => T): T
  readonly node_ops: {
    mknod(parent: Node, name: string, mode: number, device: number): Node
    rename(node: Node, parent: Node, name: string): void
    unlink(parent: Node, name: string): void
    rmdir(parent: Node, name: string): void
    setattr(node: Node, attributes: Attributes): void
  }
  readonly stream_ops: {
    fsync?: (stream: Stream) => number
    write(
      stream: Stream,
      memory: Uint8Array,
      offset: number,
      length: number,
      position: number,
    ): number
    setattr(stream: Stream, attributes: Attributes): void
  }
}

type Module = { readonly NODEFS: HostFiles }

const segment = /\/pg_wal\/[0-9A-F]{24}$/

/**
 * The files of the embedded database, synced when PostgreSQL asks for it. PGlite drops these
 * requests.
 *
 * - The log is synced together for all commits that wait (see `CommitLog`), and before anything else
 *   is written.
 * - After a crash PostgreSQL syncs every file, one after another. Here all are synced before it starts, many
 *   at once, and later only those that it has written.
 * - A data file is synced with the directory that names it: PostgreSQL relies on file systems that
 *   do this by themselves, which not all do.
 */
export class DurableFiles extends NodeFS {
  readonly #directory: string
  readonly log: CommitLog
  readonly #counters: SyncCounters
  /** Files that may not be on disk. */
  readonly #written = new Set<string>()
  /** Directories with entries that may not be on disk. */
  readonly #changed = new Set<string>()

  constructor(directory: string, counters: SyncCounters) {
    super(directory)
    this.#directory = directory
    this.#counters = counters
    this.log = new CommitLog(counters)
  }

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    // Written by a process that was killed, by a relaxed one or by an earlier release.
    await syncTree(this.#directory)
    const { emscriptenOpts } = await super.init(...args)
    const install = (module: unknown) => this.#install((module as Module).NODEFS)
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), install] },
    }
  }

  #install(files: HostFiles): void {
    const { log } = this
    const changed = (parent: Node) => void this.#changed.add(files.realPath(parent))
    const written = (node: Node) => void this.#written.add(files.realPath(node))
    const { node_ops: nodes, stream_ops: streams } = files
    const { mknod, rename, unlink, rmdir, setattr } = nodes
    const { write, setattr: setStream } = streams
    const logFirst = () => files.tryFSOperation(() => log.syncNow())

    streams.fsync = (stream) => {
      const path = files.realPath(stream.node)
      // A request for the log is what its writes have noted already.
      if (!segment.test(path)) {
        logFirst()
        files.tryFSOperation(() => this.#sync(stream.nfd, path))
      }
      return 0
    }
    streams.write = (stream, ...rest) => {
      const path = files.realPath(stream.node)
      if (segment.test(path)) files.tryFSOperation(() => log.writing(path))
      else {
        logFirst()
        this.#written.add(path)
      }
      return write(stream, ...rest)
    }
    streams.setattr = (stream, attributes) => {
      if (attributes.size !== undefined) {
        logFirst()
        written(stream.node)
      }
      setStream(stream, attributes)
    }
    nodes.setattr = (node, attributes) => {
      if (attributes.size !== undefined) {
        logFirst()
        written(node)
      }
      setattr(node, attributes)
    }
    nodes.mknod = (parent, ...rest) => {
      changed(parent)
      const node = mknod(parent, ...rest)
      written(node)
      return node
    }
    nodes.rename = (node, parent, name) => {
      logFirst()
      changed(node.parent)
      changed(parent)
      const isWritten = this.#written.delete(files.realPath(node))
      rename(node, parent, name)
      if (isWritten) this.#written.add(`${files.realPath(parent)}/${name}`)
    }
    nodes.unlink = (parent, name) => {
      logFirst()
      changed(parent)
      unlink(parent, name)
    }
    nodes.rmdir = (parent, name) => {
      logFirst()
      changed(parent)
      rmdir(parent, name)
    }
  }

  /** A file with its entry, or a directory. */
  #sync(descriptor: number, path: string): void {
    const isWritten = this.#written.delete(path)
    if (!this.#changed.delete(path) && !isWritten) return
    this.#counters.timed(() => fsyncSync(descriptor))
    for (const directory of this.#changed)
      if (path.startsWith(`${directory}/`)) {
        this.#counters.timed(() => syncDirectorySync(directory))
        this.#changed.delete(directory)
      }
  }
}
