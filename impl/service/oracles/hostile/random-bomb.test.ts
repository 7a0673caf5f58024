import { hostileGuest } from './hostileCases.ts'

hostileGuest('random-bomb')
