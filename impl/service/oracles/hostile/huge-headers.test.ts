import { hostilePeer } from './hostileCases.ts'

hostilePeer('huge-headers')
