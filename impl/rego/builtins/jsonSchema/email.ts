import { parseAddress } from '../net/cidr.ts'

const LETTER = "\\w!#$%&'*+/=?^`{|}~\\u{80}-\\u{10ffff}-"
const WORD = `[${LETTER}]+`
const QUOTED = '"(?:[^"\\\\\\r\\n]|\\\\[^\\r\\n])+"'
const PHRASE = `(?:[. \\t${LETTER}]|${QUOTED})*`
const NAMES = `${WORD}(?:\\.${WORD})*`
const MAILBOX = `(?:${NAMES}|${QUOTED})@(?:${NAMES}|\\[([^\\[\\]]*)\\])`

const PLAIN = new RegExp(`^[ \\t]*${MAILBOX}[ \\t]*$`, 'u')
const NAMED = new RegExp(`^[ \\t]*${PHRASE}<[ \\t]*${MAILBOX}[ \\t]*>[ \\t]*$`, 'u')

/** Whether Go's package reads a text as one address: `a@b.c`, `"a b"@[1.2.3.4]`, `A B <a@b.c>`. */
export function isEmail(text: string): boolean {
  const address = PLAIN.exec(text) ?? NAMED.exec(text)
  if (address === null) return false
  return address[1] === undefined || parseAddress(address[1]) !== undefined
}
