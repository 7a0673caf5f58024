import { toHex } from '#platform'
import { bytesIn } from './bytes.ts'

/** Parts of a URL as they are written; those that are not given are empty. */
export type Url = {
  readonly scheme: string
  readonly host: string
  readonly path: string
  readonly query: string
}

/** Splits a URL where Go's package does; undefined if it is none: Go escapes much of what a browser refuses. */
export function parseUrl(text: string): Url | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses these.
  if (/[\u0000-\u001f\u007f]/.test(text)) return undefined
  const [, location = '', fragment = ''] = /^([^#]*)(?:#(.*))?$/su.exec(text) ?? []
  if (!isEscaped(fragment)) return undefined
  if (location.startsWith(':')) return undefined
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(location)?.[1] ?? ''
  const own = location.slice(scheme === '' ? 0 : scheme.length + 1)
  const [, rest = '', query = ''] = /^([^?]*)(?:\?(.*))?$/su.exec(own) ?? []
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { scheme, host: '', path: '', query }
    // Otherwise it looks like a scheme.
    if (rest.split('/', 1)[0]?.includes(':')) return undefined
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))
  const [, authority = '', path = ''] = hasAuthority
    ? (/^\/\/([^/]*)(.*)$/su.exec(rest) ?? [])
    : [rest, '', rest]
  if (!isAuthority(authority) || !isEscaped(path)) return undefined
  return { scheme, host: authority.replace(/^.*@/su, ''), path, query }
}

const isEscaped = (text: string): boolean => !/%(?![\da-f]{2})/i.test(text)

function isAuthority(text: string): boolean {
  const at = text.lastIndexOf('@')
  const user = text.slice(0, Math.max(at, 0))
  if (!/^[\w.:~!$&'()*+,;=%@-]*$/.test(user) || !isEscaped(user)) return false
  const host = text.slice(at + 1)
  if (host.startsWith('[')) return /^\[[^\]\s%]*(?:%25[^\]\s]*)?\](?::\d*)?$/.test(host)
  // Only characters beyond ASCII may be escaped in a host.
  return /^(?:[\w.~!$&'()*+,;=[\]<>"-]|[^\0-\x7f]|%(?:[89a-f][\da-f]|25))*(?::\d*)?$/i.test(host)
}

/** The path of a URL as Go sends it: what is not escaped well is escaped again. */
export function escapedPath(path: string): string {
  if (/^(?:[\w.~!$&'()*+,;=:@[\]/-]|%[\da-f]{2})*$/i.test(path)) return path
  const parts = path.split(/(%[\da-f]{2})/i).map((part, i) => {
    if (i % 2 === 1) return escapedByte(Number.parseInt(part.slice(1), 16))
    return [...bytesIn(part)].map(escapedByte).join('')
  })
  return parts.join('')
}

function escapedByte(byte: number): string {
  const char = String.fromCharCode(byte)
  if (/[\w.~$&+,/:;=@-]/.test(char)) return char
  return `%${toHex(Uint8Array.of(byte)).toUpperCase()}`
}
