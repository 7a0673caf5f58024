import { createHash, type Hash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { link, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { AppError } from '../errors/appError.ts'
import { draftPathOf, syncDirectory } from './replaceFile.ts'

/**
 * A large JSON object stored in two generations: `chain.json` and the previous one,
 * `chain.previous.json`. The first member of each file is a header with the hash of the rest, so
 * that damage is detected without parsing. Readers of the object see one additional member.
 */
export type Generation = {
  readonly path: string
  /**
   * The number given when it was written, such as a block number; undefined for a file without a
   * header.
   */
  readonly mark: number | undefined
}

export type Found = {
  readonly generation: Generation
  /** Set if this is not the newest generation: what is wrong with the newest, and its mark. */
  readonly instead?: { readonly problem: string; readonly mark: number | undefined }
}

/** Neither generation can be used. */
export class NoWholeGeneration extends AppError {
  constructor(problems: readonly string[]) {
    super(problems.join('; '))
  }
}

/** Path of a sibling file: `chain.json` to `chain.previous.json`, `chain.damaged.json`. */
export function besideOf(path: string, word: 'previous' | 'damaged'): string {
  const extension = extname(path)
  return join(dirname(path), `${basename(path, extension)}.${word}${extension}`)
}

const headerOf = (sha256: string, mark: number): string =>
  `{"kept":{"sha256":"${sha256}","mark":"${String(mark).padStart(15, '0')}"},`
/** Hashes of what follows the header, and of its mark. */
const digestOf = (rest: Hash, mark: number): string => rest.update(String(mark)).digest('hex')
const headerBytes = headerOf('0'.repeat(64), 0).length
const headerPattern = /^\{"kept":\{"sha256":"([0-9a-f]{64})","mark":"(\d{15})"\},/

/**
 * Writes a new generation; the current one becomes the previous one. Killed at any time, this
 * leaves at least one valid generation.
 *
 * @param pieces of one JSON object with at least one member
 * @throws system errors, or the error of `pieces`; both generations are then unchanged
 */
export async function writeGeneration(
  path: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  mark: number,
): Promise<void> {
  const draft = draftPathOf(path)
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      const hash = createHash('sha256')
      let at = headerBytes
      let first = true
      for await (const piece of pieces) {
        // The header contains the opening brace.
        const rest = first ? withoutBrace(piece) : piece
        first = first && piece.length === 0
        hash.update(rest)
        await writeAll(file, rest, at)
        at += rest.length
      }
      await writeAll(file, Buffer.from(headerOf(digestOf(hash, mark), mark)), 0)
      await file.sync()
    } finally {
      await file.close()
    }
    await moveToPrevious(path)
    await rename(draft, path)
    await syncDirectory(dirname(path))
  } finally {
    await rm(draft, { force: true })
  }
}

type Writable = {
  write(
    data: Uint8Array,
    offset: number,
    length: number,
    at: number,
  ): Promise<{ bytesWritten: number }>
}

async function writeAll(file: Writable, data: Uint8Array, position: number): Promise<void> {
  let done = 0
  while (done < data.length) {
    const { bytesWritten } = await file.write(data, done, data.length - done, position + done)
    done += bytesWritten
  }
}

function withoutBrace(piece: Uint8Array): Uint8Array {
  if (piece.length === 0) return piece
  if (piece[0] !== 0x7b) throw new Error('the state is not a JSON object')
  return piece.subarray(1)
}

/** The newest keeps its name until the next one replaces it. */
async function moveToPrevious(path: string): Promise<void> {
  if (!existsSync(path)) return
  const draft = draftPathOf(path)
  try {
    await link(path, draft)
    await rename(draft, besideOf(path, 'previous'))
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * The newest valid generation; undefined if there is none at all. A damaged newest one is renamed
 * to `*.damaged.json`, and the previous one replaces it.
 *
 * @throws NoWholeGeneration
 */
export async function takeNewest(path: string): Promise<Found | undefined> {
  await removeDrafts(path)
  const found = await findNewest(path)
  if (found?.instead === undefined) return found
  if (existsSync(path)) await rename(path, besideOf(path, 'damaged'))
  await rename(found.generation.path, path)
  await syncDirectory(dirname(path))
  return { ...found, generation: { ...found.generation, path } }
}

/** The same without changing any file. */
export async function findNewest(path: string): Promise<Found | undefined> {
  const previous = besideOf(path, 'previous')
  const problems: string[] = []
  let newest: Found['instead'] | undefined
  for (const candidate of [path, previous]) {
    if (!existsSync(candidate)) continue
    const { problem, mark } = await inspect(candidate)
    if (problem === undefined) {
      const generation = { path: candidate, mark }
      if (candidate === path) return { generation }
      return {
        generation,
        instead: newest ?? { problem: `${basename(path)} is missing`, mark: undefined },
      }
    }
    problems.push(`${basename(candidate)} ${problem}`)
    newest ??= { problem: `${basename(candidate)} ${problem}`, mark }
  }
  if (problems.length === 0) return undefined
  throw new NoWholeGeneration(problems)
}

/** Maximum size of a file without a header, which has to be parsed. */
const parsedBytes = 64 * 1024 * 1024

async function inspect(
  path: string,
): Promise<{ readonly problem: string | undefined; readonly mark: number | undefined }> {
  let head = Buffer.alloc(0)
  let size = 0
  const hash = createHash('sha256')
  let last = 0
  const pieces: Buffer[] = []
  try {
    for await (const piece of createReadStream(path, {
      highWaterMark: 1024 * 1024,
    }) as AsyncIterable<Buffer>) {
      let rest = piece
      if (size < headerBytes) {
        const missing = headerBytes - size
        head = Buffer.concat([head, piece.subarray(0, missing)])
        rest = piece.subarray(missing)
      }
      size += piece.length
      last = piece.at(-1) ?? last
      hash.update(rest)
      if (size <= parsedBytes) pieces.push(piece)
    }
  } catch (error) {
    return { problem: `cannot be read (${(error as NodeJS.ErrnoException).code})`, mark: undefined }
  }
  const header = headerPattern.exec(head.toString('latin1'))
  const mark = header === null ? undefined : Number(header[2])
  const found = (problem: string | undefined) => ({ problem, mark })
  if (size === 0) return found('is empty')
  if (header !== null)
    return found(digestOf(hash, Number(header[2])) === header[1] ? undefined : 'is damaged')
  if (/"kept"|"sha256"|"mark"/.test(head.toString('latin1'))) return found('is damaged')
  // From an earlier release, or from a snapshot of one.
  const ends = head[0] === 0x7b && (last === 0x7d || last === 0x0a)
  if (!ends) return found('is damaged')
  if (size > parsedBytes) return found(undefined)
  try {
    JSON.parse(Buffer.concat(pieces).toString('utf8'))
    return found(undefined)
  } catch {
    return found('is damaged')
  }
}

/** A draft left by a process that was killed while writing. */
async function removeDrafts(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => [])
  const isDraft = (name: string) => name.startsWith(`.${basename(path)}.`) && name.endsWith('.part')
  for (const name of names.filter(isDraft)) await rm(join(dirname(path), name), { force: true })
}
