import { hostileGuest } from './hostileCases.ts'

hostileGuest('memory-bomb')
