import { dirname, resolve } from 'node:path'
import type { Exchange } from 'polgate-service/oracles/recording/exchange.ts'
import { readRecording } from 'polgate-service/oracles/recording/recordingFile.ts'
import {
  type SecretsByOracle,
  withSecrets,
} from 'polgate-service/oracles/recording/redactRecording.ts'
import { CommandError } from '../../commandDefinition.ts'
import { yamlReader } from '../../package/checkedYaml.ts'
import { type MockHosts, MocksFile } from '../../package/mocksSchema.ts'
import { harExchanges } from './harFile.ts'
import type { MockSources } from './mockTable.ts'
import { valueFault } from './mockValues.ts'
import { withSecretHosts } from './secretHosts.ts'

const readMocks = yamlReader(MocksFile, 'a file of mocks')

/**
 * Reads `mocks.yaml` and the recordings that it names.
 *
 * @param secrets take the place of placeholders in recordings and in names of hosts
 * @returns also all files that were read
 * @throws CommandError, RecordingError
 */
export async function loadMocks(
  path: string,
  secrets: SecretsByOracle,
): Promise<MockSources & { readonly files: readonly string[] }> {
  const { value, placeOf } = await readMocks(path)
  const { hosts: named = {}, exchanges = [] } = value
  checkValues(named, (...at) => placeOf('hosts', ...at))
  const { hosts, secretHosts } = withSecretHosts(named, secrets, (host) => placeOf('hosts', host))
  const files = exchanges.map((name) => resolve(dirname(path), name))
  const recorded: Exchange[] = []
  for (const file of files)
    recorded.push(
      ...(file.endsWith('.har')
        ? await harExchanges(file)
        : withSecrets(await readRecording(file), secrets).exchanges),
    )
  return { hosts, secretHosts, exchanges: recorded, files: [path, ...files] }
}

/** @throws CommandError for a value that cannot be computed */
export function checkValues(
  hosts: MockHosts,
  placeOf: (...path: readonly (string | number)[]) => string,
): void {
  for (const [host, byPath] of Object.entries(hosts))
    for (const [route, replies] of Object.entries(byPath))
      for (const [at, { json }] of [replies].flat().entries()) {
        const fault = valueFault(json)
        if (fault === undefined) continue
        const place = Array.isArray(replies) ? placeOf(host, route, at) : placeOf(host, route)
        throw new CommandError(`${place} ${fault}`, {
          hint: 'For example { $now: -10s, $as: iso }, or { $request: /id }.',
        })
      }
}
