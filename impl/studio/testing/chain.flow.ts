import type { ViewFlow } from './studioContext.ts'

export const chainFlow: ViewFlow = async (_page, { show }) => show('chain')
