import { OracleError } from './oracleError.ts'

/**
 * Rewrites the limits of a core module before it is compiled. WebAssembly lets a module grow its
 * memory up to the maximum in its memory section, and no embedder option lowers that, so the
 * maximum itself is lowered (decision O4). Tables are limited the same way, because their entries
 * use memory of the process too.
 */

const pageBytes = 65_536
const maxTableEntries = 1_000_000
const maxDefinitions = 1_000
const maxSections = 10_000
const memorySection = 5
const tableSection = 4

const flagHasMax = 0x01
const flagShared = 0x02
const flagPageSize = 0x08

type SizeRange = {
  flags: number
  min: number
  max: number | undefined
}

type Section = {
  id: number
  start: number
  bodyStart: number
  end: number
}

export type CappedModule = {
  bytes: Uint8Array
  /** Sum of the maxima of the memories this module defines. */
  maxMemoryBytes: number
}

/**
 * Lowers the maxima of all memories that the modules of one component define, so that together they
 * stay within `memoryBytes`. The rest after the minima is shared evenly.
 *
 * @throws OracleError `memory` when the minima alone exceed the limit, `component` for shared
 *   memories and for invalid core modules
 */
export function capModules(modules: Uint8Array[], memoryBytes: number): CappedModule[] {
  const limitPages = Math.floor(memoryBytes / pageBytes)
  const memories = modules.map((bytes) => rangesIn(bytes, memorySection))
  const minPages = memories.flat().reduce((sum, { min }) => sum + min, 0)
  if (minPages > limitPages) {
    throw new OracleError(
      'memory',
      `the component starts with ${minPages} pages of linear memory, the limit is ${limitPages}`,
    )
  }
  const count = memories.flat().length
  const share = count === 0 ? 0 : Math.floor((limitPages - minPages) / count)
  return modules.map((bytes, index) => {
    const own = memories[index] ?? []
    const capped = own.map((range) => cappedRange(range, range.min + share))
    const maxPages = capped.reduce((sum, { max }) => sum + (max ?? 0), 0)
    return {
      bytes: withTables(withSection(bytes, memorySection, capped.map(encodeRange))),
      maxMemoryBytes: maxPages * pageBytes,
    }
  })
}

function cappedRange(range: SizeRange, most: number): SizeRange {
  return {
    flags: range.flags | flagHasMax,
    min: range.min,
    max: Math.min(range.max ?? most, most),
  }
}

function rangesIn(bytes: Uint8Array, id: number): SizeRange[] {
  const section = sectionsOf(bytes).find((each) => each.id === id)
  if (!section) return []
  const reader = { bytes, at: section.bodyStart }
  const count = readCount(reader)
  return Array.from({ length: count }, () => readRange(reader))
}

function withTables(bytes: Uint8Array): Uint8Array {
  const section = sectionsOf(bytes).find((each) => each.id === tableSection)
  if (!section) return bytes
  const reader = { bytes, at: section.bodyStart }
  const count = readCount(reader)
  const most = Math.floor(maxTableEntries / count)
  const entries: Uint8Array[] = []
  for (let index = 0; index < count; index += 1) {
    const type = readReferenceType(reader)
    const range = readRange(reader)
    if (range.min > most) {
      throw new OracleError('memory', `the component starts with a table of ${range.min} entries`)
    }
    entries.push(Uint8Array.from([...type, ...encodeRange(cappedRange(range, most))]))
  }
  return withSection(bytes, tableSection, entries)
}

function readReferenceType(reader: Reader): Uint8Array {
  const start = reader.at
  const first = readByte(reader)
  if (first === 0x40) {
    throw new OracleError('component', 'tables with an initialiser are not supported')
  }
  if (first === 0x63 || first === 0x64) readLeb(reader)
  return reader.bytes.subarray(start, reader.at)
}

function withSection(bytes: Uint8Array, id: number, entries: Uint8Array[]): Uint8Array {
  const section = sectionsOf(bytes).find((each) => each.id === id)
  if (!section) return bytes
  const body = Buffer.concat([encodeLeb(entries.length), ...entries])
  return Buffer.concat([
    bytes.subarray(0, section.start),
    Uint8Array.of(id),
    encodeLeb(body.length),
    body,
    bytes.subarray(section.end),
  ])
}

/** @throws OracleError `component` for bytes that are no core module */
export function sectionsOf(bytes: Uint8Array): Section[] {
  const magic = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
  if (magic.some((byte, index) => bytes[index] !== byte)) {
    throw new OracleError('component', 'the component contains an invalid core module')
  }
  const sections: Section[] = []
  const reader = { bytes, at: magic.length }
  while (reader.at < bytes.length) {
    const start = reader.at
    const id = readByte(reader)
    const size = readLeb(reader)
    const end = reader.at + size
    sections.push({ id, start, bodyStart: reader.at, end })
    if (sections.length > maxSections) {
      throw new OracleError('component', `a core module has more than ${maxSections} sections`)
    }
    reader.at = end
  }
  return sections
}

type Reader = {
  bytes: Uint8Array
  at: number
}

function readByte(reader: Reader): number {
  const byte = reader.bytes[reader.at]
  if (byte === undefined) throw new OracleError('component', 'a core module ends too early')
  reader.at += 1
  return byte
}

/** Unsigned LEB128, up to the largest exact integer of a double: enough for 64-bit memories. */
export function readLeb(reader: Reader): number {
  let value = 0
  for (let scale = 1; scale < 2 ** 70; scale *= 128) {
    const byte = readByte(reader)
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return value
  }
  throw new OracleError('component', 'a core module contains a number that is too long')
}

function readCount(reader: Reader): number {
  const count = readLeb(reader)
  if (count <= maxDefinitions) return count
  throw new OracleError('component', `a core module defines ${count} memories or tables`)
}

/** Unsigned LEB128. */
export function encodeLeb(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  do {
    const low = rest % 128
    rest = Math.floor(rest / 128)
    bytes.push(rest > 0 ? low | 0x80 : low)
  } while (rest > 0)
  return Uint8Array.from(bytes)
}

/** Limits of a memory or a table. */
export function readRange(reader: Reader): SizeRange {
  const flags = readByte(reader)
  if ((flags & flagShared) !== 0 || (flags & flagPageSize) !== 0) {
    throw new OracleError('component', 'shared memories and custom page sizes are not supported')
  }
  const min = readLeb(reader)
  const max = (flags & flagHasMax) !== 0 ? readLeb(reader) : undefined
  return { flags, min, max }
}

function encodeRange({ flags, min, max }: SizeRange): Uint8Array {
  return Buffer.concat([
    Uint8Array.of(flags),
    encodeLeb(min),
    ...(max === undefined ? [] : [encodeLeb(max)]),
  ])
}

/** `WebAssembly.compile`, which TypeScript's library without DOM does not declare. */
export async function compileModule(bytes: Uint8Array): Promise<WebAssembly.Module> {
  const { WebAssembly: engine } = globalThis as unknown as {
    WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> }
  }
  try {
    return await engine.compile(bytes)
  } catch (error) {
    // Any other error, such as lack of memory, is not caused by the bytes.
    const code = error instanceof Error && error.name === 'CompileError' ? 'component' : 'late'
    throw new OracleError(code, 'a core module of the component does not compile', {
      cause: error,
    })
  }
}
