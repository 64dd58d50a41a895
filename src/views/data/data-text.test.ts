import { describe, expect, it } from 'vitest';
import { mapTypeAbout } from '#analysis/kernel/map-types.ts';
import { entryCalled, mapCalled, openData } from '#testing/sample-data.ts';
import { noData } from './DataTab.tsx';
import { externText, isWeakSymbol, undefinedSymbol } from './ExternDetail.tsx';
import { mapSource, pinningText } from './MapDetail.tsx';
import { isGplCompatible, sectionAbout, sectionText, versionText } from './SectionDetail.tsx';

describe('maps', () => {
  it('describes how a map is pinned, and the purpose of a type', () => {
    expect(pinningText(1n, 'hash')).toContain('/sys/fs/bpf/hash');
    expect(pinningText(0n, 'hash')).toBe('LIBBPF_PIN_NONE');
    expect(pinningText(7n, 'hash')).toContain('refuses');
    expect(mapTypeAbout('RINGBUF')).toContain('ring');
    expect(mapTypeAbout('no such type')).toBe('');
  });

  it('are written with the macros that made them', async () => {
    const { model, groups } = await openData('xdp_counter.bpf.o');
    if (model.types === null) throw new Error('no types');
    expect([...mapSource(model.types, mapCalled(groups, 'last_seen'))]).toEqual([
      'struct {',
      '\t__uint(type, BPF_MAP_TYPE_HASH);',
      '\t__uint(max_entries, 8192);',
      '\t__type(key, struct flow);',
      '\t__type(value, __u64);',
      '} last_seen SEC(".maps");',
    ]);
    expect([...mapSource(model.types, mapCalled(groups, 'next'))]).toEqual([
      'struct {',
      '\t__uint(type, BPF_MAP_TYPE_PROG_ARRAY);',
      '\t__uint(max_entries, 2);',
      '\t__uint(key_size, 4);',
      '\t__uint(value_size, 4);',
      '\t__array(values, int (void *));',
      '} next SEC(".maps") = {',
      '\t.values = {',
      '\t\t[0] = count_udp,',
      '\t},',
      '};',
    ]);
  });
});

describe('externs', () => {
  it.each([
    ['LINUX_KERNEL_VERSION', /KERNEL_VERSION\(a, b, c\)/, true],
    ['CONFIG_HZ', /number must fit/, true],
    ['CONFIG_CGROUPS', /y is stored as true/, true],
    ['CONFIG_NETFILTER', /TRI_MODULE/, false],
    ['CONFIG_DEFAULT_HOSTNAME', /up to 15 bytes/, null],
    ['schedule', /kallsyms/, null],
    ['init_task', /typed variable/, null],
    ['bpf_task_acquire', /kfunc/, true],
    ['bpf_no_such_kfunc', /kfunc/, false],
  ])('%s', async (name, from, isStrong) => {
    const { model, groups } = await openData('externs.bpf.o');
    const entry = entryCalled(groups, name);
    const group = groups.find(({ entries }) => entries.includes(entry));
    const isWeak = isWeakSymbol(model, undefinedSymbol(model, name));
    const words = externText(model.types, {
      name,
      section: group?.name ?? '',
      isFunction: entry.kind === 'func',
      type: entry.kind === 'variable' ? entry.variable.type : null,
      isWeak,
    });
    expect(words.from).toMatch(from);
    expect(words.missing).toContain(isWeak ? 'the object loads' : 'does not load');
    if (isStrong !== null) expect(isWeak).toBe(!isStrong);
  });
});

describe('sections', () => {
  it('say what libbpf makes of them', async () => {
    const { model, groups } = await openData('data_relocs.bpf.o');
    const words = (name: string) => {
      const group = groups.find((each) => each.name === name);
      if (group === undefined) throw new Error(`no section ${name}`);
      expect(sectionText(model, group).startsWith(sectionAbout(model, group))).toBe(true);
      return sectionText(model, group);
    };
    expect(words('.data')).toContain('array map whose one element');
    expect(words('.data.steps')).toContain('custom section');
    expect(words('.rodata.text')).toContain('frozen');
    expect(words('.bss.scratch')).toContain('.bss only');
    expect(words('.struct_ops.link')).toContain('STRUCT_OPS');
    expect(words('.rodata.str1.1')).toContain('String literals');
    expect(words('.maps')).toContain('Map definitions');
  });
});

it('accepts the licences that the kernel accepts', () => {
  expect(['GPL', 'Dual MIT/GPL', 'Dual BSD/GPL', 'GPL v2'].every(isGplCompatible)).toBe(true);
  expect(['gpl', 'MIT', 'Proprietary', 'GPLv2', ''].some(isGplCompatible)).toBe(false);
});

it('reads the version of a kernel', () => {
  expect(versionText(0x050400)).toContain('KERNEL_VERSION(5, 4, 0)');
  expect(versionText(0xffff_fffe)).toContain('running kernel');
});

it('gives the reason if there is no data', async () => {
  expect(noData((await openData('kernel.btf')).model).title).toBe('Types only, no values');
  expect(noData((await openData('module.distilled.ko')).model).text).toContain('DATASEC');
});
