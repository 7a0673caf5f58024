import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { newestSchema } from '../store/schemaVersion.ts'
import { damaged, SnapshotError } from './snapshotError.ts'

/** Version of the container format; a release reads this and earlier ones. */
export const formatVersion = 1

const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })

/** The first part: format, origin and contents of the file. */
export const Manifest = Type.Object({
  format: Type.Literal('svc-snapshot'),
  version: Type.Integer({ minimum: 1 }),
  /** ISO 8601. */
  createdAt: Type.String({ maxLength: 40 }),
  /** Version of the package that wrote it. */
  release: Type.String({ maxLength: 40 }),
  /** The last migration of the database. */
  schema: Type.Integer({ minimum: 1 }),
  engine: Type.Union([Type.Literal('embedded'), Type.Literal('server')]),
  /** In the order of loading: referenced tables before those that refer to them. */
  tables: Type.Array(
    Type.Object({ name: Name, columns: Type.Array(Name, { minItems: 1, maxItems: 1_000 }) }),
    { maxItems: 1_000 },
  ),
  /** Null without a chain; the block is null for a stopped chain. */
  chain: Type.Union([
    Type.Null(),
    Type.Object({ block: Type.Union([Type.Null(), Type.Integer()]) }),
  ]),
  /** Whether it includes the content store. */
  content: Type.Boolean(),
})
export type Manifest = Static<typeof Manifest>

/** The last part: a list of the parts before it. */
export const Ending = Type.Object({
  /** Name, bytes and sha2-256 of every part. */
  parts: Type.Array(
    Type.Tuple([Type.String(), Type.Integer({ minimum: 0 }), Type.String({ maxLength: 64 })]),
  ),
  /** Rows by table. */
  rows: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  /** Ids of contents that were altered on disk and could not be saved. */
  leftOut: Type.Array(Type.String({ maxLength: 160 })),
})
export type Ending = Static<typeof Ending>

/**
 * @throws SnapshotError `damaged`, `version`
 */
export function parseManifest(bytes: Uint8Array): Manifest {
  const value = parseJson(bytes, 'manifest.json')
  // The version is checked first: a later format may have other members.
  const { format, version, release } = Object(value) as Record<string, unknown>
  if (format !== 'svc-snapshot') throw damaged('manifest.json has another format')
  if (typeof version === 'number' && version > formatVersion)
    throw newer(`format ${version}, this release supports ${formatVersion}`, release)
  if (!Value.Check(Manifest, value)) throw damaged('manifest.json is invalid')
  if (value.schema > newestSchema)
    throw newer(`schema ${value.schema}, this release supports ${newestSchema}`, release)
  return value
}

/** @throws SnapshotError `damaged` */
export function parseEnding(bytes: Uint8Array): Ending {
  const value = parseJson(bytes, 'end.json')
  if (!Value.Check(Ending, value)) throw damaged('end.json is invalid')
  return value
}

export function parseJson(bytes: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw damaged(`${name} is not JSON`, cause)
  }
}

const newer = (what: string, release: unknown) =>
  new SnapshotError(`The snapshot has ${what}`, {
    code: 'version',
    hint: `Load it with the release that wrote it${
      typeof release === 'string' ? ` (${release.slice(0, 40)})` : ''
    }, or a later one.`,
  })
