/** Where firmware comes from. */
export interface FirmwareImages {
  /** The bytes behind an address, as they come. */
  open(url: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
}
