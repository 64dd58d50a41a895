import { describe, expect, it } from 'vitest';
import { ourLines } from '#testing/clang-types.ts';
import { headerOf } from './headers.ts';
import { parseDeclarations } from './parse.ts';

async function linesOf(text: string): Promise<string> {
  const { declared, problems, layouts } = parseDeclarations(text);
  expect(problems, text).toEqual([]);
  return (await ourLines(declared, layouts)).join('\n');
}

const MAP = 'struct { __uint(type, BPF_MAP_TYPE_HASH); __type(key, u32); } m SEC(".maps");';

describe('headers of libbpf 1.8', () => {
  it.each(['bpf_tracing.h', 'bpf_core_read.h', 'usdt.bpf.h'])('%s has bpf_helpers.h', (name) => {
    const { problems } = parseDeclarations(`#include "vmlinux.h"\n#include <bpf/${name}>\n${MAP}`);
    expect(problems).toEqual([]);
  });

  it('are read once, by either path', () => {
    const text = '#include <bpf/bpf_helpers.h>\n#include "bpf_helpers.h"\n';
    expect(parseDeclarations(text).problems).toEqual([]);
  });

  it.each([
    ['', "VAR 'f.____fmt'"],
    ['#define BPF_NO_GLOBAL_DATA\n', null],
  ])('bpf_printk after %j', async (define, variable) => {
    const text = `${define}#include <bpf/bpf_helpers.h>\nint f(void) { bpf_printk("%d", 1); return 0; }`;
    const lines = await linesOf(text);
    if (variable === null) expect(lines).not.toContain('VAR');
    else expect(lines).toContain(variable);
  });

  it.each([
    ['BPF_SEQ_PRINTF(seq, "%d", 1)', "VAR 'f.___fmt'"],
    ['BPF_SNPRINTF(out, 4, "%d", 1)', "VAR 'f.___fmt'"],
    ['int i; bpf_for(i, 0, 4) { }', "FUNC 'bpf_iter_num_next'"],
    ['bpf_repeat(4) { }', "FUNC 'bpf_iter_num_destroy'"],
    ['int *i; bpf_for_each(num, i, 0, 4) { }', "FUNC 'bpf_iter_num_new'"],
    ['bpf_core_cast(seq, struct s)', "FUNC 'bpf_rdonly_cast'"],
  ])('%s names its variables and kfuncs', async (code, record) => {
    const headers = '#include <bpf/bpf_helpers.h>\n#include <bpf/bpf_core_read.h>\n';
    const lines = await linesOf(`${headers}int f(void *seq, char *out) { ${code}; return 0; }`);
    expect(lines).toContain(record);
  });

  it('usdt.bpf.h has its maps, functions and the extern', async () => {
    const lines = await linesOf(
      '#include "vmlinux.h"\n#include <bpf/usdt.bpf.h>\nSEC("usdt") int BPF_USDT(f, int a) { return a; }',
    );
    for (const record of [
      "VAR '__bpf_usdt_specs'",
      "VAR '__bpf_usdt_ip_to_spec_id'",
      "FUNC 'bpf_usdt_arg'",
      "VAR 'LINUX_HAS_BPF_COOKIE'",
    ])
      expect(lines).toContain(record);
  });

  it('BPF_PROG2 takes types and names in turn', async () => {
    const text =
      '#include <bpf/bpf_tracing.h>\nint BPF_PROG2(f, int, a, char, b) { return a + b; }';
    expect(await linesOf(text)).toContain("FUNC 'f'");
  });
});

describe('headers of Linux and the C library', () => {
  it.each(['linux/bpf.h', 'linux/if_ether.h', 'linux/ip.h', 'linux/ipv6.h', 'linux/tcp.h'])(
    '%s declares its types',
    (path) => {
      const { problems, notes } = parseDeclarations(
        `#include <${path}>\n#include <uapi/${path}>\n`,
      );
      expect([...problems, ...notes]).toEqual([]);
    },
  );

  it('have the structs that programs point at', async () => {
    const text = `#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/in.h>
char mac[ETH_ALEN]; struct iphdr ip; __aligned_u64 wide;
int f(struct xdp_md *ctx) { return IPPROTO_TCP; }`;
    const lines = await linesOf(text);
    expect(lines).toContain("STRUCT 'xdp_md' size=24 vlen=6");
    expect(lines).toContain("STRUCT 'iphdr' size=20");
    expect(lines).toContain('nr_elems=6');
  });

  it('leave out what the other one has declared', () => {
    const text = '#include <linux/in.h>\n#include <netinet/in.h>\n#include <arpa/inet.h>\n';
    expect(parseDeclarations(text).problems).toEqual([]);
  });

  it('vmlinux.h defines __VMLINUX_H__', () => {
    const text = '#include "vmlinux.h"\n#ifndef __VMLINUX_H__\n#error no\n#endif\n';
    expect(parseDeclarations(text).problems).toEqual([]);
  });

  it('are not found for another name', () => {
    expect(headerOf('linux/nothing.h')).toBeNull();
    expect(headerOf('types.h')).toBeNull();
  });
});
