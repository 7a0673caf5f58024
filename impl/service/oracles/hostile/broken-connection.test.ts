import { hostilePeer } from './hostileCases.ts'

hostilePeer('broken-connection')
