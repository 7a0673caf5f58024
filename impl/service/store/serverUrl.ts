import { StoreError } from './storeError.ts'

/**
 * The server and database of a URL, without user and password. An unescaped `/`, `?` or `#` in a
 * password shifts the parts of the URL; of such a string nothing is shown.
 */
export function describeUrl(url: string): string {
  if (!URL.canParse(url)) return 'a PostgreSQL database'
  const { host, pathname, search, hash } = new URL(url)
  const ambiguous = host === '' || hash !== '' || /@|%40/i.test(pathname + search)
  return ambiguous ? 'a PostgreSQL database' : `the PostgreSQL database ${host}${pathname}`
}

/** @throws StoreError `invalid` for a string that the driver would misinterpret */
export function checkScheme(url: string): void {
  if (!/^(postgres(ql)?:|socket:|\/)/.test(url)) throw malformed()
}

const malformed = () =>
  new StoreError('Invalid connection string of a PostgreSQL server', {
    code: 'invalid',
    hint: 'Write postgres://user:password@host/database, and escape @ : / ? # in a password as %40 %3A %2F %3F %23.',
  })

/** The error for a failed first connection; of the driver's message it shows only the code. */
export function notOpened(url: string, error: unknown): StoreError {
  const code = String((error as { code?: string }).code ?? 'no response')
  const place = describeUrl(url)
  const unavailable = (message: string, hint: string) =>
    new StoreError(`${message} (${code})`, { code: 'unavailable', hint })
  if (code === 'ERR_INVALID_URL') return malformed()
  if (code.startsWith('28'))
    return unavailable(
      `Login rejected by ${place}`,
      'Check the user and password in the connection string, and the access rules of the server (pg_hba.conf).',
    )
  if (code === '3D000')
    return unavailable(
      `The database does not exist: ${place}`,
      'Create it, or change the connection string.',
    )
  return unavailable(
    `${place[0]?.toUpperCase()}${place.slice(1)} cannot be reached`,
    'Check the connection string and that the server accepts connections.',
  )
}
