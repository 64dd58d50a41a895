// What scripts/kernel-verdicts.mjs takes from our sources.
import { checkBtf } from '#analysis/check/check.ts';
import { ruleBlobs } from '#testing/field-rule-blobs.ts';

/** Our verdict for a kernel 6.18. */
export function judge(bytes) {
  return checkBtf(new Uint8Array(bytes), null).kernel;
}

/** The blobs of the tests, each of which breaks a rule. */
export const brokenBlobs = ruleBlobs().map((bytes) => Buffer.from(bytes));
