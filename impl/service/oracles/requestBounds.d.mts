/** Types of requestBounds.mjs, for TypeScript importers. */

import type { HostRequest } from './hostRequest.ts'

/** The limits of a request, each with its error message. */
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
