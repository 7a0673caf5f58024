/** What a browser has that Node's types do not. */
type Browser = {
  readonly document: {
    readonly body: { append(element: unknown): void }
    createElement(name: string): {
      src: string
      onload: () => void
      onerror: () => void
      readonly contentWindow: { readonly length: number } | null
      readonly contentDocument: unknown
    }
  }
  open(
    url: string,
  ): { readonly closed: boolean; readonly location: { readonly href: string } } | null
}

/**
 * Runs in a page of another origin: stops an operator, and reads what there is, in every way that a
 * page can send a request.
 */
export async function tryFromElsewhere({ origin, token }: { origin: string; token: string }) {
  const page = globalThis as unknown as Browser
  const stop = `${origin}/api/control/operators/0/stop`
  const read = async (url: string, init: RequestInit = {}) => {
    try {
      const response = await fetch(url, init)
      return response.type === 'opaque' ? 'opaque' : `read ${response.status}`
    } catch {
      return 'refused'
    }
  }
  const loaded = (name: string, src: string) =>
    new Promise<string>((resolve) => {
      const element = page.document.createElement(name)
      element.src = src
      element.onload = () => {
        let readable = false
        try {
          readable = name === 'iframe' && element.contentDocument !== null
        } catch {}
        resolve(name === 'iframe' && !readable ? 'refused' : 'read')
      }
      element.onerror = () => resolve('refused')
      page.document.body.append(element)
    })
  const socket = () =>
    new Promise<string>((resolve) => {
      const url = `${origin.replace('http', 'ws')}/api/updates?api_key=${token}`
      const opened = new WebSocket(url)
      opened.onopen = () => resolve('open')
      opened.onerror = () => resolve('closed')
    })
  const opened = async () => {
    const window = page.open(`${origin}/`)
    // The empty page that every window has first is of the opener's origin.
    for (let tries = 0; tries < 100; tries += 1) {
      try {
        if (window === null || window.closed) return 'refused'
        if (window.location.href !== 'about:blank') return 'read'
      } catch {
        return 'refused'
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return 'not loaded'
  }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    simple: await read(stop, { method: 'POST', mode: 'no-cors', body: '{}' }),
    cors: await read(stop, { method: 'POST', body: '{}' }),
    withToken: await read(stop, { method: 'POST', body: '{}', headers }),
    page: await read(`${origin}/`),
    socket: await socket(),
    frame: await loaded('iframe', `${origin}/`),
    script: await loaded('script', `${origin}/api/target`),
    window: await opened(),
  }
}
