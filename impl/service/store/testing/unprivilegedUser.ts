import { readFileSync } from 'node:fs'

export type User = { readonly uid: number; readonly gid: number }

/**
 * The user to run a server as that refuses to run as root; undefined when this process is not root.
 */
export function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const entries = lines.map((line) => line.split(':'))
  const found = ['postgres', 'nobody'].map((user) => entries.find(([name]) => name === user))
  const [, , uid = '65534', gid = '65534'] = found.find((entry) => entry !== undefined) ?? []
  return { uid: Number(uid), gid: Number(gid) }
}
