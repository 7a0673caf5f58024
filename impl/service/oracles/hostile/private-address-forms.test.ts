import { hostileRequests } from './hostileCases.ts'

hostileRequests('private-address-forms')
