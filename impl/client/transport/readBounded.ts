export type BoundedText = { readonly text: string } | { readonly fault: 'too-large' | 'not-text' }

/** Reads a body as text; the rest of one that is longer than `maxBytes` is not read. Rejects as the stream does. */
export async function readBounded(response: Response, maxBytes: number): Promise<BoundedText> {
  const reader = response.body?.getReader()
  if (reader === undefined) return { text: '' }
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      return undefined
    }
  }
  let length = 0
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    length += value?.byteLength ?? 0
    const part = length > maxBytes ? undefined : decode(value)
    if (part !== undefined) text += part
    if (part !== undefined && done) return { text }
    if (part !== undefined) continue
    await reader.cancel().catch(() => {})
    return { fault: length > maxBytes ? 'too-large' : 'not-text' }
  }
}
