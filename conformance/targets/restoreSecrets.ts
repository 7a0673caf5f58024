import { clientSecrets } from 'polgate-fixtures/describeClient.ts'
import type { Check } from '../core/check.ts'
import { failureText } from '../core/failureText.ts'
import type { Target } from '../core/target.ts'
import { storeFixtureSecrets } from './storeSecrets.ts'

/**
 * Uploads the secrets of the clients that these checks need, as the start of their stack did: another
 * user may have replaced them, which no check could tell from a fault of the gateway.
 */
export async function restoreSecrets(
  target: Target,
  checks: readonly Pick<Check, 'needs'>[],
  note: (text: string) => void,
): Promise<void> {
  const { fixtureHostUrl, limits } = target
  if (limits?.readOnly || fixtureHostUrl === undefined) return
  const needed = new Set<string>(checks.flatMap(({ needs }) => needs))
  const clients = Object.fromEntries(
    Object.entries(target.clients).filter(([name]) => needed.has(`client:${name}`)),
  )
  const secrets = clientSecrets(clients, { fixture_host: fixtureHostUrl })
  // A gateway that does not accept them is judged by the checks.
  await storeFixtureSecrets(target, secrets, note).catch((error) =>
    note(`the secrets of the fixtures were not restored: ${failureText(error)}`),
  )
}
