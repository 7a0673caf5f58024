import { hostileRequests } from './hostileCases.ts'

hostileRequests('forbidden-urls')
