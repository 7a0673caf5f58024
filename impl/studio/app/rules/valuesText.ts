import { weiOf, weiText } from '../ui/wei.ts'

const longestValue = 120

/** Parts of an expression with their values; null is undefined in Rego. */
export const valuesText = (
  values: readonly { readonly text: string; readonly value: string | null }[],
): string =>
  values
    .map(({ text, value }) => {
      const shown = value?.slice(0, longestValue) ?? 'undefined'
      const wei = text === 'input.value' ? weiOf(value) : undefined
      return `${text.replace(/\s+/g, ' ')} = ${wei === undefined ? shown : weiText(wei)}`
    })
    .join(', ')
