// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { type LoadCalls, loadCalls } from '#analysis/libbpf/calls.ts';
import type { FileCheck } from '#analysis/libbpf/file-check.ts';
import type { BtfOrigin } from '#analysis/lint/kernel-btf.ts';
import { useActive } from '#store/session/hooks.ts';
import { activeFile, session } from '#store/session/session.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, record, variable } from '#testing/btf-types.ts';
import { find, fire, mount, press, unmountAll } from '#testing/mount.tsx';
import { openCheck } from '#testing/open-check.ts';
import { sampleBytes, sampleObject } from '#testing/samples.ts';
import { openInSession, selectionInSession } from '#testing/session.ts';
import { Calls } from './CallsPane.tsx';
import { CheckPanel } from './CheckView.tsx';
import { Origin } from './OriginPane.tsx';

afterEach(async () => {
  await unmountAll();
  session.setState({ files: [], panes: [] });
});

async function draw(name: string, bytes: Uint8Array = sampleBytes(name)) {
  const { model, check } = await openCheck(name, bytes);
  openInSession(model, 'check');
  return mount(<Here check={check} />);
}

function Here({ check }: { readonly check: FileCheck }) {
  const active = useActive();
  return active === null ? null : <CheckPanel active={active} check={check} />;
}

function HereCalls({ calls }: { readonly calls: LoadCalls }) {
  const active = useActive();
  return active === null ? null : <Calls active={active} calls={calls} />;
}

const click = (element: Element | undefined) => {
  if (element === undefined) throw new Error('nothing to click');
  return fire(element, new MouseEvent('click', { bubbles: true }));
};
const button = (host: Element, text: string | RegExp) =>
  [...host.querySelectorAll('button')].find((each) => each.textContent?.match(text) !== null);
const options = (host: Element) =>
  [...host.querySelectorAll('[role=option]')].map((option) => option.textContent);
const titles = (host: Element) => [...host.querySelectorAll('h2')].map((h2) => h2.textContent);

describe('an object straight from the compiler', () => {
  it('is accepted after fix-ups, and its problems are those as compiled', async () => {
    const host = await draw('exec_trace.bpf.o');
    expect(titles(host)).toEqual(['Linux 6.18 accepts this BTF', 'libbpf 1.8 accepts it']);
    expect(button(host, 'As loaded')?.getAttribute('aria-pressed')).toBe('true');
    await click(button(host, 'As compiled'));
    expect(button(host, 'As compiled')?.getAttribute('aria-pressed')).toBe('true');
    expect(button(host, 'As compiled')?.textContent).toContain('rejected: EINVAL, 4 problems');
    expect(options(host)).toHaveLength(5);
    expect(find(host, 'h3').textContent).toContain('[75] DATASEC .bss is 0');
  });

  it('shows the system calls, each step of the diagram with its card', async () => {
    const { model, source } = await sampleObject('xdp_counter.bpf.o');
    const calls = await loadCalls(model, source);
    if (calls === null) throw new Error('no calls');
    openInSession(model, 'check');
    const host = await mount(<HereCalls calls={calls} />);
    expect(find(host, 'h3[id]').textContent).toBe('BPF_BTF_LOAD');
    await click(button(host, 'BPF_PROG_LOAD'));
    expect(selectionInSession()).toMatchObject({ kind: 'insn' });
    expect(host.textContent).toContain('func_info_rec_size8');
    await click(button(host, 'BPF_BTF_GET_FD_BY_ID'));
    expect(find(host, 'h3[id]').textContent).toBe('BPF_BTF_GET_FD_BY_ID');
  });

  it("shows libbpf's fix-ups, and that no problem is left after them", async () => {
    const host = await draw('exec_trace.bpf.o');
    await click(button(host, 'libbpf applies'));
    expect(find(host, '[role=listbox]').getAttribute('aria-label')).toBe('Fix-ups');
    expect(options(host)[0]).toContain('[75]0 → 72');
    await press(find(host, '[role=listbox]'), 'ArrowDown');
    expect(find(host, 'h3').textContent).toContain('the place of kernel');
    expect(selectionInSession()).toMatchObject({ kind: 'bytes' });
    await click(button(host, 'As loaded'));
    expect(host.textContent).toContain('No problems left');
  });

  it('names the judge of a big-endian one', async () => {
    const host = await draw('kinds.be.bpf.o');
    expect(titles(host)[0]).toBe('Linux 6.18 on a big-endian machine accepts this BTF');
    expect(host.textContent).toContain('btf_header not found');
    expect(options(host).join()).not.toContain('btf_header not found');
  });
});

