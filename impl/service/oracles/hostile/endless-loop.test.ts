import { hostileGuest } from './hostileCases.ts'

hostileGuest('endless-loop')
