/** What of a request says who sends it; other headers are ignored. */
export type CallerHeaders = {
  readonly host?: string | undefined
  readonly origin?: string | undefined
}

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Why a listener that is for programs of this machine alone refuses a request; undefined if it does
 * not. A page in a browser sends its origin, or the name that it had resolved to this machine (DNS
 * rebinding): neither is a loopback address with the port of the listener.
 */
export function foreignCaller({ host, origin }: CallerHeaders, port: number): string | undefined {
  if (origin !== undefined) return 'requests with an Origin are refused: this is not for browsers'
  const [, name = '', own = '80'] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(host ?? '') ?? []
  if (loopbackHosts.has(name.toLowerCase()) && Number(own) === port) return undefined
  return `the Host header must be 127.0.0.1:${port}, localhost:${port} or [::1]:${port}`
}
