import { fill, policyFixture } from 'polgate-fixtures/catalogue.ts'
import { clientWithoutSecrets } from 'polgate-fixtures/clientVariants.ts'
import { sealSecrets } from 'polgate-service/envelopes/secrets.ts'
import type { Service } from 'polgate-service/service.ts'
import type { Store } from 'polgate-service/store/openStore.ts'
import type { Deployment } from './deployFixtures.ts'
import { devApiKeys } from './devKeys.ts'

/** Development keys, and the secrets of the fixtures' oracles, sealed as by an owner. */
export async function seedStore(
  store: Store,
  stack: {
    readonly deployment: Deployment
    readonly chainId: number
    readonly fixtureHost: string
    readonly service: Pick<Service, 'encryptionKeys'>
  },
): Promise<void> {
  await Promise.all([seedKeys(store), seedSecrets(store, stack)])
}

async function seedKeys({ apiKeys }: Store): Promise<void> {
  const known = new Set((await apiKeys.list()).map(({ name }) => name))
  for (const [permission, key] of Object.entries(devApiKeys)) {
    const name = `development, ${permission}`
    if (!known.has(name)) await apiKeys.create({ ...key, name })
  }
}

async function seedSecrets(
  store: Store,
  { deployment, chainId, fixtureHost, service }: Parameters<typeof seedStore>[1],
): Promise<void> {
  const places = { fixture_host: fixtureHost, token: deployment.token }
  for (const [name, { fixture, policyClient, policyData }] of Object.entries(deployment.clients)) {
    if (name === clientWithoutSecrets) continue
    const uses = policyFixture(fixture).oracles
    for (const { address: policyDataAddress, oracle } of policyData) {
      const secrets = uses.find((use) => use.name === oracle)?.secrets
      if (secrets === undefined) continue
      const envelope = await sealSecrets({
        secrets: fill(secrets, places),
        policyClient,
        chainId,
        recipientPublicKey: service.encryptionKeys.secretsPublicKey,
      })
      await store.secrets.put({ policyClient, policyDataAddress }, envelope)
    }
  }
}
