import type { BootMethod } from './method.ts'

/** One signed file over HTTP(S), across routers and without a DHCP relay. */
export const uefiHttp: BootMethod = { name: 'UefiHttp', target: 'UefiHttp', fetches: true, needs: [['uki']] }
