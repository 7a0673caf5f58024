/** Numbers that say what went wrong: HTTP statuses and error codes. */
const tellingNumber = /(?<=\bHTTP |"code":\s?|"status":\s?)-?\d+|-32\d{3}\b/g

/** Values that differ from check to check although the cause is the same. */
const variable: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<time>'],
  [/0x[0-9a-f]*(\.\.\.|…)?[0-9a-f]*/gi, '<hex>'],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,}\b/gi, '<hex>'],
  [/\b(bafy|bafk|Qm)[a-zA-Z0-9]{20,}\b/g, '<cid>'],
  [/\bhttps?:\/\/[^\s"'<>]+/g, '<url>'],
  [/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, '<address>'],
  [/-?\d+(\.\d+)?/g, '<n>'],
]

/** A text without the values that belong to one check: equal for failures of one cause. */
export function normalised(text: string, checkId = ''): string {
  const kept: string[] = []
  const keep = (number: string) => {
    kept.push(number)
    // A private use character, which no rule below matches.
    return String.fromCharCode(0xe000 + ((kept.length - 1) % 0x1000))
  }
  const named = checkId === '' ? text : text.replaceAll(checkId, '<check>')
  let out = named.replaceAll(tellingNumber, keep)
  for (const [pattern, mark] of variable) out = out.replaceAll(pattern, mark)
  return out.replaceAll(/[\ue000-\uefff]/g, (mark) => kept[mark.charCodeAt(0) - 0xe000] ?? mark)
}
