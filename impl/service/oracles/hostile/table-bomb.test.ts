import { hostileGuest } from './hostileCases.ts'

hostileGuest('table-bomb')
