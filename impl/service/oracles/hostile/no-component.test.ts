import { hostileGuest } from './hostileCases.ts'

hostileGuest('no-component')
