// The price of a symbol. What fails is an output with `error`, so that the policy can deny.
import { fetch } from 'service:provider/http@0.2.0'
import { get } from 'service:provider/secrets@0.2.0'

const decoder = new TextDecoder()

export function run(input) {
  try {
    return JSON.stringify({ price_feed: priceOf(JSON.parse(input)) })
  } catch (error) {
    return JSON.stringify({ price_feed: { error: textOf(error) } })
  }
}

function priceOf({ symbol }) {
  if (typeof symbol !== 'string') throw new Error('wasm_args needs a symbol')
  const { PRICE_API_KEY: key } = JSON.parse(decoder.decode(get().value))
  const response = fetch({
    url: `https://prices.example.com/v1/prices/${encodeURIComponent(symbol)}`,
    method: 'GET',
    // A key belongs in a header: URLs are logged.
    headers: [['authorization', `Bearer ${key}`]],
    body: undefined,
  })
  if (response.status !== 200) throw new Error(`price feed answered ${response.status}`)
  const { price, updated_at: updatedAt } = JSON.parse(decoder.decode(response.body))
  if (typeof price !== 'number' || typeof updatedAt !== 'number') {
    throw new Error('price feed gave no price')
  }
  return { symbol, price, updated_at: updatedAt }
}

/** The host's `err` results arrive as objects with a payload. */
function textOf(error) {
  return String(error?.payload ?? error?.message ?? error)
}
