import type { Target } from '../core/target.ts'

/** WebSocket address: from the target file, or `/ws` of the gateway (decision W1). */
export const updatesUrl = (target: Target): string =>
  target.updatesUrl ?? `${target.gatewayUrl.replace(/^http/, 'ws')}/ws`

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

/**
 * The address at which the gateway reaches a receiver on that local port: loopback for a local
 * gateway, the public address of the target file otherwise; undefined if there is none.
 */
export function receiverUrl(target: Target, port: number): string | undefined {
  if (target.noReceiver) return undefined
  if (target.webhookReceiver !== undefined) return target.webhookReceiver.url.replace(/\/$/, '')
  return isLoopback(target.gatewayUrl) ? `http://127.0.0.1:${port}` : undefined
}
