import { beforeEach, describe, expect, it, vi } from 'vitest';
import { typeId } from '#model/ids.ts';
import { NO_SELECTION, typeSelection } from '#model/selection.ts';
import {
  activate,
  closeBeside,
  openBeside,
  openFileBeside,
  otherPane,
  panesOf,
  swapPanes,
  workIn,
} from '#store/session/panes.ts';
import { activeFileNow, fileNow, type OpenFile, session } from '#store/session/session.ts';
import type { ViewName } from '#store/session/views.ts';
import { sampleModel } from '#testing/samples.ts';
import { currentAddress, select, showView } from './navigation.ts';

const object = await sampleModel('exec_trace.bpf.o');
const kernel = await sampleModel('kernel.btf');

function file(id: number, model: typeof object, view: ViewName): OpenFile {
  return {
    id,
    name: `${id}`,
    size: 1,
    sample: model === object ? 'exec_trace.bpf.o' : 'kernel.btf',
    sha256: null,
    status: { step: 'ready', model },
    findings: null,
    view,
    selection: NO_SELECTION,
  };
}

beforeEach(() => {
  session.setState({
    files: [file(1, object, 'types'), file(2, kernel, 'overview')],
    panes: [{ fileId: 1, view: 'types' }],
    currentPane: 0,
  });
});

/** Returns the views on the screen; brackets mark the current one: `types + [bytes]`. */
function shown(): string {
  const panes = panesOf(session.getState());
  if (panes === null) return '';
  const { first, second, isSecondCurrent } = panes;
  const names = [first, second].flatMap((pane) =>
    pane === null ? [] : [`${pane.view}${pane.file.id === 1 ? '' : ` of ${pane.file.id}`}`],
  );
  const current = isSecondCurrent ? 1 : 0;
  return names.map((name, i) => (i === current ? `[${name}]` : name)).join(' + ');
}

const address = () => currentAddress(session.getState());

describe('two views of one file', () => {
  it('stand side by side, and working in the other moves neither', () => {
    openBeside('bytes');
    expect(shown()).toBe('[types] + bytes');
    const before = address();
    expect(before).toBe('#/types?file=sample:exec_trace.bpf.o&beside=bytes');
    workIn('second');
    expect(shown()).toBe('types + [bytes]');
    expect(address()).toBe(before);
    workIn('second');
    expect(shown()).toBe('types + [bytes]');
    workIn('first');
    expect(shown()).toBe('[types] + bytes');
  });

  it('have one selection', () => {
    openBeside('bytes');
    workIn('second');
    select(typeSelection(typeId(3)));
    workIn('first');
    expect(activeFileNow()?.selection).toEqual(typeSelection(typeId(3)));
  });

  it('are never the same view', () => {
    openBeside('types');
    expect(shown()).toBe('[types]');
    openBeside('bytes');
    showView('bytes');
    expect(shown()).toBe('[bytes] + types');
    openBeside('bytes');
    expect(shown()).toBe('[bytes] + types');
  });

  it('keep what is selected for a view in the pane that shows it', () => {
    openBeside('bytes');
    select(typeSelection(typeId(3)), 'bytes');
    expect(shown()).toBe('types + [bytes]');
    select(typeSelection(typeId(3)), 'graph');
    expect(shown()).toBe('types + [graph]');
    select(typeSelection(typeId(4)), 'types');
    expect(shown()).toBe('[types] + graph');
  });

  it('change places, and the first stays alone when the second is closed', () => {
    openBeside('bytes');
    swapPanes();
    expect(shown()).toBe('bytes + [types]');
    closeBeside();
    expect(shown()).toBe('[bytes]');
    expect(address()).toBe('#/bytes?file=sample:exec_trace.bpf.o');
  });

  it('have the second changed from where somebody works', () => {
    openBeside('bytes');
    workIn('second');
    openBeside('code');
    expect(shown()).toBe('types + [code]');
  });

  it('make one change of the session for one of the panes', () => {
    openBeside('bytes');
    workIn('second');
    const seen = new Set<string>();
    const stop = session.subscribe(() => seen.add(address()));
    closeBeside();
    stop();
    expect([...seen]).toEqual(['#/types?file=sample:exec_trace.bpf.o']);
  });
});

describe('two files', () => {
  it('stand side by side, each with its selection', () => {
    openFileBeside(2);
    expect(shown()).toBe('[types] + types of 2');
    workIn('second');
    expect(activeFileNow()?.id).toBe(2);
    showView('bytes');
    select({ kind: 'bytes', start: 1, end: 2 });
    expect(shown()).toBe('types + [bytes of 2]');
    expect(address()).toBe(
      '#/types?file=sample:exec_trace.bpf.o&beside=bytes&beside.file=sample:kernel.btf&beside.bytes=@0x1-0x2',
    );
    expect(fileNow(1)?.selection).toBe(NO_SELECTION);
  });

  it('follow each other by the names of types and members', async () => {
    openFileBeside(2);
    const count = object.types?.count ?? 0;
    const isFound = Array.from({ length: count }, (_, i) => typeId(i + 1)).some((id) => {
      select(typeSelection(id));
      return address().includes('&type=struct:task_struct&');
    });
    expect(isFound).toBe(true);
    const both = /&type=struct:task_struct&.*beside\.type=struct:task_struct$/;
    await vi.dynamicImportSettled();
    await vi.waitFor(() => expect(address()).toMatch(both));
  });

  it('leave the other alone when one is closed', () => {
    openFileBeside(2);
    session.setState(({ files }) => ({ files: files.filter(({ id }) => id !== 2) }));
    expect(shown()).toBe('[types]');
    expect(otherPane(session.getState())).toBeNull();
  });

  it('leave each other when the second shows a view of the first file', () => {
    openFileBeside(2);
    openBeside('bytes');
    expect(shown()).toBe('[types] + bytes');
    activate(2);
    expect(shown()).toBe('[types of 2]');
  });
});
