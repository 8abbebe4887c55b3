/** What is in every machine of the rack. One kind of hardware is enough: the makes differ in how they talk about it. */
export const hardware = {
  sockets: 2,
  cores: 32,
  threads: 64,
  cpu: 'Rackwright R1 Gold 6300',
  maxMhz: 3500,
  memoryGiB: 256,
  dimms: 8,
  nics: 2,
  drives: [
    { id: 'Disk.0', model: 'RW-NVME-960', bytes: 960_197_124_096, media: 'SSD', protocol: 'NVMe' },
    { id: 'Disk.1', model: 'RW-NVME-960', bytes: 960_197_124_096, media: 'SSD', protocol: 'NVMe' },
    { id: 'Disk.2', model: 'RW-HDD-8T', bytes: 8_001_563_222_016, media: 'HDD', protocol: 'SAS' },
  ],
} as const
