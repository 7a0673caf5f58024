import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyVariable } from 'polgate-conformance/core/exchange.ts'
import type { Target } from 'polgate-conformance/core/target.ts'
import { prepareTarget } from 'polgate-conformance/targets/prepare.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'

/** The document that the owner of this gateway would write, and the variables that it names. */
function targetFileOf(stack: StackDescription) {
  const env: Record<string, string> = {}
  const variable = (name: string, value: string) => {
    env[name] = value
    return `\${${name}}`
  }
  const keys = Object.entries(stack.apiKeys).map(([name, value]) => [
    name,
    variable(keyVariable(name as keyof StackDescription['apiKeys']), value),
  ])
  const accounts = Object.entries(stack.accounts).map(([name, account]) => [
    name,
    'privateKey' in account
      ? {
          address: account.address,
          privateKey: variable(`SVC_ACCOUNT_${name.toUpperCase()}`, account.privateKey),
        }
      : { address: account.address },
  ])
  const file = {
    version: 1,
    name: 'a third party',
    gatewayUrl: stack.gatewayUrl,
    explorerUrl: stack.explorerUrl,
    brand: stack.brand,
    keys: Object.fromEntries(keys),
    chain: stack.chain,
    networks: stack.networks,
    accounts: Object.fromEntries(accounts),
    operators: stack.operators,
    clients: stack.clients,
    fixtureHostUrl: stack.fixtureHostUrl,
    controlUrl: stack.controlUrl,
    chaosUrl: stack.chaosUrl,
  }
  return { text: `${JSON.stringify(file, null, 2)}\n`, env }
}

/**
 * The target that a third party has: read from a target file, over the wire, and held to the
 * specification alone, not to the decisions of the reference implementation.
 *
 * @throws CannotRun if the file is not valid
 */
export async function thirdPartyTarget(stack: StackDescription): Promise<Target> {
  const directory = await mkdtemp(join(tmpdir(), 'polgate-target-'))
  try {
    const { text, env } = targetFileOf(stack)
    const path = join(directory, 'svc-target.yaml')
    await writeFile(path, text)
    const { target } = await prepareTarget({ target: path }, { cwd: directory, env }, () => {})
    return target
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
