import { encodeLeb, readLeb, readRange, sectionsOf } from './coreModule.ts'

/** Where a rewritten module imports its memory from; `guestMemory.mjs` provides it. */
export const memoryImport = { module: 'host', name: 'own memory' } as const

/** Pages of 64 KiB: at the start, and at most. */
export type MemoryPages = {
  readonly initial: number
  readonly maximum: number
}

const importSection = 2
const memorySection = 5
const memoryKind = 0x02
const flagHasMax = 0x01
const flagIndex64 = 0x04

/**
 * Lets a core module import the memory that it defines, so that its thread can wipe and reuse the
 * memory. Otherwise each instance maps new memory: page faults and the collection of the old one
 * take longer than most runs. Indices stay the same: imported memories come before defined ones, and
 * this is the last import and the only definition.
 *
 * @param bytes a module with bounded memories (`capModules`)
 * @returns the same bytes and no `memory` where the module defines no memory, several, or one with
 *   64-bit addresses
 */
export function withImportedMemory(bytes: Uint8Array): {
  readonly bytes: Uint8Array
  readonly memory?: MemoryPages
} {
  const sections = sectionsOf(bytes)
  const defined = sections.find(({ id }) => id === memorySection)
  if (defined === undefined) return { bytes }
  const reader = { bytes, at: defined.bodyStart }
  const count = bytes[reader.at++]
  const { flags, min, max } = readRange(reader)
  if (count !== 1 || max === undefined || (flags & flagIndex64) !== 0) return { bytes }

  const entry = Buffer.concat([
    named(memoryImport.module),
    named(memoryImport.name),
    Uint8Array.of(memoryKind, flagHasMax),
    encodeLeb(min),
    encodeLeb(max),
  ])
  const out: Uint8Array[] = [bytes.subarray(0, sections[0]!.start)]
  let added = false
  for (const { id, start, bodyStart, end } of sections) {
    if (id === importSection) {
      const entries = { bytes, at: bodyStart }
      const known = readLeb(entries)
      out.push(section(encodeLeb(known + 1), bytes.subarray(entries.at, end), entry))
      added = true
      continue
    }
    // Only custom sections and types come before imports.
    if (!added && id > importSection) {
      out.push(section(encodeLeb(1), entry))
      added = true
    }
    if (id !== memorySection) out.push(bytes.subarray(start, end))
  }
  return { bytes: Buffer.concat(out), memory: { initial: min, maximum: max } }
}

function section(...parts: Uint8Array[]): Uint8Array {
  const body = Buffer.concat(parts)
  return Buffer.concat([Uint8Array.of(importSection), encodeLeb(body.length), body])
}

function named(text: string): Uint8Array {
  return Buffer.concat([encodeLeb(text.length), Buffer.from(text, 'latin1')])
}
