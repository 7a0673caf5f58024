import { AppError } from 'polgate-lib/errors/appError.ts'

/** Maximum length of a response; a target that sends more fails the check. */
export const longestAnswer = 16 * 1024 * 1024

/**
 * The body of a response as text, limited while it is received and decompressed: an endless or huge
 * one is aborted.
 *
 * @throws AppError above the limit
 */
export async function readText(response: Response, longest = longestAnswer): Promise<string> {
  if (response.body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  // Leaving the loop early closes the connection.
  for await (const chunk of response.body) {
    length += chunk.length
    if (length > longest) throw new AppError(`the answer is longer than ${longest} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** The same, parsed as JSON; undefined if it is not JSON. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await readText(response)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
