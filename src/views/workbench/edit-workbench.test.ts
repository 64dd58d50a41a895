import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { textKey } from '#analysis/links/packed.ts';
import { findTypeKey } from '#analysis/types/type-key.ts';
import { EXAMPLES } from '#analysis/workbench/examples.ts';
import { compileDeclarations } from '#analysis/workbench/workbench.ts';
import { typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { typeSelection } from '#model/selection.ts';
import { memberAt, membersOf } from '#model/type-items.ts';
import { nameOf } from '#model/type-table.ts';
import { followAddress } from '#store/address/follow-link.ts';
import { currentAddress, select, showView } from '#store/address/navigation.ts';
import { bytesNow, readBytes } from '#store/session/bytes-cache.ts';
import { closeFile, openFile } from '#store/session/files.ts';
import { activeFileNow, baseChoice, type OpenFile, session } from '#store/session/session.ts';
import { ViewState } from '#store/session/view-state.ts';
import { viewsOf } from '#store/session/views.ts';
import { openFilesInPage } from '#testing/in-page-worker.ts';
import { editWorkbench, openWorkbench, startOver } from './edit-workbench.ts';
import { workbenchOf } from './workbench-state.ts';

const kept = new Map<string, string>();

/** Waits until `check` passes, for longer than a busy machine needs. */
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 15_000 });
vi.setConfig({ testTimeout: 60_000 });

