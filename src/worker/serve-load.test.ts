/** Tests loading an object on a kernel, with the requests to both workers. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { LoadVerdict } from '#analysis/libbpf/load.ts';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { type LoadData, loadObject } from '#analysis/libbpf/open.ts';
import { needsOf } from '#analysis/needs/needs.ts';
import { sampleBytes, sampleModel, sampleNames, sampleObject } from '#testing/samples.ts';
import type { KernelFacts } from './load-answers.ts';
import type { FromWorker, Method, Methods, ToWorker } from './protocol.ts';
import { FileServer } from './serve.ts';

/** Starts a server with a file. Messages are cloned, as between the page and a worker. */
async function serve(name: string) {
  const answers: FromWorker[] = [];
  const server = new FileServer((message) => answers.push(structuredClone(message)));
  const ask = async <M extends Method>(
    method: M,
    params: Methods[M]['params'],
  ): Promise<Methods[M]['result']> => {
    await server.handle(structuredClone({ id: 1, method, params }) as ToWorker);
    const last = answers.at(-1);
    if (last?.kind !== 'ok') throw new Error(`${method} failed`);
    return last.value as Methods[M]['result'];
  };
  await ask('open', { name, file: new Blob([sampleBytes(name)]) });
  return ask;
}

async function opened(name: string): Promise<LoadData> {
  const ask = await serve(name);
  const { model, source } = await sampleObject(name);
  const sent = await ask('loadObject', null);
  if (sent === null) throw new Error(`${name} is no BPF object`);
  return { ...sent, model, core: (await loadObject(model, source)).core };
}

const facts = (given: Partial<KernelFacts> = {}): KernelFacts => ({
  files: [],
  isComplete: false,
  release: null,
  unameVersion: null,
  ...given,
});
let lastKey = 0;
const file = (name: string, content: string | Uint8Array<ArrayBuffer>, key = ++lastKey) => ({
  key,
  name,
  file: new Blob([content]),
});
const CONFIG = '#\n# Linux\n#\nCONFIG_HZ=250\nCONFIG_CGROUPS=y\n# CONFIG_NETFILTER is not set\n';
const KALLSYMS = 'ffffffff81000000 T schedule\n';

function outcomes({ outcome, stopsAt, programs, externs, undecided, reasons }: LoadVerdict) {
  return {
    outcome,
    stopsAt,
    reasons,
    undecided,
    programs: programs.map(({ program, ...rest }) => ({ ...rest, name: program.name })),
    externs: externs.map(({ extern, ...rest }) => ({ ...rest, name: extern.name })),
  };
}

describe('judgeLoad', () => {
  const objects = sampleNames().filter((name) => name.endsWith('.bpf.o'));

  it.each(objects)(
    'comes to the same on what was sent as on the object itself: %s',
    async (name) => {
      const { model, source } = await sampleObject(name);
      const kernel = await sampleModel('kernel.btf');
      const expected = judgeLoad(await loadObject(model, source), {
        name: 'kernel.btf',
        vmlinux: kernel.types,
        modules: null,
        config: null,
        kallsyms: null,
        release: null,
        unameVersion: null,
      });
      const ask = await serve('kernel.btf');
      const answer = await ask('judgeLoad', { object: await opened(name), facts: facts() });
      expect(answer && outcomes(answer.verdict)).toEqual(outcomes(expected));
    },
  );

  it('knows more with a configuration, symbols, a release and modules', async () => {
    const object = await opened('externs.bpf.o');
    const ask = await serve('kernel.btf');
    const open = (await ask('judgeLoad', { object, facts: facts() }))?.verdict;
    expect(open?.prepare).toBeNull();
    const files = [
      file('config.gz', new Uint8Array(gzipSync(CONFIG))),
      file('kallsyms', KALLSYMS),
      file('module.btf', sampleBytes('module.btf')),
    ];
    const known = await ask('judgeLoad', { object, facts: facts({ files, release: '6.1.7' }) });
    expect(known?.notes).toEqual([
      { kind: 'config' },
      { kind: 'kallsyms' },
      { kind: 'modules', names: ['module'] },
    ]);
    expect([known?.verdict.prepare, known?.verdict.undecided]).toEqual([0, []]);
    const hz = known?.verdict.externs.find(({ extern }) => extern.name === 'CONFIG_HZ');
    expect(hz?.value).toBe('250');
  });

  it('says why a file tells nothing of the kernel, and goes on without it', async () => {
    const object = await opened('externs.bpf.o');
    const ask = await serve('kernel.btf');
    const files = [
      file('other.btf', sampleBytes('kinds.btf')),
      file('notes.txt', 'nothing of a kernel\n'),
      file('config', CONFIG),
    ];
    const answer = await ask('judgeLoad', { object, facts: facts({ files }) });
    const [other, notes, config] = answer?.notes ?? [];
    expect(other).toMatchObject({ kind: 'refused', reason: expect.stringContaining('not split') });
    expect(notes).toMatchObject({ kind: 'refused' });
    expect(config).toEqual({ kind: 'config' });
  });

  it('reads a file of one key once', async () => {
    const object = await opened('externs.bpf.o');
    const ask = await serve('kernel.btf');
    const hz = async (key: number, text: string) => {
      const files = [file('config', text, key)];
      const answer = await ask('judgeLoad', { object, facts: facts({ files }) });
      return answer?.verdict.externs.find(({ extern }) => extern.name === 'CONFIG_HZ')?.value;
    };
    expect(await hz(-1, CONFIG)).toBe('250');
    expect(await hz(-1, CONFIG.replace('250', '100'))).toBe('250');
    expect(await hz(-2, CONFIG.replace('250', '100'))).toBe('100');
  });

  it('has no verdict where the file has no types', async () => {
    const ask = await serve('alpha_bits.ecoff');
    expect(await ask('loadObject', null)).toBeNull();
    const object = await opened('xdp_counter.bpf.o');
    expect(await ask('judgeLoad', { object, facts: facts() })).toBeNull();
  });
});

describe('needs', () => {
  it('come to the same as on the object itself, also on a kernel', async () => {
    const name = 'exec_trace.bpf.o';
    const { model, source } = await sampleObject(name);
    const expected = needsOf(await loadObject(model, source));
    const needs = await (await serve(name))('needs', null);
    expect(needs).toEqual(expected);
    if (needs === null) throw new Error('the object has needs');
    const object = await opened(name);
    const kernel = await serve('kernel.btf');
    const on = await kernel('needsOnKernel', { object, needs, facts: facts() });
    expect(on).toMatchObject({ kernel: 'kernel.btf', lacks: [] });
    expect(on?.unknown.map((need) => need.name)).toContain('sched_process_exec');
  });

  it('are null for a file that is no BPF object', async () => {
    expect(await (await serve('kernel.btf'))('needs', null)).toBeNull();
  });
});
