import { hostilePeer } from './hostileCases.ts'

hostilePeer('interim-flood')
