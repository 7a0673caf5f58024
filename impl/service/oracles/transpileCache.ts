import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import type { ComponentInterface } from './componentInterface.ts'

/**
 * A disk cache of transpiled components, one file each: a hash, then the hashed content. Code from
 * these files is executed, so a truncated or altered file counts as missing.
 *
 * The content is the length of a head, the head, and the core modules. These may be tens of
 * megabytes, so they are never copied, and they are hashed in pieces that yield to the event loop.
 */

/** A transpiled component: core modules, and the code that links them. */
export interface TranspiledComponent extends ComponentInterface {
  /** Size of the original component, bytes. */
  componentBytes: number
  source: string
  /** Core modules by the name that `source` uses. */
  modules: Record<string, Uint8Array>
}

const hashBytes = 32
const lengthBytes = 4
const pieceBytes = 1024 * 1024

type Head = Omit<TranspiledComponent, 'modules'> & { modules: [name: string, bytes: number][] }

/** The content of a file, or undefined when it is missing or invalid. */
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

/** Writes a file atomically, also concurrently. Errors are ignored: the cache is optional. */
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
    // The next process transpiles the component again.
  }
}

/** The hash of a component's bytes, by a content id of it; undefined when it is not cached. */
export async function readAlias(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return /^[0-9a-f]{64}$/.test(text) ? text : undefined
}

/** Writes atomically. Errors are ignored: the cache is optional. */
export async function writeAlias(path: string, hash: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await replaceFile(path, [hash], { mode: 0o600, durable: false })
  } catch {
    // The next process fetches the component's bytes again.
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
