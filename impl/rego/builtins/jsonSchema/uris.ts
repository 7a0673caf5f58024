import { parseUrl } from '../goUrl.ts'

/** Scheme, authority, path, query, fragment, with the characters that begin or end each. */
const PARTS = /^([a-z][a-z\d+.-]*:)?(\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(?:#(.*))?$/isu

type Parts = readonly [
  scheme: string,
  authority: string,
  path: string,
  query: string,
  fragment: string,
]

function partsOf(text: string): Parts {
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] =
    PARTS.exec(text) ?? []
  return [scheme.toLowerCase(), authority, path, query, fragment]
}

export const withoutFragment = (uri: string): string => uri.replace(/#.*$/su, '')

/** A reference as it is seen from a document; undefined if it is not a URI reference. */
export function resolveReference(base: string, reference: string): string | undefined {
  if (parseUrl(reference) === undefined) return undefined
  const [scheme, authority, path, query, fragment] = partsOf(reference)
  const end = fragment === '' ? '' : `#${fragment}`
  if (scheme !== '') {
    // What has no hierarchy, such as `urn:a`, stays as it is.
    const isFlat = authority === '' && !path.startsWith('/')
    return scheme + authority + (isFlat ? path : withoutDots(path)) + query + end
  }
  if (authority !== '') return partsOf(base)[0] + authority + withoutDots(path) + query + end
  const [baseScheme, baseAuthority, basePath, baseQuery] = partsOf(base)
  const start = baseScheme + baseAuthority
  if (path === '') return start + basePath + (query === '' ? baseQuery : query) + end
  const whole = path.startsWith('/') ? path : basePath.replace(/[^/]*$/su, '') + path
  return start + withoutDots(whole) + query + end
}

/** A path from the root, without the segments `.` and `..`. */
function withoutDots(path: string): string {
  if (path === '') return ''
  const kept: string[] = []
  const segments = path.replace(/^\//, '').split('/')
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '.') kept.push(segment)
  }
  const isFolder = ['.', '..'].includes(segments.at(-1)!)
  return `/${kept.join('/')}${isFolder && kept.length > 0 ? '/' : ''}`
}
