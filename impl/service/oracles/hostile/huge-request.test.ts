import { hostileGuest } from './hostileCases.ts'

hostileGuest('huge-request')
