import { hostileGuest } from './hostileCases.ts'

hostileGuest('deep-recursion')
