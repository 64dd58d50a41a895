/** Compares the library with the command. Other tests compare the command with other tools. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tarFile } from '#testing/archives.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct, union } from '#testing/btf-types.ts';
import { JsonRow } from '#testing/json-row.ts';
import { runCommand } from '#testing/run-command.ts';
import { sampleBytes } from '#testing/samples.ts';
import { atlasBytes } from '#testing/small-atlas.ts';
import {
  attachPoints,
  compare,
  compareType,
  coreRecords,
  cText,
  declarationText,
  decode,
  disassemblyLines,
  explain,
  jsonText,
  lint,
  listMembers,
  load,
  Malformed,
  maps,
  needs,
  type ObjectFile,
  open,
  paholeText,
  rawText,
  relocations,
  resolveCore,
  type Type,
} from './main.ts';

async function openSample(name: string, base?: ObjectFile): Promise<ObjectFile> {
  return await open(sampleBytes(name), { name, ...(base && { base }) });
}

async function printed(...words: string[]): Promise<string> {
  const { out, status } = await runCommand(words);
  expect(status).toBe(0);
  return out;
}

async function rows(...words: string[]): Promise<unknown> {
  return JSON.parse(await printed(...words));
}

function named(file: ObjectFile, name: string): Type {
  const type = file.types.find(name);
  if (type === null) throw new Error(`no type is named ${name}`);
  return type;
}

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Malformed) return error.issue.code;
    throw error;
  }
  return 'none';
}

describe('open', () => {
  it('takes bytes, an ArrayBuffer, a Blob and a source of ranges', async () => {
    const bytes = sampleBytes('kernel.btf');
    const source = {
      name: 'k',
      size: bytes.length,
      read: async (start: number, end: number) => bytes.slice(start, end),
    };
    const inputs = [bytes, bytes.slice().buffer, new Blob([bytes]), new File([bytes], 'k'), source];
    const opened = await Promise.all(inputs.map((input) => open(input)));
    expect(opened.map(({ name }) => name)).toEqual(['file', 'file', 'file', 'k', 'k']);
    for (const { types } of opened) expect(types.count).toBe(82);
  });

  it('tells what kind of file it is', async () => {
    const { format, machine, endian, sections, hasTypes } = await openSample('layout.be.bpf.o');
    expect([format, machine, endian, hasTypes]).toEqual(['ELF', 'EM_BPF', 'big', true]);
    expect(sections.find(({ name }) => name === '.BTF')?.type).toBe('PROGBITS');
    expect((await openSample('alpha_data.ecoff')).format).toBe('eCOFF');
  });

  it('refuses with a code', async () => {
    expect(await refusal(open(new Uint8Array(4)))).toBe('file.unknown');
    const ecoff = await openSample('alpha_data.ecoff');
    expect(ecoff.hasTypes).toBe(false);
    expect(await refusal(Promise.resolve().then(() => ecoff.types))).toBe('btf.none');
    expect(await refusal(load(await openSample('kernel.btf'), null))).toBe('load.no-object');
    expect(await refusal(needs(await openSample('kernel.btf')))).toBe('needs.no-object');
    const atlas = await atlasBytes({ k: sampleBytes('kernel.btf') });
    expect(await refusal(open(atlas))).toBe('file.atlas');
  });

  it('opens members of archives, nested ones too', async () => {
    const inner = tarFile({ 'a.btf': sampleBytes('kernel.btf') });
    const outer = tarFile({ 'inner.tar': inner, 'readme.txt': new Uint8Array(3) });
    expect((await listMembers(outer)).map(({ name }) => name)).toContain('inner.tar');
    const { name, types } = await open(outer, { member: ['inner.tar', 'a.btf'] });
    expect([name, types.count]).toEqual(['a.btf', 82]);
    expect(await refusal(open(outer))).toBe('archive.no-member-chosen');
    expect(await refusal(open(outer, { member: 'b.btf' }))).toBe('archive.no-such-member');
  });

  it('reads split BTF on its base, and refuses another one', async () => {
    const kernel = await openSample('kernel.btf');
    const { types } = await openSample('module.btf', kernel);
    expect([types.isSplit, types.firstId, types.base]).toEqual([true, 83, kernel.types]);
    expect(types.find('task_struct')?.id).toBe(3);
    const other = await openSample('kinds.btf');
    expect(await refusal(openSample('module.btf', other))).toMatch(/^btf\./);
  });
});

describe('types', () => {
  it('have the members, sizes and places that their declaration has', async () => {
    const bytes = btfBlob({
      types: [
        int('int', 4),
        struct('outer', 24, [
          { name: 'a', type: 1, bitOffset: 0 },
          { name: '', type: 3, bitOffset: 32 },
          { name: 'in', type: 4, bitOffset: 64 },
        ]),
        union('', 4, [{ name: 'b', type: 1, bitOffset: 0 }]),
        struct('inner', 16, [
          { name: 'x', type: 1, bitOffset: 0 },
          { name: 'y', type: 1, bitOffset: 64 },
        ]),
      ],
    }).bytes;
    const outer = named(await open(bytes), 'outer');
    expect([outer.kind, outer.size, outer.key, `${outer}`]).toEqual([
      'struct',
      24,
      'struct:outer',
      'struct outer',
    ]);
    expect(outer.members.map(({ name, byteOffset }) => [name, byteOffset])).toEqual([
      ['a', 0],
      ['', 4],
      ['in', 8],
    ]);
    expect(outer.member('b')?.bitOffset).toBe(32);
    const y = outer.member('in.y');
    expect([y?.name, y?.bitOffset, y?.bitSize, `${y?.type}`]).toEqual(['y', 128, 32, 'int']);
    expect(outer.member('in.z')).toBeNull();
    expect(outer.member('a.b')).toBeNull();
    const { rows: placed, holeBits, paddingBits } = named(await open(bytes), 'inner').layout;
    expect(placed.map(({ kind, bitOffset }) => [kind, bitOffset])).toEqual([
      ['member', 0],
      ['hole', 32],
      ['member', 64],
      ['padding', 96],
    ]);
    expect([holeBits, paddingBits]).toEqual([32, 32]);
  });

  it('say what they refer to', async () => {
    const kernel = await openSample('kernel.btf');
    const func = named(kernel, 'do_exit');
    expect([func.kind, func.params.length, `${func.returns}`]).toEqual(['func', 1, 'void']);
    const pid = named(kernel, 'pid_t');
    expect([pid.bare.name, pid.bare.int?.isSigned, pid.bare.int?.bits]).toEqual(['int', true, 32]);
    expect(named(kernel, 'pid_type').enumerators[0]?.value).toBe(0n);
    expect([kernel.types.get(0)?.kind, kernel.types.get(83)]).toEqual(['void', null]);
  });

  it('of every file are as many as the command counts, by kind', async () => {
    for (const name of ['kinds_2026.btf', 'kernel.btf', 'exec_trace.bpf.o']) {
      const counts: Record<string, number> = {};
      for (const { kind } of (await openSample(name)).types) {
        counts[kind.toUpperCase()] = (counts[kind.toUpperCase()] ?? 0) + 1;
      }
      expect(await rows('info', name, '--json')).toMatchObject({ types: { kinds: counts } });
    }
  });
});

describe('texts are those of the command', () => {
  const file = 'exec_trace.bpf.o';

  it('of all types', async () => {
    const { types } = await openSample(file);
    expect(cText(types)).toBe(await printed('c', file));
    expect(cText(types, { unsorted: true })).toBe(await printed('c', file, '--unsorted'));
    expect(rawText(types)).toBe(await printed('raw', file));
    expect(jsonText(types)).toBe(await printed('json', file));
    expect(paholeText(types)).toBe(await printed('pahole', file));
  });

  it('of one type', async () => {
    const type = named(await openSample(file), 'task_struct');
    const id = `${type.id}`;
    expect(cText(type)).toBe(await printed('c', file, '--type', 'task_struct'));
    expect(cText(type, { members: ['tgid'] })).toBe(
      await printed('c', file, '--type', 'task_struct', '--member', 'tgid'),
    );
    expect(`${rawText(type)}\n`).toBe(await printed('raw', file, '--root-id', id));
    expect(jsonText(type)).toBe(await printed('json', file, '--root-id', id));
    expect(paholeText(type)).toBe(await printed('pahole', file, '--type', 'task_struct'));
    expect(await printed('c', file, '--type', 'task_struct')).toContain(declarationText(type));
  });

  it('of code', async () => {
    let text = '';
    for await (const line of disassemblyLines(await openSample(file))) text += `${line}\n`;
    expect(text).toBe(await printed('disasm', file));
  });
});

describe('relocations', () => {
  it.each(['data_relocs.bpf.o', 'externs.be.bpf.o'])(
    'of %s are those of the command',
    async (name) => {
      const all = [...relocations(await openSample(name))];
      const shown = all.map(({ section, index, typeName, symbol, target }) => ({
        section,
        index,
        type_name: typeName,
        symbol,
        target,
      }));
      expect(await rows('relocs', name, '--json')).toMatchObject(shown);
      const code = [...relocations(await openSample(name), '.data')];
      expect(code).toEqual(all.filter(({ section }) => section === '.data'));
    },
  );
});

describe('CO-RE', () => {
  it('results are those of the command', async () => {
    const object = await openSample('exec_trace.bpf.o');
    const results = await resolveCore(object, await openSample('kernel.btf'));
    expect(results.map(({ record }) => record.index)).toEqual(
      [...coreRecords(object)].map(({ index }) => index),
    );
    const shown = results.map(({ record, before, reason }) => ({
      kind: record.kind,
      access_str: record.access,
      insn_off: record.insnOffset,
      local_type_id: record.root.id,
      orig_val: `${before}`,
      reason,
    }));
    expect(
      await rows('core', 'exec_trace.bpf.o', '--target', 'kernel.btf', '--json'),
    ).toMatchObject(shown);
    const bad = results.find(({ state }) => state === 'poisoned');
    expect([bad?.after, bad?.target]).toEqual([null, null]);
    const log = await printed('core', 'exec_trace.bpf.o', '--target', 'kernel.btf', '--log');
    expect(results.flatMap((result) => result.log).join('\n')).toBe(log.trimEnd());
  });

  it('searches modules of the kernel, and takes no others', async () => {
    const kernel = await openSample('kernel.btf');
    const object = await openSample('exec_trace.bpf.o');
    const module = await openSample('module.btf', kernel);
    expect(await resolveCore(object, kernel, { modules: [module] })).toHaveLength(34);
    const stranger = await openSample('module.btf', await openSample('kernel.btf'));
    expect(await refusal(resolveCore(object, kernel, { modules: [stranger] }))).toBe(
      'module.other-base',
    );
  });

  it('needs are those of the command', async () => {
    const found = await needs(await openSample('exec_trace.bpf.o'));
    const { sentence, version, lacking, required, optional } = found;
    expect(await rows('needs', 'exec_trace.bpf.o', '--json')).toMatchObject({
      ...{ sentence, version, lacking, required, optional, needs_btf: found.needsBtf },
    });
    expect(version).toBe('5.8');
  });

  it('attach points are those of the command', async () => {
    const kernel = await openSample('kernel.btf');
    const name = 'vfs_read';
    const { prototype, module, inlined, points } = attachPoints(name, kernel, { modules: [] });
    const words = ['--kernel', 'kernel.btf', '--module', 'none', '--json'];
    expect(await rows('attach', name, ...words)).toMatchObject([
      {
        ...{ prototype, module, inlined },
        points: points.map(({ reasons, ...point }) => ({
          ...point,
          reasons: reasons.map(({ isSure, dependsOn, ...reason }) => ({
            ...reason,
            sure: isSure,
            depends_on: dependsOn,
          })),
        })),
      },
    ]);
    const [fentry, ...others] = points;
    expect(fentry).toMatchObject({ kind: 'fentry', answer: 'refused' });
    const kprobe = others.find(({ kind }) => kind === 'kprobe');
    expect(kprobe?.reasons).toMatchObject([{ isSure: false, dependsOn: 'kallsyms' }]);
  });

  it('load verdicts are those of the command', async () => {
    const kernel = await openSample('kernel.btf');
    const verdict = await load(await openSample('xdp_counter.bpf.o'), kernel, { modules: [] });
    const { outcome, stopsAt: stops_at, warnings, programs, undecided } = verdict;
    const words = ['--kernel', 'kernel.btf', '--module', 'none', '--json', '--fail-on', 'never'];
    expect(await rows('load', 'xdp_counter.bpf.o', ...words)).toMatchObject({
      outcome,
      stops_at,
      warnings,
      programs,
      undecided,
    });
    const without = await load(await openSample('exec_trace.bpf.o'), null);
    expect(without.outcome).toBe('fails');
    const open = await load(await openSample('exec_trace.bpf.o'), kernel);
    const [reason] = open.programs.flatMap(({ reasons }) => reasons);
    expect(reason).toMatchObject({ outcome: 'may-fail', dependsOn: 'modules' });
    expect(reason).not.toHaveProperty('depends_on');
  });
});

describe('comparisons', () => {
  it('are those of the command', async () => {
    const before = await openSample('exec_trace.bpf.o');
    const after = await openSample('kernel.btf');
    const { types, same } = compare(before.types, after.types);
    const shown = types.map(({ state, kind, name, before: a, after: b }) => ({
      state,
      kind,
      name,
      id_before: a?.id ?? null,
      id_after: b?.id ?? null,
    }));
    const facts = await rows('diff', 'exec_trace.bpf.o', 'kernel.btf', '--json');
    expect(facts).toMatchObject({ same, types: shown });
    expect(types.length).toBeGreaterThan(0);
  });

  it('of a type name each member that differs', async () => {
    const task = named(await openSample('exec_trace.bpf.o'), 'task_struct');
    const { verdict, changes, lines } = compareType(
      task,
      named(await openSample('kernel.btf'), 'task_struct'),
    );
    expect(verdict).toBe('changed');
    expect(changes).toEqual(['size 72 → 176']);
    expect(lines.find(({ after }) => after?.startsWith('pid_t tgid'))?.placeAfter).toBe('0x5c');
    expect(compareType(task, task)).toEqual({ verdict: 'same', changes: [], lines: [] });
  });
});

describe('values', () => {
  it('of maps are decoded by the type that the object gives', async () => {
    const all = await maps(await openSample('xdp_counter.bpf.o'));
    expect(all.map(({ name, mapType }) => [name, mapType?.replace('BPF_MAP_TYPE_', '')])).toEqual([
      ['next', 'PROG_ARRAY'],
      ['protocols', 'PERCPU_ARRAY'],
      ['last_seen', 'HASH'],
      ['verdict', 'ARRAY'],
    ]);
    const flow = all[2]?.key;
    if (flow == null) throw new Error('last_seen has no key');
    const bytes = Uint8Array.from([127, 0, 0, 1, 10, 0, 0, 2, 17, 0, 0, 0]);
    const value = decode(flow, bytes, { endian: 'big' });
    expect([value.kind, value.value, value.part('protocol')?.value]).toEqual(['struct', null, 17n]);
    expect([...value.parts()].map(({ name }) => name)).toEqual(['saddr', 'daddr', 'protocol']);
    expect(JSON.parse(value.toJson())).toEqual({
      saddr: 2130706433,
      daddr: 167772162,
      protocol: 17,
    });
    expect(value.toC()).toContain('\t.protocol = 17,\n');
    expect(decode(flow, bytes.subarray(0, 4)).part('daddr')?.kind).toBe('truncated');
    const verdict = all[3]?.value;
    expect(verdict && decode(verdict, Uint8Array.from([2, 0, 0, 0])).names).toEqual(['XDP_PASS']);
  });
});

describe('issues', () => {
  it('of opening and of a closer look have a code and a place', async () => {
    const bytes = sampleBytes('layout.bpf.o');
    const cut = await open(bytes.subarray(0, bytes.length - 200));
    expect(cut.issues.map(({ code }) => code)).toContain('elf.section-headers-past-end');
    expect(await lint(await openSample('kinds_2026.btf'))).toContainEqual(
      expect.objectContaining({ code: 'btf.reference-to-unknown-kind', severity: 'note' }),
    );
  });
});

describe('explain', () => {
  it('gives what the command prints', async () => {
    const log = readFileSync(`${import.meta.dirname}/../../docs/examples/refused.log`);
    const path = `${import.meta.dirname}/../../testdata/verifier/null_lookup.o`;
    const object = await open(readFileSync(path), { name: 'null_lookup.o' });
    const [found, ...others] = await explain(log, { object });
    const files = new Map([
      ['a.log', new Uint8Array(log)],
      ['a.o', new Uint8Array(readFileSync(path))],
    ]);
    const { out } = await runCommand(['explain', 'a.log', '--object', 'a.o', '--json'], files);
    const row = JsonRow.parse(out);
    expect(others).toEqual([]);
    expect(found?.error).toEqual(Object.fromEntries(row.row('error').fields));
    expect(found?.chain.map(({ insn }) => insn)).toEqual(row.numbers('chain'));
    expect([found?.cause, found?.fix]).toEqual([row.text('cause'), row.text('fix')]);
    expect(found?.patch).toContain('+\tif (!count)');
    expect(found?.type?.name).toBe('unsigned long long');
    const alone = await explain(log.toString());
    expect(alone.map(({ verdict, type }) => [verdict, type])).toEqual([['rejected', null]]);
    expect(await explain('')).toMatchObject([{ verdict: 'unknown', error: null, lines: [] }]);
  });
});
