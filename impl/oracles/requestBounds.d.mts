/** Types of requestBounds.mjs, for those who import it from TypeScript. */

/** Bounds of a request, each with the text that says it was exceeded. */
export interface RequestBounds {
  urlBytes: { most: number; text: string }
  headers: { most: number; text: string }
  /** URL, headers and body together. */
  bytes: { most: number; text: string }
}

export function exceededBound(
  request: { url: string; headers: [string, string][]; body?: Uint8Array | undefined },
  bounds: RequestBounds,
): string | undefined

export function sizeOfHeaders(headers: readonly [string, string][]): number