describe('a raw blob', () => {
  const broken = btfBlob({
    types: [
      int('int', 4),
      { ...int('a\u202eb', 4), kindFlag: true },
      { ...int('c', 4), kindFlag: true, vlen: 3 },
      record(2, { name: 'ptr', sizeOrType: 1 }),
    ],
  });

  it('has no loader steps', async () => {
    const host = await draw('kernel.btf');
    expect(host.querySelector('ol')).toBeNull();
    expect(host.textContent).toContain('82 types, the strings and the header');
  });

  it('links to the type that the kernel names', async () => {
    const host = await draw('a.btf', broken.bytes);
    expect(titles(host)).toEqual(['Linux 6.18 rejects this BTF', 'libbpf 1.8 accepts it']);
    const card = find(host, 'section');
    expect(card.textContent).toContain('type [2]');
    await click(card.querySelector('button') ?? undefined);
    expect(activeFile(session.getState())).toMatchObject({
      view: 'types',
      selection: { kind: 'type', type: 2 },
    });
  });

  it('selects the bytes of a problem, and shows them when asked', async () => {
    const host = await draw('a.btf', broken.bytes);
    const list = find(host, '[role=listbox]');
    await press(list, 'End');
    const selection = selectionInSession();
    expect(selection.kind).toBe('bytes');
    expect(activeFile(session.getState())?.view).toBe('check');
    await click(button(host, 'Show bytes'));
    expect(activeFile(session.getState())).toMatchObject({ view: 'bytes', selection });
  });

  it('groups by type or by rule, and escapes names', async () => {
    const host = await draw('a.btf', broken.bytes);
    await click(find(host, 'input[value=rule]'));
    expect(options(host)[0]).toContain('kind_flag is 0 for this kind.2 problems');
    await click(find(host, 'input[value=type]'));
    expect(options(host)[0]).toContain('a\\u{202e}b');
    expect(host.textContent).not.toContain('\u202e');
    await press(find(host, '[role=listbox]'), 'Home');
    expect(find(host, 'h3').textContent).toContain('type [2]');
  });

  it('filters by who refuses', async () => {
    const host = await draw('a.btf', broken.bytes);
    await click(find(host, 'input[value=libbpf]'));
    expect(host.querySelector('[role=option]')).toBeNull();
    expect(host.textContent).toContain('No problems');
  });
});

it('warns that split BTF is judged without its base', async () => {
  const host = await draw('module.btf');
  expect(host.textContent).toContain('Split BTF, checked without its base');
});

describe('the BTF of a kernel', () => {
  const origin: BtfOrigin = {
    encoder: {
      statement: 'Probably pahole 1.27 or later',
      signs: [{ found: '275 DECL_TAGs bpf_kfunc', tells: 'pahole 1.27 or later, decl_tag_kfuncs' }],
      advice: 'BTF does not tell more.',
    },
    readers: {
      needs: [
        {
          what: '22 ENUM64s',
          since: ['6.0', '1.0', '7.0', '1.24', '0.10', null],
          note: 'A note',
        },
      ],
      since: ['6.0', '1.0', '7.0', '1.24', '0.10', null],
    },
  };

  it('shows its encoder with the signs, and its readers as a table', async () => {
    const host = await mount(<Origin origin={origin} />);
    expect(titles(host)).toEqual(['Encoder: Probably pahole 1.27 or later', 'Readers']);
    expect(find(host, 'li').textContent).toBe(
      '275 DECL_TAGs bpf_kfunc: pahole 1.27 or later, decl_tag_kfuncs',
    );
    const cells = [...host.querySelectorAll('tbody tr > *')].map((cell) => cell.textContent);
    expect(cells).toEqual(['22 ENUM64s', '6.0', '1.0', '7.0', '1.24', '0.10', 'none', 'A note']);
  });

  it('has a link to its findings', async () => {
    const { model, check } = await openCheck('kernel.btf', sampleBytes('kernel.btf'));
    openInSession(model, 'check');
    session.setState(({ files }) => ({
      files: files.map((file) => ({
        ...file,
        findings: [
          {
            severity: 'warning' as const,
            code: 'btf.kfunc-implicit-argument',
            message: 'kfunc f still has its implicit argument aux',
            span: null,
            region: 'kernel.btf',
          },
        ],
      })),
    }));
    const host = await mount(<Here check={check} />);
    expect(host.textContent).toContain('1 finding in the types');
    expect(host.textContent).toContain('kfunc f still has its implicit argument aux');
    expect(host.textContent).not.toContain('No problems');
  });

  it('is beside the problems of BTF that the kernel rejects', async () => {
    const types = [int('int', 4), variable('v', 1, 7)];
    const host = await draw('a.btf', btfBlob({ types }).bytes);
    expect(options(host).length).toBeGreaterThan(0);
    await click(find(host, 'input[value=origin]'));
    expect(options(host)).toEqual([]);
  });
});
