import { type PolicyFixture, policyFixtures } from 'polgate-fixtures/catalogue.ts'
import type { Hex } from 'polgate-protocol/scalars.ts'
import { serviceExtensions } from 'polgate-rego/builtins/extensions.ts'
import { parseIntent } from 'polgate-service/intents/intent.ts'
import { policyInputJson } from 'polgate-service/intents/policyInput.ts'
import { type Abi, encodeFunctionData, parseAbiItem, stringToHex } from 'viem'
import type { Case } from './cases.ts'

/** Output of the fixtures' oracles in the normal case. */
const wasm = {
  price_feed: { symbol: 'ETH', price: 2000, updated_at: 1_760_000_000 },
  sanctions: {
    address: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
    listed: false,
    source: 'fixture',
  },
}

const sender = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const noCall: { data: Hex; function_signature: Hex } = { data: '0x', function_signature: '0x' }

function inputOf(fixture: PolicyFixture): unknown {
  const [{ intent }] = fixture.cases as [PolicyFixture['cases'][number]]
  const call =
    intent.call === undefined
      ? noCall
      : {
          function_signature: stringToHex(intent.call.signature),
          data: encodeFunctionData({
            abi: [parseAbiItem(`function ${intent.call.signature}`)] as Abi,
            args: intent.call.arguments,
          }),
        }
  const to = (/^0x/.test(intent.to) ? intent.to : sender) as Hex
  const value = `0x${BigInt(intent.value).toString(16)}` as const
  const wire = { from: sender, to, value, chain_id: '31337', ...call } as const
  return JSON.parse(policyInputJson(parseIntent(wire)))
}

const extensions = serviceExtensions().map(({ name }) => name)

/**
 * The fixture policies on the intent of their first case, except policies that call an extension of
 * the service, which the peers lack.
 */
export const fixtureCases = (): Case[] =>
  policyFixtures()
    .filter(({ source }) => !extensions.some((name) => source.includes(name)))
    .map((fixture) => ({
      name: `fixture ${fixture.name}`,
      mode: 'warm',
      goal: 0.5,
      policy: fixture.source,
      data: { params: JSON.parse(fixture.paramsText.replaceAll('{token}', sender)), wasm },
      input: inputOf(fixture),
      rule: `data.${fixture.entrypoint}`,
    }))
