import { malformed } from './limits.ts'

/** The wire types of protobuf that are in use; groups (3, 4) never were in Kubernetes. */
export const varint = 0
export const fixed64 = 1
export const delimited = 2
const fixed32 = 5

const bad = (found: string) => malformed('protobuf', found)

/** Reads protobuf's wire format from a slice of bytes and never beyond it. */
export class WireReader {
  readonly #bytes: Uint8Array
  #at: number
  readonly #end: number

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
  }

  get done(): boolean {
    return this.#at >= this.#end
  }

  /** The next field's number and wire type. */
  tag(): { readonly number: number; readonly wire: number } {
    const key = this.#number()
    const number = Math.floor(key / 8)
    if (number < 1 || number > 536_870_911) throw bad(`it has the field number ${number}`)
    return { number, wire: key % 8 }
  }

  /** A varint as a signed 64-bit integer; beyond 2^53 it is rounded, as JSON numbers are. */
  int64(): number {
    let value = 0n
    let small = 0
    for (let i = 0; i < 10; i++) {
      const byte = this.#byte()
      if (i < 4) small += (byte & 0x7f) * 2 ** (7 * i)
      else value |= BigInt(byte & 0x7f) << BigInt(7 * i)
      if (byte < 0x80) return value === 0n ? small : Number(BigInt.asIntN(64, value | BigInt(small)))
    }
    throw bad('a number has more than ten bytes')
  }

  int32(): number {
    return Number(BigInt.asIntN(32, BigInt(this.int64())))
  }

  double(): number {
    const at = this.#take(8)
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + at, 8).getFloat64(0, true)
  }

  /** The bytes of a length-delimited field, as a reader over them. */
  message(): WireReader {
    const length = this.#number()
    const at = this.#take(length)
    return new WireReader(this.#bytes, at, at + length)
  }

  /** Everything that is left. */
  rest(): Uint8Array {
    const at = this.#take(this.#end - this.#at)
    return this.#bytes.subarray(at, this.#end)
  }

  bytes(): Uint8Array {
    return this.message().rest()
  }

  text(): string {
    const bytes = this.bytes()
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  }

  skip(wire: number): void {
    if (wire === varint) this.int64()
    else if (wire === fixed64) this.#take(8)
    else if (wire === delimited) this.message()
    else if (wire === fixed32) this.#take(4)
    else throw bad(`it has the wire type ${wire}`)
  }

  #number(): number {
    const value = this.int64()
    if (value < 0 || !Number.isSafeInteger(value)) throw bad('a length or field number is out of range')
    return value
  }

  #byte(): number {
    const byte = this.#at < this.#end ? this.#bytes[this.#at] : undefined
    if (byte === undefined) throw bad('it ends in the middle of a field')
    this.#at++
    return byte
  }

  #take(length: number): number {
    const at = this.#at
    if (length > this.#end - at) throw bad('it ends in the middle of a field')
    this.#at = at + length
    return at
  }
}
