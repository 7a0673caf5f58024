/** Values shorter than this are words, and replacing them would spoil a text. */
export const shortestSecret = 6

/** Base64 of the bytes wherever they stand in a longer text: without the digits that neighbours share. */
const base64Forms = (bytes: Buffer): readonly string[] =>
  [0, 1, 2].flatMap((offset) => {
    const coded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const from = Math.ceil((offset * 4) / 3)
    const whole = (offset + bytes.length) % 3 === 0
    const form = coded.slice(from, whole ? undefined : -1)
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')]
  })

/** Every form in which a secret travels: as it is, escaped, in hex, in base64, in a URL. */
export const formsOf = (secret: string): readonly string[] => {
  const raw = /^(0x)?([0-9a-fA-F]{2}){16,}$/.test(secret)
    ? [Buffer.from(secret.replace(/^0x/, ''), 'hex')]
    : []
  const text = Buffer.from(secret)
  // An envelope is JSON in a string of JSON.
  const escapedOnce = JSON.stringify(secret).slice(1, -1)
  const hex = [text, ...raw].map((bytes) => bytes.toString('hex'))
  const forms = [
    secret,
    escapedOnce,
    JSON.stringify(escapedOnce).slice(1, -1),
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    ...hex,
    ...[text, ...raw].flatMap(base64Forms),
  ]
  return [...new Set(forms)].filter((form) => form.length >= shortestSecret)
}
