import { hostilePeer } from './hostileCases.ts'

hostilePeer('redirect-loop')
