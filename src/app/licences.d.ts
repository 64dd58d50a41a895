/** Module that `vite.config.ts` generates. */
declare module 'virtual:licences' {
  type LicenceText = {
    readonly licence: string;
    readonly text: string;
    /** `name version`. */
    readonly packages: readonly string[];
  };
  const licences: readonly LicenceText[];
  export default licences;
}
