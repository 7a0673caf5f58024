import type { Target } from '../core/target.ts'

/** Where WebSockets are opened: as the target file says, or `/ws` of the gateway (decision W1). */
export const updatesUrl = (target: Target): string =>
  target.updatesUrl ?? `${target.gatewayUrl.replace(/^http/, 'ws')}/ws`

const isLoopback = (url: string): boolean => {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

/**
 * How the gateway reaches a receiver on that port of this machine: over loopback when it runs here,
 * through the public address of the target file otherwise; undefined when it cannot.
 */
export const receiverUrl = (target: Target, port: number): string | undefined => {
  if (target.noReceiver) return undefined
  if (target.webhookReceiver !== undefined) return target.webhookReceiver.url.replace(/\/$/, '')
  return isLoopback(target.gatewayUrl) ? `http://127.0.0.1:${port}` : undefined
}