beforeEach(() => {
  openFilesInPage();
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

afterEach(() => {
  for (const { id } of session.getState().files) closeFile(id);
  session.setState({ wanted: null, panes: [] });
  vi.unstubAllGlobals();
});

const active = (): OpenFile => {
  const file = activeFileNow();
  if (file === null) throw new Error('no file is looked at');
  return file;
};

const model = (): ObjectModel => {
  const { status } = active();
  if (status.step !== 'ready') throw new Error(`the file is ${status.step}`);
  return status.model;
};

const names = () => {
  const { types } = model();
  return types === null
    ? []
    : Array.from({ length: types.count }, (_, i) => nameOf(types, typeId(i + 1))).filter(
        (name) => name !== '',
      );
};

const idOf = (kind: string, name: string) => {
  const { types } = model();
  const id = types && findTypeKey(types, { kind, name, ordinal: 0 });
  if (id === null) throw new Error(`no ${kind} ${name}`);
  return id;
};

const memberNames = (name: string) => {
  const { types } = model();
  return types === null ? [] : membersOf(types, idOf('struct', name)).map((member) => member.name);
};

const type = (text: string) => editWorkbench(active().id, { text });
const workbench = () => workbenchOf(active().id);

/** Waits until the address and the stored text are updated. */
const rested = async () => {
  const before = active().declarationsKey;
  await until(() => expect(active().declarationsKey).not.toBe(before));
};

/** Returns the file of a kernel with three types. */
function kernelFile(name: string, member: string): File {
  const text = `enum bpf_map_type { BPF_MAP_TYPE_HASH = 1 }; struct task_struct { int ${member}; };
typedef struct { int counter; } atomic_t;`;
  return new File([new Uint8Array(compileDeclarations(text, 'little').btf)], name);
}

describe('vmlinux.h', () => {
  const text = '#include "vmlinux.h"\nstruct mine { atomic_t a; };\nstruct task_struct *t;';

  it('has the types of the newest open kernel, and those of another when that is closed', async () => {
    await openFile(kernelFile('vmlinux-6.1', 'old'), { activate: false });
    const newest = await openFile(kernelFile('vmlinux-6.12', 'new'), { activate: false });
    await openWorkbench();
    await type(text);
    expect(workbench()?.problems).toEqual([]);
    expect(workbench()?.notes.map(({ message }) => message)).toContain(
      'vmlinux.h has the types of vmlinux-6.12',
    );
    expect(memberNames('task_struct')).toEqual(['new']);
    expect(memberNames('mine')).toEqual(['a']);
    closeFile(newest);
    await until(() => expect(memberNames('task_struct')).toEqual(['old']));
  });

  it('says what to open where there is no kernel', async () => {
    await openWorkbench();
    await type('#include "vmlinux.h"\nstruct mine { u32 a; };');
    expect(workbench()?.notes[0]?.message).toContain('open the BTF of a kernel');
  });
});

describe('the workbench', () => {
  it('begins with the first example, as a file with all views', async () => {
    await openWorkbench();
    expect(active()).toMatchObject({ name: 'workbench.btf', view: 'workbench' });
    expect(workbench()).toMatchObject({ text: EXAMPLES[0].text, problems: [], changes: null });
    expect(names()).toContain('event');
    expect(viewsOf(model())[0]).toBe('workbench');
    expect(session.getState().status).toMatch(/^Opened workbench.btf: 14 types/);
  });

  it('exists once: opening it again returns to it', async () => {
    await openWorkbench();
    showView('types');
    session.setState({ panes: [] });
    await openWorkbench();
    expect(session.getState().files).toHaveLength(1);
    expect(active().view).toBe('workbench');
  });

  it('announces the result, unless another file is active', async () => {
    await openWorkbench();
    const { id, declarationsKey } = active();
    const told = () => session.getState().status;
    await type('struct one { int a; };');
    await until(() => expect(told()).toMatch(/^Compiled to /));
    await type('struct two { int a; int b; };');
    session.setState({ panes: [], status: 'Opened another' });
    const keyOf = () => session.getState().files.find((file) => file.id === id)?.declarationsKey;
    const before = keyOf();
    expect(before).not.toBe(declarationsKey);
    await until(() => expect(keyOf()).not.toBe(before));
    expect(told()).toBe('Opened another');
  });

  it('continues at the last step in a later visit', async () => {
    await openWorkbench();
    await editWorkbench(active().id, { text: 'struct mine { int a; };', endian: 'big' });
    await rested();
    closeFile(active().id);
    await openWorkbench();
    expect(workbench()).toMatchObject({ text: 'struct mine { int a; };', endian: 'big' });
    expect(model().endian).toBe('big');
  });

  it.each(['{', '{"text":7}', '"x"', 'null', `{"text":"${'a'.repeat(1_000_001)}"}`])(
    'begins anew where %.20s was kept',
    async (text) => {
      kept.set('btfscope-workbench', text);
      await openWorkbench();
      expect(workbench()?.text).toBe(EXAMPLES[0].text);
    },
  );

  it('works without browser storage', async () => {
    vi.stubGlobal('localStorage', undefined);
    await openWorkbench();
    await type('struct s { int a; };');
    await rested();
    expect(names()).toContain('s');
  });
});

describe('typing', () => {
  it('compiles the last text, however fast they come', async () => {
    await openWorkbench();
    const texts = Array.from({ length: 20 }, (_, i) => `struct s${i} { int a; };`);
    await Promise.all(texts.map(type));
    await until(() => expect(names()).toContain('s19'));
    expect(names()).not.toContain('s18');
  });

  it('gives other views the new bytes, and invalidates the old', async () => {
    await openWorkbench();
    const { id } = active();
    const { reading } = baseChoice(active());
    bytesNow(id, 0, 16);
    await until(() => expect(bytesNow(id, 0, 1000)).not.toBeNull());
    await type('struct other { long a; };');
    expect(baseChoice(active()).reading).toBe(reading + 1);
    bytesNow(id, 0, 16);
    const now = await readBytes(id, 0, 1000);
    await until(() => expect(bytesNow(id, 0, 1000)).toEqual(now));
    expect(active().size).toBe(now.length);
  });

  it('with a problem keeps the last good state, and names the place', async () => {
    await openWorkbench();
    await type('struct s { int a; };');
    await type('struct s { int a; foo b; };');
    expect(workbench()).toMatchObject({
      text: 'struct s { int a; foo b; };',
      places: null,
      problems: [{ message: 'foo is not a known type', start: 18, end: 21 }],
    });
    expect(names()).toEqual(['s', 'int']);
    await type('struct s { int a; int b; };');
    expect(workbench()?.problems).toEqual([]);
  });

  it('more than 1,000,000 bytes are refused in words', async () => {
    await openWorkbench();
    await type(`// ${'x'.repeat(1_000_000)}`);
    expect(workbench()?.problems[0]?.message).toMatch(/^the files have more than 1000000 bytes/);
    expect(names()).toContain('event');
  });

  it('marks new lines', async () => {
    await openWorkbench();
    await type('struct s { int a; };');
    await type('struct s { int a; int b; };');
    const { changes, changeCount } = workbench() ?? {};
    expect(changes?.types.get(idOf('struct', 's'))).toBe('changed');
    await type('struct s { int a;  int b; };');
    expect(workbench()).toMatchObject({ changes, changeCount });
  });

  it('another example is not a change, and clears the selection', async () => {
    await openWorkbench();
    select(typeSelection(idOf('struct', 'event')));
    await startOver(active().id, 'struct other { int a; };');
    expect(workbench()?.changes).toBeNull();
    expect(active().selection.kind).toBe('none');
  });

  it('an empty text has no types', async () => {
    await openWorkbench();
    await type('');
    expect(model().types?.count).toBe(0);
    expect(workbench()?.problems).toEqual([]);
  });
});

describe('what views keep', () => {
  const ofTypes = new ViewState('test-of-types', { type: 0 }, { ofModel: true });
  const ofTexts = new ViewState('test-of-texts', { text: '' });

  it('begins anew where it holds ids of types, which an edit gives to others', async () => {
    await openWorkbench();
    ofTypes.set({ type: 2 });
    ofTexts.set({ text: 'a log' });
    expect(ofTypes.of(active())).toEqual({ type: 2 });
    const before = model();
    await type('struct one { int a; };');
    await until(() => expect(model()).not.toBe(before));
    expect(ofTypes.of(active())).toEqual({ type: 0 });
    expect(ofTexts.of(active())).toEqual({ text: 'a log' });
    ofTypes.set({ type: 1 });
    expect(ofTypes.of(active())).toEqual({ type: 1 });
  });
});

describe('the selection', () => {
  const selected = () => {
    const { selection } = active();
    if (selection.kind !== 'type') return selection.kind;
    const { types } = model();
    const [member] = selection.memberPath;
    return types === null
      ? ''
      : [
          nameOf(types, selection.type),
          ...(member === undefined ? [] : [memberAt(types, selection.type, member)?.name]),
        ].join('.');
  };

  it('stays on the type and the member, whatever comes before', async () => {
    await openWorkbench();
    await type('struct s { int a; int b; };');
    select(typeSelection(idOf('struct', 's'), [1]));
    await type('struct first { char c; }; struct s { long n; int a; int b; };');
    expect(selected()).toBe('s.b');
  });

  it('stays on a type while its name is typed', async () => {
    await openWorkbench();
    await type('struct fo { int a; };');
    select(typeSelection(idOf('struct', 'fo')));
    await type('struct foo { int a; };');
    expect(selected()).toBe('foo');
  });

  it('goes to the view without a selection', async () => {
    await openWorkbench();
    await type('int x; struct s { int a; };');
    select(typeSelection(idOf('struct', 's')));
    await type('int x;');
    expect(selected()).toBe('none');
  });
});

describe('a link', () => {
  it('carries the text, in every view, and opens it again', async () => {
    await openWorkbench();
    await editWorkbench(active().id, { text: 'struct mine { int a; long b; };', endian: 'big' });
    await rested();
    select(typeSelection(idOf('struct', 'mine'), [1]), 'types');
    const address = currentAddress(session.getState());
    expect(address).toMatch(/^#\/types\?file=c1:be\.[\w-]+&type=struct:mine&member=b$/);
    closeFile(active().id);

    await followAddress(address);
    expect(active().view).toBe('types');
    expect(workbench()).toMatchObject({ text: 'struct mine { int a; long b; };', endian: 'big' });
    expect(active().selection).toEqual(typeSelection(idOf('struct', 'mine'), [1]));
    expect(currentAddress(session.getState())).toBe(address);
  });

  it('of an earlier state returns to the later text', async () => {
    await openWorkbench();
    const before = currentAddress(session.getState());
    await type('struct later { int a; };');
    await rested();
    await followAddress(before);
    expect(session.getState().files).toHaveLength(1);
    expect(workbench()?.text).toBe('struct later { int a; };');
  });

  it('from another user opens next to the typed text', async () => {
    await openWorkbench();
    const key = await textKey('c1:', 'struct theirs { int a; };');
    await followAddress(`#/workbench?file=${key}`);
    expect(session.getState().files).toHaveLength(2);
    expect(names()).toContain('theirs');
  });

  it('with a problem is shown, without compiled types', async () => {
    const key = await textKey('c1:', 'struct s { foo a; };');
    await followAddress(`#/workbench?file=${key}`);
    expect(active().view).toBe('workbench');
    expect(workbench()?.problems).toHaveLength(1);
    expect(model().types?.count).toBe(0);
  });

  it('that unpacks to too much, or was cut, is reported', async () => {
    const headers = Array.from({ length: 201 }, (_, i) => [`${i}.h`, '']);
    const bomb = await textKey('c1:f.', JSON.stringify(['', ...headers]));
    await followAddress(`#/workbench?file=${bomb}`);
    expect(session.getState().wanted?.problem).toMatch(/more than 200 headers/);
    await followAddress('#/types?file=c1:AAAA');
    expect(session.getState().wanted?.problem).toMatch(/cut or changed/);
  });

  it('without a file is a link into the open file', async () => {
    await openWorkbench();
    const { id } = active();
    await followAddress('#/workbench?type=struct:event');
    expect(active()).toMatchObject({ id, view: 'workbench' });
  });
});
