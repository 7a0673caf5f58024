// Whether an address is on a list of sanctions. What fails is an output with `error`, so that the policy can deny.
import { fetch } from 'service:provider/http@0.2.0'
import { get } from 'service:provider/secrets@0.2.0'

const decoder = new TextDecoder()

export function run(input) {
  try {
    return JSON.stringify({ sanctions: listingOf(JSON.parse(input)) })
  } catch (error) {
    return JSON.stringify({ sanctions: { error: textOf(error) } })
  }
}

function listingOf({ address }) {
  if (typeof address !== 'string') throw new Error('wasm_args needs an address')
  const response = fetch({
    url: `https://sanctions.example.com/v1/addresses/${encodeURIComponent(address.toLowerCase())}`,
    method: 'GET',
    // A key belongs in a header: URLs are logged.
    headers: [['authorization', `Bearer ${secret('SANCTIONS_API_KEY')}`]],
    body: undefined,
  })
  if (response.status !== 200) throw new Error(`sanctions list answered ${response.status}`)
  const { listed } = JSON.parse(decoder.decode(response.body))
  if (typeof listed !== 'boolean') {
    throw new Error('sanctions list gave no answer')
  }
  return { address: address.toLowerCase(), listed }
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
