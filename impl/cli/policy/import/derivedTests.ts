import type { CasesFile } from '../../package/casesSchema.ts'
import type { MockHosts, MocksFile } from '../../package/mocksSchema.ts'
import { withoutComments } from './sourceReads.ts'

const hostInUrl =
  /\bhttps?:\/\/([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?)(?=[/?#'"`\s$]|$)/gi

/** Hosts of URLs in the source of an oracle, lower case; none for a component. */
export const hostsIn = (source: string | Uint8Array): readonly string[] =>
  typeof source === 'string'
    ? [...withoutComments(source).matchAll(hostInUrl)].map(([, host]) => host!.toLowerCase())
    : []

/** A file of mocks: what was recorded, and for all other hosts what is to be filled in. */
export function derivedMocks(
  hosts: readonly string[],
  recorded: { readonly file: string | undefined; readonly hosts: readonly string[] },
): MocksFile {
  const stubs: MockHosts = Object.fromEntries(
    hosts
      .filter((host) => !recorded.hosts.includes(host))
      .map((host) => [host, { '*': { fillIn: `what ${host} answers, by path` } }]),
  )
  return {
    ...(Object.keys(stubs).length === 0 ? {} : { hosts: stubs }),
    ...(recorded.file === undefined ? {} : { exchanges: [recorded.file] }),
  }
}

/** What holds for every policy: it does not allow without the answer of a host. */
export const derivedCases = (hosts: readonly string[]): CasesFile => ({
  cases: hosts.flatMap((host) => [
    {
      name: `${host} is down`,
      mocks: { [host]: { '*': { cut: true } } },
      expect: 'denyOrFail',
    },
    {
      name: `${host} answers nothing of use`,
      mocks: { [host]: { '*': { json: {} } } },
      expect: 'denyOrFail',
    },
  ]),
})
