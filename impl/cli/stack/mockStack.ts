import type { Egress } from 'polgate-service/oracles/egress.ts'
import type { SecretsByOracle } from 'polgate-service/oracles/recording/redactRecording.ts'
import { replyJson } from 'polgate-testing/stack/oracleReply.ts'
import { loadMocks } from '../policy/test/loadMocks.ts'
import { openMockedHosts } from '../policy/test/mockedHosts.ts'
import { type MockSources, mockTable } from '../policy/test/mockTable.ts'

export type StackMocks = {
  /** Hosts without a mock follow the rules of the guard. */
  readonly egress: (egress: Egress) => Egress
  close(): Promise<void>
}

/**
 * Answers the oracles of a stack for the hosts of files like `mocks.yaml`. What two files answer, the later one does.
 *
 * @param secrets take the place of placeholders in recordings and in names of hosts
 * @throws CommandError, RecordingError
 */
export async function mockStack(
  files: readonly string[],
  secrets: SecretsByOracle = new Map(),
): Promise<StackMocks> {
  const all: MockSources[] = []
  for (const file of files) all.push(await loadMocks(file, secrets))
  const tables = all.map((each) => mockTable(each)).reverse()
  const hosts = [...new Set(tables.flatMap((table) => table.hosts))]
  const mocked = await openMockedHosts(
    hosts,
    (request) =>
      tables.map((table) => table.reply(request)).find((reply) => reply !== undefined) ??
      replyJson({ error: 'the mocks of the stack do not answer this request' }, { status: 404 }),
    'guarded',
  )
  return { egress: (egress) => mocked.egress(egress, []), close: mocked.close }
}
