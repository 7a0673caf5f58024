import { randomUUID, webcrypto } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { TranspiledComponent } from './transpiledComponent.ts'

/**
 * Transpiled components on disk, one file each: a hash, and what it is the hash of. Code is run from
 * these files, so one that was cut short or altered counts as not there.
 */

const hashBytes = 32

/** What a file holds, or undefined when there is none that can be trusted. */
export async function readCached(path: string): Promise<TranspiledComponent | undefined> {
  try {
    const file = await readFile(path)
    const body = file.subarray(hashBytes)
    if (!(await sha256(body)).equals(file.subarray(0, hashBytes))) return undefined
    return deserialize(body) as TranspiledComponent
  } catch {
    return undefined
  }
}

/** Put a file in place whole, whoever else does the same; a cache that cannot be written is none. */
export async function writeCached(path: string, transpiled: TranspiledComponent): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    const body = serialize(transpiled)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(aside, Buffer.concat([await sha256(body), body]))
    await rename(aside, path)
  } catch {
    await rm(aside, { force: true }).catch(() => undefined)
  }
}

/** Not on this thread: tens of megabytes take longer than others should wait. */
async function sha256(bytes: Uint8Array): Promise<Buffer> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes))
}
