import { dirname, resolve } from 'node:path'
import type { Exchange } from 'polgate-service/oracles/recording/exchange.ts'
import { readRecording } from 'polgate-service/oracles/recording/recordingFile.ts'
import {
  type SecretsByOracle,
  withSecrets,
} from 'polgate-service/oracles/recording/redactRecording.ts'
import { yamlReader } from '../../package/checkedYaml.ts'
import { MocksFile } from '../../package/mocksSchema.ts'
import { harExchanges } from './harFile.ts'
import type { MockSources } from './mockTable.ts'

const readMocks = yamlReader(MocksFile, 'a file of mocks')

/**
 * Reads `mocks.yaml` and the recordings that it names.
 *
 * @param secrets take the place of placeholders in recordings
 * @returns also all files that were read
 * @throws CommandError, RecordingError
 */
export async function loadMocks(
  path: string,
  secrets: SecretsByOracle,
): Promise<MockSources & { readonly files: readonly string[] }> {
  const { hosts = {}, exchanges = [] } = (await readMocks(path)).value
  const files = exchanges.map((name) => resolve(dirname(path), name))
  const recorded: Exchange[] = []
  for (const file of files)
    recorded.push(
      ...(file.endsWith('.har')
        ? await harExchanges(file)
        : withSecrets(await readRecording(file), secrets).exchanges),
    )
  return { hosts, exchanges: recorded, files: [path, ...files] }
}
