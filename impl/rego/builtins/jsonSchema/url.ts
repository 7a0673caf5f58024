/** The scheme and path of a URL. */
export type Url = { readonly scheme: string; readonly path: string }

/** Splits a URL where Go's package does; undefined if it is none: Go escapes much of what a browser refuses. */
export function parseUrl(text: string): Url | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses these.
  if (/[\u0000-\u001f\u007f]/.test(text)) return undefined
  const [, location = '', fragment = ''] = /^([^#]*)(?:#(.*))?$/su.exec(text) ?? []
  if (!isEscaped(fragment)) return undefined
  if (location.startsWith(':')) return undefined
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(location)?.[1] ?? ''
  const rest = location.slice(scheme === '' ? 0 : scheme.length + 1).replace(/\?.*$/su, '')
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { scheme, path: '' }
    // Otherwise it looks like a scheme.
    if (rest.split('/', 1)[0]?.includes(':')) return undefined
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))
  const [, authority = '', path = ''] = hasAuthority ? (/^\/\/([^/]*)(.*)$/su.exec(rest) ?? []) : []
  if (hasAuthority && !isAuthority(authority)) return undefined
  const own = hasAuthority ? path : rest
  return isEscaped(own) ? { scheme, path: own } : undefined
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
