/** Types of requestBounds.mjs, for those who import it from TypeScript. */

import type { HostRequest } from './hostRequest.ts'

/** Bounds of a request, each with the text that says it was exceeded. */
export type RequestBounds = {
  urlBytes: { most: number; text: string }
  headers: { most: number; text: string }
  /** URL, method, headers and body together. */
  bytes: { most: number; text: string }
}

export function exceededBound(
  request: {
    url: string
    method: string
    headers: [string, string][]
    body?: Uint8Array | undefined
  },
  bounds: RequestBounds,
): string | undefined

export function sizeOfHeaders(headers: readonly [string, string][]): number

export function plainRequest(given: unknown): HostRequest
