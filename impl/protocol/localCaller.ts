/** Headers that identify the caller; others are ignored. */
export type CallerHeaders = {
  readonly host?: string | undefined
  readonly origin?: string | undefined
}

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Why a listener for local programs refuses a request; undefined if it does not. A page in a
 * browser sends its origin, or a host name that resolves to this machine (DNS rebinding); neither
 * is a loopback address with the port of the listener.
 */
export function foreignCaller({ host, origin }: CallerHeaders, port: number): string | undefined {
  if (origin !== undefined)
    return 'requests with an Origin header are refused: not available to browsers'
  const [, name = '', own = '80'] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(host ?? '') ?? []
  if (loopbackHosts.has(name.toLowerCase()) && Number(own) === port) return undefined
  return `the Host header must be 127.0.0.1:${port}, localhost:${port} or [::1]:${port}`
}
