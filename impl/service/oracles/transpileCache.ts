import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import type { ComponentInterface } from './componentInterface.ts'

/**
 * Transpiled components on disk, one file each: a hash, and what it is the hash of. Code is run from
 * these files, so one that was cut short or altered counts as not there.
 *
 * After the hash come the length of a head, the head, and the core modules as they are. These may be
 * tens of megabytes, so they are never copied, and hashed piece by piece: everybody else's turn comes
 * in between.
 */

/** A component in the form that is run: core modules, and the code that joins them. */
export interface TranspiledComponent extends ComponentInterface {
  /** Size of the component it was made of, bytes. */
  componentBytes: number
  source: string
  /** Core modules by the name under which `source` asks for them. */
  modules: Record<string, Uint8Array>
}

const hashBytes = 32
const lengthBytes = 4
const pieceBytes = 1024 * 1024

type Head = Omit<TranspiledComponent, 'modules'> & { modules: [name: string, bytes: number][] }

/** What a file holds, or undefined when there is none that can be trusted. */
export async function readCached(path: string): Promise<TranspiledComponent | undefined> {
  try {
    const file = await readFile(path)
    const body = file.subarray(hashBytes)
    if (!(await sha256([body])).equals(file.subarray(0, hashBytes))) return undefined
    let at = lengthBytes + body.readUInt32LE(0)
    const { modules, ...head } = deserialize(body.subarray(lengthBytes, at)) as Head
    const taken = modules.map(([name, bytes]) => {
      at += bytes
      return [name, body.subarray(at - bytes, at)] as const
    })
    return { ...head, modules: Object.fromEntries(taken) }
  } catch {
    return undefined
  }
}

/** Put a file in place whole, whoever else does the same; a cache that cannot be written is none. */
export async function writeCached(path: string, transpiled: TranspiledComponent): Promise<void> {
  try {
    const modules = Object.entries(transpiled.modules)
    const sizes = modules.map(([name, { length }]) => [name, length])
    const head = serialize({ ...transpiled, modules: sizes })
    const length = Buffer.alloc(lengthBytes)
    length.writeUInt32LE(head.length)
    const parts = [length, head, ...modules.map(([, bytes]) => bytes)]
    await mkdir(dirname(path), { recursive: true })
    const content = [await sha256(parts), ...parts]
    await replaceFile(path, content, { mode: 0o600, durable: false })
  } catch {
    // The component is transpiled again by the next process.
  }
}

/** The hash of a component's bytes, by a content id of it; undefined when none is kept. */
export async function readAlias(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return /^[0-9a-f]{64}$/.test(text) ? text : undefined
}

/** Whole or not at all; a cache that cannot be written is none. */
export async function writeAlias(path: string, hash: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await replaceFile(path, [hash], { mode: 0o600, durable: false })
  } catch {
    // The component's bytes are looked up again by the next process.
  }
}

async function sha256(parts: readonly Uint8Array[]): Promise<Buffer> {
  const hash = createHash('sha256')
  for (const part of parts) {
    for (let at = 0; at < part.length; at += pieceBytes) {
      hash.update(part.subarray(at, at + pieceBytes))
      if (part.length > pieceBytes) await setImmediate()
    }
  }
  return hash.digest()
}
