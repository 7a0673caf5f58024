/** Answers are read up to here; a target that sends more has failed the check that asked. */
export const longestAnswer = 16 * 1024 * 1024

/**
 * The body of an answer as text, counted while it comes and after whatever it was packed with: one
 * that never ends, or that unpacks to more than there is memory, is left where it is too long.
 *
 * @throws Error past so many bytes
 */
export const readText = async (response: Response, longest = longestAnswer): Promise<string> => {
  if (response.body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  // Leaving the loop early ends the connection.
  for await (const chunk of response.body) {
    length += chunk.length
    if (length > longest) throw new Error(`answer of more than ${longest} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** The same, read as JSON; undefined where it is none. */
export const readJson = async (response: Response): Promise<unknown> => {
  const text = await readText(response)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
