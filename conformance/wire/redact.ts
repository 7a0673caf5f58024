/** Names of the environment variables that stand for secret values in everything printed. */
export type Secrets = Readonly<Record<string, string>>

/** Values shorter than this are words, and replacing them would spoil a text. */
const shortestSecret = 6

/**
 * A function that puts `$NAME` where a secret's value stands, also in its hex and base64 forms and
 * without a `0x`. Longer values first, so that one secret inside another leaves no rest.
 */
export const redactor = (secrets: Secrets): ((text: string) => string) => {
  const needles = Object.entries(secrets)
    .filter(([, value]) => value.length >= shortestSecret)
    .flatMap(([name, value]) => {
      const bytes = Buffer.from(value)
      const forms = [value, bytes.toString('hex'), bytes.toString('base64')]
      if (value.startsWith('0x')) forms.push(value.slice(2))
      return forms.map((form) => ({ form, name }))
    })
    .sort((a, b) => b.form.length - a.form.length)
  return (text) => needles.reduce((rest, { form, name }) => rest.replaceAll(form, `$${name}`), text)
}

/** The same over every string of a JSON value, member names included. */
export const redactJson = <T>(value: T, redact: (text: string) => string): T =>
  JSON.parse(redact(JSON.stringify(value))) as T
