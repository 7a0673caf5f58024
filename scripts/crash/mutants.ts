import type { Run, Span } from './load.ts'
import type { Sync } from './trace.ts'

/** A sync that is left out, with what it protects. */
export type CrashMutant = {
  readonly id: string
  readonly fault: string
  readonly without: (sync: Sync, run: Run) => boolean
  /** The moments that it matters in. */
  readonly within: (run: Run) => Span
  /** Only files are looked at. */
  readonly withDatabase?: false
}

const cluster = /^data\/store\/cluster\//
const draft = /^data\/store\/cluster\.[^/]+(\/|$)/
const log = /\/pg_wal\/[0-9A-F]{24}$/
const control = /\/pg_control$/

/** The second half of the load: by then each sync has mattered. */
const late = ({ trace, relaxed }: Run): Span => ({
  from: Math.ceil((relaxed.to + trace.length) / 2),
  to: trace.length,
})

/** Each removes one sync of the embedded database, or of files of the service. */
export const crashMutants: readonly CrashMutant[] = [
  {
    id: 'no-log-sync',
    fault: 'commits are acknowledged before the log is synced',
    without: ({ path }) => cluster.test(path) && log.test(path),
    within: late,
  },
  {
    id: 'no-checkpoint-sync',
    fault: 'a checkpoint ends before its data files are synced',
    without: ({ path, directory }) =>
      cluster.test(path) && !directory && !log.test(path) && !control.test(path),
    within: late,
  },
  {
    id: 'no-control-file-sync',
    fault: 'the log of an earlier checkpoint is removed before the control file is synced',
    without: ({ path }) => cluster.test(path) && control.test(path),
    within: late,
  },
  {
    id: 'no-log-directory-sync',
    fault: 'a new segment of the log is used before its name is on disk',
    without: ({ path }) => /^data\/store\/cluster\/pg_wal$/.test(path),
    within: late,
  },
  {
    id: 'no-table-directory-sync',
    fault: 'a checkpoint ends before the names of new tables are on disk',
    without: ({ path }) => /^data\/store\/cluster\/base\/\d+$/.test(path),
    within: late,
  },
  {
    id: 'no-sync-of-new-cluster',
    fault: 'a new cluster gets its name before its files are on disk',
    without: ({ path, directory }) => draft.test(path) && !directory,
    within: ({ placed }) => placed,
  },
  {
    id: 'no-sync-of-new-directories',
    fault: 'a new cluster gets its name before the names of its files are on disk',
    without: ({ path, directory }) => draft.test(path) && directory,
    within: ({ placed }) => placed,
  },
  {
    id: 'no-sync-of-cluster-name',
    fault: 'the store is opened before the name of its cluster is on disk',
    without: ({ path }) => path === 'data/store',
    within: late,
  },
  {
    id: 'no-file-sync',
    fault: 'a file is renamed into place before its content is on disk',
    without: ({ path }) => /^data\/\.(settings|keys)\.json\./.test(path),
    within: late,
    withDatabase: false,
  },
  {
    id: 'no-generation-sync',
    fault: 'a generation is renamed into place before its content is on disk',
    without: ({ path }) => /^data\/\.chain\.json\./.test(path),
    within: late,
    withDatabase: false,
  },
  {
    id: 'no-file-directory-sync',
    fault: 'a file is acknowledged before its rename is on disk',
    without: ({ path }) => path === 'data',
    within: late,
    withDatabase: false,
  },
  {
    id: 'no-directory-above',
    fault: 'a store is opened before the directories above it are on disk',
    without: ({ path }) => path === '',
    within: late,
  },
  {
    id: 'no-sync-at-start',
    fault: 'a durable process trusts what a relaxed one has written',
    without: ({ since }, { relaxed }) => since >= relaxed.from && since < relaxed.to,
    within: late,
  },
]
