import { hostileGuest } from './hostileCases.ts'

hostileGuest('copied-lists')
