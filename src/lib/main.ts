/**
 * The library: reads BPF objects, kernels and BTF without the web page. docs/library.md describes
 * it. Only the exports of this file are public; docs/library-api.txt lists them.
 */
// biome-ignore lint/performance/noBarrelFile: a package has one entry
export {
  type Atlas,
  type AtlasAnswer,
  type AtlasHistory,
  type AtlasKernel,
  type AtlasMember,
  type AtlasModules,
  type AtlasType,
  openAtlas,
} from './atlas.ts';
export {
  type AttachPoint,
  type AttachPoints,
  type AttachReason,
  attachPoints,
} from './attach.ts';
export {
  type ChangedLine,
  type ChangedType,
  type ChangeSort,
  type Comparison,
  compare,
  compareType,
  type TypeComparison,
} from './compare.ts';
export {
  type CoreRecord,
  type CoreResult,
  coreRecords,
  type ResolveOptions,
  resolveCore,
} from './core.ts';
export {
  type ExplainedLog,
  type ExplainOptions,
  explain,
  type LogError,
  type LogPlace,
  type LogSentence,
  type LogStep,
} from './explain.ts';
export {
  type Dependency,
  type LoadOptions,
  type LoadReason,
  type LoadVerdict,
  load,
  type Outcome,
  type ProgramVerdict,
} from './load.ts';
export { type Need, type Needs, type NeedUse, needs } from './needs.ts';
export {
  type ArchiveMember,
  type BlobLike,
  type ByteSource,
  type Input,
  type Issue,
  lint,
  listMembers,
  Malformed,
  type ObjectFile,
  type OpenOptions,
  open,
  type Progress,
  type Section,
  type SignalLike,
} from './open.ts';
export { type Relocation, relocations } from './relocations.ts';
export {
  type COptions,
  cText,
  declarationText,
  disassemblyLines,
  goText,
  type HeaderOptions,
  jsonText,
  paholeText,
  rawText,
  rustText,
  visible,
  zigText,
} from './texts.ts';
export type {
  Enumerator,
  Gap,
  Kind,
  Layout,
  Member,
  Param,
  SectionVariable,
  Type,
  Types,
} from './types.ts';
export {
  type DecodeOptions,
  decode,
  type MapDefinition,
  maps,
  type Value,
  type ValueKind,
} from './values.ts';
