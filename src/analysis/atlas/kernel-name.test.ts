import { describe, expect, it } from 'vitest';
import { compareKernels, kernelInfo } from './kernel-name.ts';

describe('kernelInfo', () => {
  it.each([
    ['vmlinux-6.1.0-56-amd64.btf', '6.1.0-56-amd64', '6.1.0', 'amd64', ''],
    [
      'a/vmlinux-6.12.43+deb12-cloud-amd64.btf.zst',
      '6.12.43+deb12-cloud-amd64',
      '6.12.43',
      'amd64',
      'cloud',
    ],
    ['vmlinux-6.1.0-50-armmp-lpae.btf', '6.1.0-50-armmp-lpae', '6.1.0', 'armhf', 'armmp-lpae'],
    ['ubuntu/20.04/x86_64/5.4.0-1009-aws.btf.tar.xz', '5.4.0-1009-aws', '5.4.0', 'x86_64', 'aws'],
    [
      'fedora/40/arm64/6.8.5-301.fc40.aarch64.btf',
      '6.8.5-301.fc40.aarch64',
      '6.8.5',
      'aarch64',
      '',
    ],
    ['centos/8/x86_64/4.18.0-305.el8.x86_64.btf', '4.18.0-305.el8.x86_64', '4.18.0', 'x86_64', ''],
    ['vmlinux-6.18-rc3-arm64', '6.18-rc3-arm64', '6.18-rc3', 'arm64', ''],
    ['/sys/kernel/btf/vmlinux', 'vmlinux', '', '', ''],
    ['kernel.btf', 'kernel', '', '', ''],
    ['vmlinux.btf.zst', 'vmlinux', '', '', ''],
    ['arm64/Image.gz', 'Image', '', 'arm64', ''],
    ['vmlinux.6.1.0-56-amd64.btf', '6.1.0-56-amd64', '6.1.0', 'amd64', ''],
    ['.btf', '.btf', '', '', ''],
  ])('%s', (path, name, version, arch, flavour) => {
    expect(kernelInfo(path)).toEqual({ name, version, arch, flavour });
  });
});

describe('compareKernels', () => {
  it('sorts by version, release candidate, patch, ABI and name', () => {
    const sorted = [
      '5.10.0-32-rt-arm64',
      '5.10.0-46-cloud-amd64',
      '6.1.0-50-s390x',
      '6.1.0-56-amd64',
      '6.1.0-56-cloud-amd64',
      '6.1.12-amd64',
      '6.12.43+deb12-cloud-amd64',
      '6.18-rc3-amd64',
      '6.18-rc10-amd64',
      '6.18-amd64',
      '6.18.15+deb13-amd64',
      'vmlinux',
    ];
    expect(sorted.toReversed().sort(compareKernels)).toEqual(sorted);
  });
});
