/** How many BMCs share a certificate: all addresses of one block stand in it. */
export const perBlock = 250

/** Linux answers on all of 127.0.0.0/8 without any set-up, so every BMC has an address of its own there. */
export const addressOf = (number: number): string => `127.83.${Math.floor(number / perBlock)}.${(number % perBlock) + 1}`

export function numberOf(address: string): number | undefined {
  const [, block, last] = /^(?:::ffff:)?127\.83\.(\d+)\.(\d+)$/.exec(address) ?? []
  return block === undefined ? undefined : Number(block) * perBlock + Number(last) - 1
}

export const isLoopback = (address: string): boolean => /^(::ffff:)?127\./.test(address) || address === '::1'
