/** Headers in any of the forms of Node and of browsers; names in any letter case. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>
  /** As `rawHeaders` of Node: names and values in turn. */
  | readonly string[]
  | Iterable<readonly [name: string, value: string]>

function pairs(headers: WebhookHeaders): (readonly [string, string])[] {
  if (Array.isArray(headers) && headers.every((each) => typeof each === 'string'))
    return headers.flatMap((name, at) =>
      at % 2 === 0 ? [[name, String(headers[at + 1])] as const] : [],
    )
  if (Symbol.iterator in headers)
    return [...(headers as Iterable<readonly [string, string]>)].map(([name, value]) => [
      name,
      value,
    ])
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((each) =>
      each === undefined ? [] : [[name, String(each)] as const],
    ),
  )
}

/** All values of a header; `Headers` joins several to one, with commas. */
export const headerValues = (headers: WebhookHeaders, name: string): string[] =>
  pairs(headers)
    .filter(([each]) => each.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value)
