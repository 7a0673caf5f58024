import { hostileGuest } from './hostileCases.ts'

hostileGuest('output-bomb')
