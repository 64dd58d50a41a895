import { dependsOnKernels, hasTypesOrRecords } from '#store/kernels/core-view.ts';
import { logPlaceState } from '#store/kernels/log-place.ts';
import { registerView, WITH_TYPES } from '#store/session/views.ts';
import { REPLAY_KEYS } from './keys.ts';
import { replayState } from './replay-state.ts';
import { logLinesState } from './state.ts';

declare module '#store/session/views.ts' {
  interface ViewNames {
    readonly table: true;
    readonly replay: true;
    readonly lines: true;
    readonly log: true;
  }
}

registerView({
  name: 'table',
  title: 'Table',
  also: 'veristat',
  files: ['log'],
  isForLog: ({ isVeristat }) => isVeristat,
  state: [logPlaceState],
  load: async () => (await import('./VeristatView.tsx')).VeristatView,
});

registerView({
  name: 'replay',
  title: 'Replay',
  also: 'cause of a failure, verifier state, steps',
  files: ['log'],
  against: 'target',
  state: [logPlaceState, replayState],
  keys: REPLAY_KEYS,
  isForLog: ({ isVeristat }) => !isVeristat,
  opensLog: ({ parts }) => parts.some(({ kind }) => kind === 'verifier'),
  load: async () => (await import('./ReplayView.tsx')).ReplayView,
});

registerView({
  name: 'lines',
  title: 'Lines',
  files: ['log'],
  against: 'target',
  state: [logPlaceState, logLinesState],
  load: async () => (await import('./LinesView.tsx')).LinesView,
});

registerView({
  name: 'log',
  title: 'Explain a log',
  tab: 'core',
  files: WITH_TYPES,
  isFor: hasTypesOrRecords,
  hasContent: dependsOnKernels,
  against: 'target',
  former: ['core?mode=log'],
  load: async () => (await import('./ExplainView.tsx')).ExplainView,
});
