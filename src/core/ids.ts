import {randomBytes} from 'node:crypto'

/** Makes an id that was never used before; tests bring their own. */
export type NewId = () => string

/** Lower case without what is easily misread (i l o 0 1): ids are read aloud, typed, and are parts of git refs. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const length = 12
/** Bytes from here on would make the first letters of the alphabet likelier. */
const fairBelow = 256 - (256 % alphabet.length)

/** 128 random bits in hex, for what a program must not be able to guess. */
export function newSecret(): string {
  return randomBytes(16).toString('hex')
}

/** A random id of 12 characters (59 bits). */
export const newId: NewId = () => {
  let id = ''
  while (id.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < fairBelow && id.length < length) id += alphabet[byte % alphabet.length]
    }
  }
  return id
}
