const marker = Buffer.from('"historical_states":')
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]
/** `["0x` and a hash: identifies the block of a state. */
const entryHead = 4 + 64

/**
 * Filters a stream of Anvil state, removing the states of unwanted blocks. A state takes half a
 * megabyte per block: all of them are soon too much to write, and exceed the maximum string length.
 *
 * @param wanted hashes of blocks, lower case
 */
export async function* recentStates(
  pieces: AsyncIterable<Uint8Array>,
  wanted: ReadonlySet<string>,
): AsyncGenerator<Uint8Array> {
  let filter: EntryFilter | undefined
  let held: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    if (filter !== undefined) {
      const out = filter(piece)
      if (out.length > 0) yield out
      continue
    }
    held = Buffer.concat([held, piece])
    const at = held.indexOf(marker)
    // The marker may span two chunks.
    const through = at < 0 ? Math.max(0, held.length - marker.length) : at + marker.length
    if (through > 0) yield held.subarray(0, through)
    held = held.subarray(through)
    if (at < 0) continue
    filter = entryFilter(wanted)
    const out = filter(held)
    if (out.length > 0) yield out
    held = Buffer.alloc(0)
  }
  if (held.length > 0) yield held
}

type EntryFilter = (piece: Uint8Array) => Buffer

/** Parses what follows the marker: `null`, or an array of entries, then the rest of the object. */
function entryFilter(wanted: ReadonlySet<string>): EntryFilter {
  let state: 'before' | 'array' | 'entry' | 'after' = 'before'
  let depth = 0
  let inString = false
  let escaped = false
  /** Start of an entry that is not yet known to be wanted. */
  let head: number[] | undefined
  let passes = false
  let passed = 0

  return (piece) => {
    const out: Buffer[] = []
    let from = 0
    /** Copies what was passed of this chunk up to `end`. */
    const flush = (end: number) => {
      if (passes && end > from) out.push(Buffer.from(piece.subarray(from, end)))
      from = end
    }
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] as number
      if (state === 'after') {
        passes = true
        from = at
        break
      }
      if (state === 'before') {
        out.push(Buffer.of(byte))
        if (byte === openBracket) state = 'array'
        else if (byte === comma || byte === closeBrace) state = 'after'
        continue
      }
      if (state === 'array') {
        if (byte === closeBracket) {
          out.push(Buffer.of(byte))
          state = 'after'
        } else if (byte === openBracket) {
          state = 'entry'
          depth = 1
          head = [byte]
          passes = false
        }
        continue
      }
      // Inside an entry.
      if (head !== undefined) {
        head.push(byte)
        if (head.length === entryHead) {
          const text = Buffer.from(head).toString('latin1')
          if (wanted.has(text.slice(2).toLowerCase())) {
            if (passed > 0) out.push(Buffer.of(comma))
            passed += 1
            out.push(Buffer.from(head))
            passes = true
            from = at + 1
          }
          head = undefined
        }
      }
      if (escaped) escaped = false
      else if (inString) {
        if (byte === backslash) escaped = true
        else if (byte === quote) inString = false
      } else if (byte === quote) inString = true
      else if (byte === openBracket || byte === openBrace) depth += 1
      else if (byte === closeBracket || byte === closeBrace) {
        depth -= 1
        if (depth === 0) {
          flush(at + 1)
          passes = false
          state = 'array'
        }
      }
    }
    flush(piece.length)
    return Buffer.concat(out)
  }
}
