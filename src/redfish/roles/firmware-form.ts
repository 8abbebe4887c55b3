/** The two parts that a Redfish service wants in an upload: parameters first, then the image. */
export function multipart(parameters: object, name: string, image: Uint8Array): { readonly type: string; readonly bytes: Uint8Array } {
  const boundary = free(image)
  const file = name.replace(/[^\w.-]/g, '_').slice(0, 128)
  const part = (header: string, type: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${header}\r\nContent-Type: ${type}\r\n\r\n`
  const head = `${part('name="UpdateParameters"', 'application/json')}${JSON.stringify(parameters)}\r\n${part(`name="UpdateFile"; filename="${file}"`, 'application/octet-stream')}`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([Buffer.from(head), image, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}

/** A line that does not occur in the image. */
function free(image: Uint8Array): string {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength)
  for (let n = 0; ; n++) {
    const boundary = `rackwright-firmware-image-${n}`
    if (!bytes.includes(boundary)) return boundary
  }
}
