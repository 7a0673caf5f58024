import { CID } from 'multiformats/cid'
import { ContentError } from './contentError.ts'

/** A node of a file: its own bytes, then those of its links, in order. */
export interface FileNode {
  data: Uint8Array
  links: CID[]
}

const fileTypes = new Set([0, 2])

/**
 * Decode a dag-pb block that holds a UnixFS file or a part of one.
 * @throws ContentError for directories, symbolic links and bytes that are no such node
 */
export function decodeFileNode(block: Uint8Array): FileNode {
  const links: CID[] = []
  let data: FileNode['data'] = new Uint8Array()
  for (const field of protobufFields(block)) {
    // PBNode: 1 = Data (a UnixFS message), 2 = Links.
    if (field.number === 1 && field.bytes) data = decodeUnixFs(field.bytes)
    if (field.number === 2 && field.bytes) links.push(decodeLink(field.bytes))
  }
  return { data, links }
}

function decodeUnixFs(message: Uint8Array): Uint8Array {
  let data: Uint8Array = new Uint8Array()
  for (const field of protobufFields(message)) {
    // UnixFS Data: 1 = Type, 2 = Data.
    if (field.number === 1 && !fileTypes.has(field.value ?? -1)) {
      throw new ContentError('kind', 'the content id names a directory or link, not a file')
    }
    if (field.number === 2 && field.bytes) data = field.bytes
  }
  return data
}

function decodeLink(message: Uint8Array): CID {
  // PBLink: 1 = Hash.
  for (const field of protobufFields(message)) {
    if (field.number === 1 && field.bytes) return CID.decode(field.bytes)
  }
  throw notAFile()
}

interface Field {
  number: number
  value?: number
  bytes?: Uint8Array
}

function* protobufFields(message: Uint8Array): Generator<Field> {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let scale = 1; scale < 2 ** 63; scale *= 128) {
      const byte = message[at]
      if (byte === undefined) throw notAFile()
      at += 1
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
    throw notAFile()
  }
  while (at < message.length) {
    const tag = varint()
    const number = Math.floor(tag / 8)
    const wireType = tag % 8
    if (wireType === 0) {
      yield { number, value: varint() }
    } else if (wireType === 2) {
      const length = varint()
      if (at + length > message.length) throw notAFile()
      yield { number, bytes: message.subarray(at, at + length) }
      at += length
    } else {
      throw notAFile()
    }
  }
}

function notAFile(): ContentError {
  return new ContentError('kind', 'the content id names a block that is no file')
}
