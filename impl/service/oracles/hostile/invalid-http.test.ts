import { hostilePeer } from './hostileCases.ts'

hostilePeer('invalid-http')
