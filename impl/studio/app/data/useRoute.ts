import { useEffect, useState } from 'preact/hooks'

/** The place in the page: `#/tasks/0x12?status=failed` is view `tasks`, rest `['0x12']`. */
export type Route = {
  readonly view: string
  readonly rest: readonly string[]
  readonly query: URLSearchParams
}

export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [view = '', ...rest] = path.split('/').map(decodeOrKeep)
  return { view, rest: rest.filter((part) => part !== ''), query: new URLSearchParams(query) }
}

function decodeOrKeep(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The hash of a place, for links. */
export function hashOf(
  view: string,
  rest: readonly string[] = [],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given as [string, string][]).toString()
  const path = [view, ...rest].map(encodeURIComponent).join('/')
  return `#/${path}${text === '' ? '' : `?${text}`}`
}

export function navigate(hash: string, options: { readonly replace?: boolean } = {}): void {
  if (options.replace !== true) location.hash = hash
  else {
    history.replaceState(null, '', hash)
    dispatchEvent(new HashChangeEvent('hashchange'))
  }
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash))
  useEffect(() => {
    const changed = () => setRoute(routeOf(location.hash))
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return route
}
