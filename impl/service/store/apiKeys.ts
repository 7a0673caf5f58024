import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from 'polgate-protocol/clock.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { Database } from './database.ts'
import { type CreateKeyOptions, checkKeyOptions, type KeyPermission } from './keyOptions.ts'
import { StoreError } from './storeError.ts'

/** Metadata of a key. The key itself is returned once, when it is created or rotated. */
export type ApiKeyRecord = {
  readonly id: string
  readonly name: string
  readonly permissions: readonly KeyPermission[]
  /** Lower case. The key may use policy clients of these owners (section 5.2). */
  readonly owners: readonly Address[]
  readonly createdAt: Date
  readonly rotatedAt: Date | null
  readonly expiresAt: Date | null
}

/** The plaintext key, which is not stored, and its record. */
export type NewKey = { readonly key: string; readonly record: ApiKeyRecord }

const columns = `id, name, permissions, owners, created_at as "createdAt",
  rotated_at as "rotatedAt", expires_at as "expiresAt"`

const hashOf = (key: string): string => createHash('sha256').update(key, 'utf8').digest('hex')

const bytesOf = (hash: string): Uint8Array => Buffer.from(hash, 'hex')

const newKey = (random: (size: number) => Uint8Array): string =>
  `key_${Buffer.from(random(32)).toString('base64url')}`

function checked(key: string): string {
  if (/^[\x21-\x7e]{16,256}$/.test(key)) return key
  throw new StoreError('Invalid API key: it must have 16 to 256 visible ASCII characters', {
    code: 'invalid',
    hint: 'Omit the key to have one generated.',
  })
}

/** The cache is cleared when it reaches this size. */
const maxRemembered = 10_000

/**
 * Changes of keys that this process made, by any of its stores: several may be on one embedded database, as
 * where the control listener of a local stack has a store of its own.
 */
let changes = 0

/**
 * Caches keys where no other process can change them: an embedded database has this process as its
 * only writer, and every change made here clears the cache. On a server each lookup is a query.
 */
function keyMemory(database: Database) {
  const records = new Map<string, ApiKeyRecord>()
  let seen = changes
  const current = () => {
    if (seen !== changes) records.clear()
    seen = changes
    return records
  }
  return {
    get: (hash: string) => current().get(hash),
    forget() {
      changes += 1
    },
    /** Returns a function that caches a record, unless a key has changed since the read began. */
    reading() {
      const before = changes
      return (hash: string, record: ApiKeyRecord) => {
        if (database.engine !== 'embedded' || before !== changes) return
        if (current().size >= maxRemembered) records.clear()
        records.set(hash, record)
      }
    },
  }
}

const unknownKey = (id: string) =>
  new StoreError(`No API key has the id ${id}`, {
    code: 'not-found',
    hint: 'List the keys to see their ids.',
  })

/** API keys, stored as SHA-256 hashes. A change takes effect on the next request (decision K9). */
export function apiKeyQueries(
  database: Database,
  clock: Clock,
  random: (size: number) => Uint8Array = randomBytes,
) {
  const memory = keyMemory(database)

  const find = async (hash: string): Promise<ApiKeyRecord | undefined> => {
    const remember = memory.reading()
    const [found] = await database.query<ApiKeyRecord & { hash: Uint8Array }>(
      `select hash, ${columns} from api_keys where hash = $1`,
      [bytesOf(hash)],
      { planOnce: true },
    )
    if (found === undefined || !timingSafeEqual(found.hash, bytesOf(hash))) return undefined
    const { hash: _, ...record } = found
    remember(hash, record)
    return record
  }

  return {
    /** @throws StoreError `invalid`, naming the member */
    async create(given: CreateKeyOptions): Promise<NewKey> {
      const options = checkKeyOptions(given)
      const key = checked(options.key ?? newKey(random))
      const [record] = await database.query<ApiKeyRecord>(
        `insert into api_keys (id, hash, name, permissions, owners, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7) returning ${columns}`,
        [
          Buffer.from(random(6)).toString('hex'),
          bytesOf(hashOf(key)),
          options.name,
          [...options.permissions],
          [...(options.owners ?? [])],
          new Date(clock()),
          options.expiresAt ?? null,
        ],
      )
      return { key, record: record as ApiKeyRecord }
    },

    /** Replaces the key; id, permissions, owners and expiry stay. */
    async rotate(id: string): Promise<NewKey> {
      const key = newKey(random)
      const [record] = await database.query<ApiKeyRecord>(
        `update api_keys set hash = $2, rotated_at = $3 where id = $1 returning ${columns}`,
        [id, bytesOf(hashOf(key)), new Date(clock())],
      )
      memory.forget()
      if (record === undefined) throw unknownKey(id)
      return { key, record }
    },

    async delete(id: string): Promise<void> {
      const rows = await database.query('delete from api_keys where id = $1 returning id', [id])
      memory.forget()
      if (rows.length === 0) throw unknownKey(id)
    },

    list: (): Promise<ApiKeyRecord[]> =>
      database.query<ApiKeyRecord>(`select ${columns} from api_keys order by created_at, id`),

    /**
     * The record of a key, or undefined when the key is unknown or has expired. The index lookup is
     * by a hash, which the caller cannot steer; the hashes are also compared in constant time.
     */
    async lookup(key: string): Promise<ApiKeyRecord | undefined> {
      const hash = hashOf(key)
      const record = memory.get(hash) ?? (await find(hash))
      if (record === undefined) return undefined
      return record.expiresAt !== null && record.expiresAt.getTime() <= clock() ? undefined : record
    },
  }
}

export type ApiKeyQueries = ReturnType<typeof apiKeyQueries>
