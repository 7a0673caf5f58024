import type { ViewFlow } from './studioContext.ts'

export const webhooksFlow: ViewFlow = async (_page, { show }) => show('webhooks')
