// How risky the counterparty of a transfer is, as a screening service scores it. What fails is an output with `error`, so that the policy can deny.
import { fetch } from 'service:provider/http@0.2.0'
import { get } from 'service:provider/secrets@0.2.0'

const decoder = new TextDecoder()

export function run(input) {
  try {
    return JSON.stringify({ counterparty: riskOf(JSON.parse(input)) })
  } catch (error) {
    return JSON.stringify({ counterparty: { error: textOf(error) } })
  }
}

function riskOf({ address }) {
  if (typeof address !== 'string') throw new Error('wasm_args needs an address')
  const response = fetch({
    url: `https://screening.example.com/v1/addresses/${encodeURIComponent(address.toLowerCase())}/risk`,
    method: 'GET',
    // A key belongs in a header: URLs are logged.
    headers: [['authorization', `Bearer ${secret('SCREENING_API_KEY')}`]],
    body: undefined,
  })
  if (response.status !== 200) throw new Error(`screening answered ${response.status}`)
  const { score, category } = JSON.parse(decoder.decode(response.body))
  if (typeof score !== 'number' || typeof category !== 'string') {
    throw new Error('screening gave no answer')
  }
  return { address: address.toLowerCase(), score, category }
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
