import type { EvaluationAnswer } from '../operators/operator.ts'

const maxOracles = 16
const maxPackLength = 64
const maxErrorLength = 200

/**
 * Why a policy denies: the `deny` strings of its package, sorted (decision T16), then the `error`
 * values of oracles (section 1) that the policy did not repeat. If the result allows, oracle errors
 * are left out.
 */
export function denialReasons({
  result,
  reasons,
  wasm,
}: Pick<EvaluationAnswer, 'result' | 'reasons' | 'wasm'>): readonly string[] {
  if (result === 'true' || result === '"true"') return reasons
  const errors = oracleErrors(wasm).filter(({ raw }) => !reasons.some((text) => text.includes(raw)))
  return [...reasons, ...errors.map(({ text }) => text)]
}

function oracleErrors(wasm: string): readonly { readonly raw: string; readonly text: string }[] {
  const packs = Object.entries(JSON.parse(wasm) as Record<string, unknown>)
  return packs
    .flatMap(([pack, output]) => {
      const raw = typeof output === 'object' && output !== null ? errorOf(output) : undefined
      return raw === undefined
        ? []
        : [{ raw, text: `oracle ${oneLine(pack, maxPackLength)}: ${oneLine(raw, maxErrorLength)}` }]
    })
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .slice(0, maxOracles)
}

function errorOf(output: object): string | undefined {
  const error: unknown = Object.hasOwn(output, 'error') ? Reflect.get(output, 'error') : undefined
  return typeof error === 'string' && error.trim() !== '' ? error : undefined
}

/** Reduces URLs to their origin: the rest may contain a key. */
function oneLine(text: string, most: number): string {
  const line = text
    .slice(0, 16 * most)
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#"'@]*@)?([^\s/?#"']*)[^\s"']*/gi, '$1$2')
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
  return line.length > most ? `${line.slice(0, most)}...` : line
}
