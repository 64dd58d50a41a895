/** Tests the `.BTF_ids` sections of Debian's modules. */
import { describe, expect, it } from 'vitest';
import { BtfIdGroupType, btfIdGroupName, btfIdKind, btfIdName } from '#model/btf-ids.ts';
import { corpusModules, isLargeCorpus, readCorpusFile } from '#testing/corpus.ts';
import { openModel } from '#testing/open-model.ts';

const WITH_IDS = /^(6\.1\.0-56-amd64|6\.12\.117-(amd64|arm64))-nf_conntrack\.ko/;

const modules = corpusModules().filter(({ name }) => WITH_IDS.test(name) || /-veth\.ko/.test(name));

describe('modules of the corpus', () => {
  it.skipIf(!isLargeCorpus)('are there', () => {
    expect(modules.filter(({ name }) => WITH_IDS.test(name))).toHaveLength(3);
  });

  it.each(modules.map((module) => [module.name, module] as const))('%s', async (name, module) => {
    const { btfIds, issues } = await openModel(name, readCorpusFile(module));
    expect(issues.filter((issue) => issue.region === '.BTF_ids')).toEqual([]);
    if (!WITH_IDS.test(name)) {
      expect(btfIds.count).toBe(0);
      return;
    }
    const { groups } = btfIds;
    expect([...groups.type]).toEqual([BtfIdGroupType.list, BtfIdGroupType.set8]);
    expect([...groups.cnt]).toEqual([2, 10]);
    const rows = Array.from({ length: btfIds.count }, (_, row) => row);
    expect(
      rows.slice(0, 2).map((row) => `${btfIdKind(btfIds, row)} ${btfIdName(btfIds, row)}`),
    ).toEqual(['struct nf_conn', 'struct nf_conn___init']);
    const kfuncs = rows.slice(2);
    expect(new Set(kfuncs.map((row) => btfIdGroupName(btfIds, row)))).toEqual(
      new Set(['nf_ct_kfunc_set']),
    );
    // The module itself defines the kernel functions, so that its BTF has their names.
    expect(kfuncs.map((row) => btfIdName(btfIds, row)).sort()).toEqual([
      'bpf_ct_change_status',
      'bpf_ct_change_timeout',
      'bpf_ct_insert_entry',
      'bpf_ct_release',
      'bpf_ct_set_status',
      'bpf_ct_set_timeout',
      'bpf_skb_ct_alloc',
      'bpf_skb_ct_lookup',
      'bpf_xdp_ct_alloc',
      'bpf_xdp_ct_lookup',
    ]);
    // KF_ACQUIRE is 1 and KF_RELEASE is 2 (include/linux/btf.h).
    const flagsOf = (kfunc: string) =>
      btfIds.flags[kfuncs.find((row) => btfIdName(btfIds, row) === kfunc) ?? -1] ?? 0;
    expect(flagsOf('bpf_xdp_ct_alloc') & 3).toBe(1);
    expect(flagsOf('bpf_ct_release') & 3).toBe(2);
    expect(flagsOf('bpf_ct_insert_entry') & 3).toBe(3);
    expect(flagsOf('bpf_ct_set_status') & 3).toBe(0);
  });
});
