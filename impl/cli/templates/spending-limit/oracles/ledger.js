// What an address has spent in the last 24 hours, as a ledger counts it, in wei. What fails is an output with `error`, so that the policy can deny.
import { fetch } from 'service:provider/http@0.2.0'
import { get } from 'service:provider/secrets@0.2.0'

const decoder = new TextDecoder()

export function run(input) {
  try {
    return JSON.stringify({ ledger: spentBy(JSON.parse(input)) })
  } catch (error) {
    return JSON.stringify({ ledger: { error: textOf(error) } })
  }
}

function spentBy({ address }) {
  if (typeof address !== 'string') throw new Error('wasm_args needs an address')
  const response = fetch({
    url: `https://ledger.example.com/v1/accounts/${encodeURIComponent(address.toLowerCase())}/spent-24h`,
    method: 'GET',
    // A key belongs in a header: URLs are logged.
    headers: [['authorization', `Bearer ${secret('LEDGER_API_KEY')}`]],
    body: undefined,
  })
  if (response.status !== 200) throw new Error(`ledger answered ${response.status}`)
  const { wei } = JSON.parse(decoder.decode(response.body))
  if (typeof wei !== 'string') {
    throw new Error('ledger gave no answer')
  }
  return { address: address.toLowerCase(), wei }
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
