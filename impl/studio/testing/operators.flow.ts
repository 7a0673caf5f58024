import type { ViewFlow } from './studioContext.ts'

export const operatorsFlow: ViewFlow = async (_page, { show }) => show('operators')
