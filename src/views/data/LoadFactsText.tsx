import type { LoadFacts } from '#analysis/values/load-facts.ts';
import { drawnName } from '#bytes/text.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { isGplCompatible, versionText } from './load-words.ts';

/** The licence and the version in words; with `only` one of them, by the name of its section. */
export function LoadFactsText({
  facts,
  only,
}: {
  readonly facts: LoadFacts;
  readonly only?: string;
}) {
  const { license, version } = facts;
  return (
    <>
      {license === null || only === 'version' ? null : (
        <DetailSection title="Licence">
          <p>
            “{drawnName(license)}”.{' '}
            {isGplCompatible(license)
              ? 'The kernel takes it for GPL-compatible: programs may call helpers that are for GPL programs only.'
              : 'The kernel does not take it for GPL-compatible: helpers that are for GPL programs only, such as bpf_trace_printk, are refused.'}
          </p>
        </DetailSection>
      )}
      {version === null || only === 'license' ? null : (
        <DetailSection title="Kernel version">
          <p>{versionText(version)}</p>
        </DetailSection>
      )}
    </>
  );
}
