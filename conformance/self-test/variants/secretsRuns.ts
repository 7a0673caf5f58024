import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { OracleError } from 'polgate-service/oracles/oracleError.ts'
import { toHex } from 'viem'
import { method, oracleRun } from '../mutants/parts.ts'
import {
  asError,
  asResult,
  doesNotOpen,
  isListed,
  knowingChain,
  notUsed,
  objectOf,
} from './secretsParts.ts'
import { composedParts, type Variant } from './variant.ts'

/** Other choices for runs of oracles with secrets, and for their errors (sections 4.6, 4.7 and 5.3). */

const run = 'simulatePolicyData'
const runStored = 'simulatePolicyDataWithClient'

/** What a probe of the fixtures was told to say in its error, where that is all that it does. */
function errorTold(input: string): string | undefined {
  const tape = objectOf(input)?.tape
  if (typeof tape !== 'string') return undefined
  const steps = Buffer.from(tape, 'hex').map((byte) => byte ^ 0x55)
  const length = steps.length < 5 ? 0 : Buffer.from(steps).readUInt32LE(1)
  return steps[0] === 4 ? Buffer.from(steps.subarray(5, 5 + length)).toString() : undefined
}

/** The errors of an oracle with less of its secrets removed. */
const redacting =
  (redact: (text: string, secrets: readonly string[]) => string | undefined) => () =>
    oracleRun((oracle, pass) => {
      // The bytes are erased after the run.
      const held = oracle.secrets === undefined ? undefined : Buffer.from(oracle.secrets).toString()
      return pass(oracle).catch((error: unknown) => {
        const told = held === undefined ? undefined : errorTold(oracle.input)
        if (told === undefined || !(error instanceof OracleError) || error.code !== 'result')
          throw error
        const shown = redact(told, Object.values(objectOf(held) ?? {}).map(String))
        throw shown === undefined ? error : new OracleError('result', shown)
      })
    })

const isShort = (secret: string) => secret.length < 4

const withoutPlain = (text: string, secrets: readonly string[]) =>
  secrets
    .flatMap((secret) => [JSON.stringify(secret).slice(1, -1), secret])
    .reduce((clean, form) => clean.replaceAll(form, '***'), text)

export const secretsRunVariants: readonly Variant[] = [
  {
    id: 'secrets.run-without-input',
    clauses: ['4.6-12'],
    choice: 'gives an oracle an empty input where there are no wasm_args',
    parts: () => {
      const none = '"no wasm_args"'
      return composedParts([
        oracleRun((oracle, pass) =>
          pass(oracle.input === none ? { ...oracle, input: '' } : oracle),
        ),
        ...([run, runStored] as const).map((name) =>
          method(name, (params, caller, pass) =>
            pass({ ...params, wasm_args: params.wasm_args ?? toHex(none) } as never, caller),
          ),
        ),
      ])
    },
  },
  {
    id: 'secrets.submitted-opened',
    clauses: ['4.6-15'],
    choice: 'opens envelopes in a simulation that were submitted for storage',
    parts: () => ({
      taskDeps: (deps) => ({
        ...deps,
        fingerprints: { ...deps.fingerprints, wasSubmitted: async () => false },
      }),
    }),
  },
  {
    id: 'secrets.unreadable-unused',
    clauses: ['4.6-13'],
    choice: 'runs an oracle without the secrets that it cannot read',
    parts: () =>
      method(run, async (params, caller, pass) => {
        const { secrets, ...rest } = params
        if (secrets === undefined) return pass(params, caller)
        try {
          const result = await pass(params, caller)
          return doesNotOpen.test(result.error ?? '') ? await pass(rest, caller) : result
        } catch (error) {
          if (!(error instanceof ServiceError) || !/: secrets /.test(error.message)) throw error
          return pass(rest, caller)
        }
      }),
  },
  {
    id: 'secrets.unreadable-as-result',
    clauses: ['4.6-13'],
    choice: 'reports secrets that are not an envelope in a result without success',
    parts: asResult(run, (message) =>
      /: secrets is not base64/.test(message) ? 'secrets cannot be decrypted' : undefined,
    ),
  },
  {
    id: 'secrets.unreadable-as-error',
    clauses: ['4.6-13'],
    choice: 'reports secrets that it cannot open in an error object',
    parts: asError(run, doesNotOpen, errorCode.dataProvider),
  },
  {
    id: 'secrets.run-needs-stored',
    clauses: ['4.7-08'],
    choice: 'runs no oracle with a client that has no secrets for it, even if none are declared',
    parts: knowingChain((chain) =>
      method(runStored, async (params, caller, pass) => {
        const result = await pass(params, caller)
        const { policy_client: client, policy_data_address: data } = params
        if (!result.success || (await chain().policyData(data)).secretsSchemaCid !== '')
          return result
        const error = `No secrets found for policy_client ${client} and policy_data ${data}`
        return { success: false, policy_data: null, error }
      }),
    ),
  },
  {
    id: 'secrets.run-of-its-policy',
    // The checks of the other clauses run oracles at addresses of their own.
    clauses: ['4.7-09', '2.7-10', '5.3-10'],
    choice: 'runs an oracle with a client only if the policy of the client lists it',
    parts: knowingChain((chain) =>
      method(runStored, async (params, caller, pass) => {
        const result = await pass(params, caller)
        const { policy_client: client, policy_data_address: data } = params
        if (!result.success || (await isListed(chain(), client, data)) !== false) return result
        return { success: false, policy_data: null, error: notUsed(client, data) }
      }),
    ),
  },
  {
    id: 'secrets.plain-redaction',
    clauses: ['5.3-09'],
    choice: 'removes secrets from errors in plain text and as in JSON, in no other encoding',
    parts: redacting((text, secrets) =>
      secrets.some((secret) => isShort(secret) && text.includes(secret))
        ? undefined
        : withoutPlain(text, secrets),
    ),
  },
  {
    id: 'secrets.short-shown',
    clauses: ['5.3-11'],
    choice: 'does not look for secrets of a few characters in errors',
    parts: redacting((text, secrets) =>
      secrets.some((secret) => isShort(secret) && text.includes(secret))
        ? withoutPlain(
            text,
            secrets.filter((secret) => !isShort(secret)),
          )
        : undefined,
    ),
  },
]
