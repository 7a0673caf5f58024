import { hostilePeer } from './hostileCases.ts'

hostilePeer('silent-server')
