/** How deep a JSON text is nested and how many values it has at most, without parsing it. */
export function jsonBounds(text: string): { readonly depth: number; readonly values: number } {
  let depth = 0
  let deepest = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        break
      case openArray:
      case openObject:
        depth += 1
        values += 1
        if (depth > deepest) deepest = depth
        break
      case closeArray:
      case closeObject:
        depth -= 1
        break
      case comma:
        values += 1
        break
    }
  }
  return { depth: deepest, values }
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Where the string that begins at `from` has its closing quote, or the text its end. */
function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1)
  while (at !== -1) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1
    if (slashes % 2 === 0) return at
    at = text.indexOf('"', at + 1)
  }
  return text.length
}
