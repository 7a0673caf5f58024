import { StoreError } from './storeError.ts'

/**
 * Which server and database, without user and password. A password in which `/`, `?` or `#` stands
 * as it is moves what is what: of such a string nothing is told.
 */
export function describeUrl(url: string): string {
  if (!URL.canParse(url)) return 'a PostgreSQL database'
  const { host, pathname, search, hash } = new URL(url)
  const astray = host === '' || hash !== '' || /@|%40/i.test(pathname + search)
  return astray ? 'a PostgreSQL database' : `the PostgreSQL database ${host}${pathname}`
}

/** @throws StoreError `invalid` for what the driver would take for something else */
export function checkScheme(url: string): void {
  if (!/^(postgres(ql)?:|socket:|\/)/.test(url)) throw malformed()
}

const malformed = () =>
  new StoreError('This is not the connection string of a PostgreSQL server', {
    code: 'invalid',
    hint: 'Write postgres://user:password@host/database, and @ : / ? # in a password as %40 %3A %2F %3F %23.',
  })

/** Why the first connection to a server came to nothing; of the driver's words only the code. */
export function notOpened(url: string, error: unknown): StoreError {
  const code = String((error as { code?: string }).code ?? 'no answer')
  const place = describeUrl(url)
  const unavailable = (message: string, hint: string) =>
    new StoreError(`${message} (${code})`, { code: 'unavailable', hint })
  if (code === 'ERR_INVALID_URL') return malformed()
  if (code.startsWith('28'))
    return unavailable(
      `The user or the password is refused by ${place}`,
      'Check both in the connection string, and whom the server admits.',
    )
  if (code === '3D000')
    return unavailable(
      `There is no such database: ${place}`,
      'Create it, or name another in the connection string.',
    )
  return unavailable(
    `${place[0]?.toUpperCase()}${place.slice(1)} cannot be reached`,
    'Check the connection string and that the server accepts connections.',
  )
}
