// What a provider of identity checks knows about an address. What fails is an output with `error`, so that the policy can deny.
import { fetch } from 'service:provider/http@0.2.0'
import { get } from 'service:provider/secrets@0.2.0'

const decoder = new TextDecoder()

export function run(input) {
  try {
    return JSON.stringify({ kyc: subjectOf(JSON.parse(input)) })
  } catch (error) {
    return JSON.stringify({ kyc: { error: textOf(error) } })
  }
}

function subjectOf({ address }) {
  if (typeof address !== 'string') throw new Error('wasm_args needs an address')
  const response = fetch({
    url: `https://kyc.example.com/v1/subjects/${encodeURIComponent(address.toLowerCase())}`,
    method: 'GET',
    // A key belongs in a header: URLs are logged.
    headers: [['authorization', `Bearer ${secret('KYC_API_KEY')}`]],
    body: undefined,
  })
  if (response.status !== 200) throw new Error(`kyc provider answered ${response.status}`)
  const { status, level, country } = JSON.parse(decoder.decode(response.body))
  if (typeof status !== 'string' || typeof level !== 'number' || typeof country !== 'string') {
    throw new Error('kyc provider gave no answer')
  }
  return { address: address.toLowerCase(), status, level, country }
}

function secret(name) {
  const value = JSON.parse(decoder.decode(get().value))[name]
  if (typeof value !== 'string') throw new Error(`the secret ${name} is missing`)
  return value
}

/** The host's `err` results arrive as objects with a payload. */
function textOf(error) {
  return String(error?.payload ?? error?.message ?? error)
}
