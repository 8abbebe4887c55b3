import { type Finding, hint } from './finding.ts'

/** What DHCP has to say; it stays outside, so that all we can do is to say the words. */
export function dhcpHint(bootUrl: string): Finding {
  return hint(
    'DHCP',
    [
      'PXE needs iPXE and our script; machines that boot over HTTP without an address of their own need the other. In dnsmasq:',
      `dhcp-match=set:ipxe,175 ; dhcp-boot=tag:ipxe,${bootUrl}/ipxe`,
      `dhcp-vendorclass=set:http,HTTPClient ; dhcp-option=tag:http,60,HTTPClient ; dhcp-boot=tag:http,${bootUrl}/httpboot.efi`,
      'docs/guides/first-real-server.md has whole files for dnsmasq and Kea.',
    ].join('\n'),
  )
}
